// SPDX-License-Identifier: Apache-2.0
// Derivatives of switching surfaces along the field and the values that keep them.
#include "liaison/realise/relay_field.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/jump.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/laws/filippov.hpp"
#include "liaison/laws/utkin.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {
namespace {

// A bound on the relative degree that no sensible model reaches.
constexpr int k_largest_degree = 6;

template <class Rule>
std::vector<Expr> where_given(std::span<const Expr> all, const Rule& rule) {
    std::vector<Expr> given;
    for (const Expr e : all) {
        if (e) given.push_back(e);
    }
    if (given.empty()) return {all.begin(), all.end()};
    given = rule(given);
    std::vector<Expr> result;
    std::size_t at = 0;
    for (const Expr e : all) result.push_back(e ? given[at++] : Expr());
    return result;
}

bool contains_any(Expr e, std::span<const Expr> symbols) {
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](Expr s) { return expr::depends_on(e, s); });
}

} // namespace

RelayField::RelayField(const model::Model& model, std::optional<double> layer)
    : pool_(model.pool.get()), definition_(model.run.relay),
      moments_(model.run.relay == model::RelayRealisation::filippov &&
               model.run.codimension == model::Codimension::moments),
      layer_(layer) {
    const Expr one = pool_->number(1);
    for (const auto& c : model.coordinates) states_.push_back(c.q);
    for (const auto& v : model.velocities) states_.push_back(v.v);
    for (const model::Relay& r : model.relays) {
        RelaySurface s;
        s.name = r.name;
        s.surface = r.surface.expr;
        s.branch = r.branch;
        const std::string tag = fmt::format("#{}", surfaces_.size());
        s.value = {r.u, r.above.expr, r.below.expr, pool_->symbol("w" + tag)};
        s.side = pool_->symbol("side" + tag);
        s.slides = pool_->symbol("slides" + tag);
        s.held = pool_->symbol("held" + tag);
        s.limit = one;
        if (r.holding) {
            // The static level, measured from the middle of the two values in units of half their distance.
            const Expr middle = (s.value.above + s.value.below) * expr::Number::rational(1, 2);
            s.limit = expr::abs((r.holding.expr - middle) / (s.value.above - middle));
            s.holding = true;
        }
        surfaces_.push_back(std::move(s));
    }
}

void RelayField::choose(const Branches& branches) {
    for (RelaySurface& s : surfaces_) {
        const auto found = branches.find(s.name);
        if (found != branches.end()) s.branch = found->second;
    }
}

std::optional<std::string> RelayField::convex_choice() const {
    if (definition_ != model::RelayRealisation::filippov || affine_field_) return std::nullopt;
    return moments_ ? "moments" : "bilinear";
}

std::vector<laws::RelayValue> RelayField::entries() const {
    std::vector<laws::RelayValue> result;
    for (const RelaySurface& s : surfaces_) result.push_back(s.value);
    return result;
}

std::vector<Expr> RelayField::symbols() const {
    std::vector<Expr> result;
    for (const RelaySurface& s : surfaces_) result.push_back(s.value.w);
    return result;
}

// sign(S) = (2u − above − below)/(above − below) for the relay of S, with the other sign for that of −S.
Expr RelayField::sign_as_relay(Expr surface) {
    const auto sign_of = [](const laws::RelayValue& r) {
        return (2 * r.u - r.above - r.below) / (r.above - r.below);
    };
    for (const RelaySurface& s : surfaces_) {
        if (s.surface == surface) return sign_of(s.value);
        if (s.surface == -surface) return -sign_of(s.value);
    }
    RelaySurface s;
    s.name = fmt::format("sign({})", expr::print(surface));
    s.of_function = true;
    s.surface = surface;
    const std::string tag = fmt::format("#{}", surfaces_.size());
    s.value = {pool_->symbol("u" + tag), pool_->number(1), pool_->number(-1),
               pool_->symbol("w" + tag)};
    s.side = pool_->symbol("side" + tag);
    s.slides = pool_->symbol("slides" + tag);
    s.held = pool_->symbol("held" + tag);
    s.limit = pool_->number(1);
    surfaces_.push_back(s);
    return s.value.u;
}

// The first of the relays whose value occurs in an expression.
const laws::RelayValue* RelayField::relay_inside(Expr e) const {
    const auto found = std::ranges::find_if(
        surfaces_, [&](const RelaySurface& s) { return expr::depends_on(e, s.value.u); });
    return found == surfaces_.end() ? nullptr : &found->value;
}

// A surface that contains a relay is another one on either side of that relay's own:
//   φ(u) = (u − below)/(above − below) φ(above) + (above − u)/(above − below) φ(below),
// exact off the inner surface, and there, while the inner relay slides, the mean that Filippov's set asks for.
template <class Of>
Expr RelayField::on_either_side(const laws::RelayValue& inner, Expr e, const Of& of) {
    const auto [u, above, below, w] = inner; // `of` may add relays
    const Expr share = (u - below) / (above - below);
    const Expr where_above = of(expr::substitute(e, u, above));
    const Expr where_below = of(expr::substitute(e, u, below));
    return share * where_above + (1 - share) * where_below;
}

Expr RelayField::sign_of(Expr surface) {
    if (const laws::RelayValue* inner = relay_inside(surface))
        return on_either_side(*inner, surface, [this](Expr s) { return sign_of(s); });
    return contains_any(surface, states_) ? sign_as_relay(surface) : expr::sign(surface);
}

Expr RelayField::choice_of(Expr condition, Expr yes, Expr no) {
    if (const laws::RelayValue* inner = relay_inside(condition))
        return on_either_side(*inner, condition, [&](Expr c) { return choice_of(c, yes, no); });
    const Expr node = pool_->select(condition, yes, no);
    return node.op() == expr::Op::select && expr::select_jumps(node, states_)
               ? choice_as_relay(node)
               : node;
}

// if(a < b, x, y) = (x + y)/2 + (x − y)/2 sign(b − a)
Expr RelayField::choice_as_relay(Expr node) {
    const Expr condition = node.arg(0);
    const Expr surface = condition.arg(1) - condition.arg(0);
    const Expr jump = node.arg(1) - node.arg(2);
    const expr::Number half = expr::Number::rational(1, 2);
    return (node.arg(1) + node.arg(2)) * half + jump * half * sign_as_relay(surface);
}

std::vector<Expr> RelayField::forces(std::span<const Expr> with_u) {
    return where_given(with_u, [this](const std::vector<Expr>& given) {
        const auto smooth = expr::rewrite(given, [this](Expr node) {
            if (node.op() == expr::Op::sign) return sign_of(node.arg(0));
            if (node.op() == expr::Op::select)
                return choice_of(node.arg(0), node.arg(1), node.arg(2));
            return node;
        });
        if (empty()) return smooth;
        return definition_ == model::RelayRealisation::utkin || smoothed()
                   ? laws::equivalent_control(smooth, entries())
                   : laws::convex_combination(smooth, entries());
    });
}

std::vector<Expr> RelayField::outputs(std::span<const Expr> with_u) const {
    if (empty()) return {with_u.begin(), with_u.end()};
    return where_given(with_u, [this](const std::vector<Expr>& given) {
        return laws::equivalent_control(given, entries());
    });
}

void RelayField::declare(flow::Flow& flow) const {
    if (smoothed()) return;
    for (const RelaySurface& s : surfaces_) {
        flow.modes.push_back(
            {s.name, s.side, 1.0, {{1.0, "above"}, {-1.0, "below"}, {0.0, "sliding"}}});
    }
    for (const RelaySurface& s : surfaces_)
        flow.modes.push_back({s.slides.name(), s.slides, 0.0, {}});
    for (const RelaySurface& s : surfaces_) flow.modes.push_back({s.held.name(), s.held, 1.0, {}});
    if (moves) flow.modes.push_back({moves.name(), moves, 1.0, {}});
}

void RelayField::derive(flow::Flow& flow, std::span<const Expr> deciding) {
    if (empty()) return;
    if (layer_) {
        values_.clear();
        for (const RelaySurface& s : surfaces_) values_.push_back(expr::tanh(s.surface / *layer_));
        return;
    }
    const auto w = symbols();
    std::vector<Expr> atoms = flow.states;
    std::vector<Expr> rates(deciding.begin(), deciding.end());
    atoms.push_back(flow.time);
    rates.push_back(pool_->number(1));
    const auto along = [&](Expr e) { return expr::differentiate_along({&e, 1}, atoms, rates)[0]; };

    affine_ = true;
    for (RelaySurface& s : surfaces_) {
        s.lower = {s.surface};
        s.rate = along(s.surface);
        while (!contains_any(s.rate, w) && !s.blind) {
            s.lower.push_back(s.rate);
            s.rate = along(s.rate);
            s.blind = s.lower.size() == k_largest_degree || s.rate.is_zero();
        }
        s.D.clear();
        for (const Expr symbol : w) s.D.push_back(expr::differentiate(s.rate, symbol));
        const std::vector<Expr> zeros(w.size(), pool_->number(0));
        s.drift = expr::substitute({&s.rate, 1}, w, zeros)[0];
        affine_ = affine_ &&
                  std::none_of(s.D.begin(), s.D.end(), [&](Expr d) { return contains_any(d, w); });
    }
    for (const Expr rate : surfaces_.size() > 1 ? flow.rates : std::vector<Expr>{}) {
        for (const Expr symbol : w) {
            if (!expr::depends_on(rate, symbol)) continue;
            affine_field_ = affine_field_ && !contains_any(expr::differentiate(rate, symbol), w);
        }
    }
    if (affine_)
        solve_affine();
    else
        follow_roots(flow);
}

// Values of all relays with the pair at one of its vertices (−,−), (−,+), (+,−), (+,+).
std::vector<Expr> RelayField::at_vertex(const Pair& pair, std::size_t vertex) const {
    std::vector<Expr> w = values_;
    w[pair.first] = pool_->number(vertex < 2 ? -1 : 1);
    w[pair.second] = pool_->number(vertex % 2 == 0 ? -1 : 1);
    return w;
}

void RelayField::weigh_pairs() {
    const auto w = symbols();
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        for (std::size_t c = b + 1; c < surfaces_.size(); ++c) {
            Pair pair{b, c, surfaces_[b].slides * surfaces_[c].slides, {}};
            for (std::size_t o = 0; o < surfaces_.size(); ++o) {
                if (o != b && o != c) pair.acts = pair.acts * (1 - surfaces_[o].slides);
            }
            laws::Vertices first;
            laws::Vertices second;
            for (std::size_t k = 0; k < 4; ++k) {
                const std::vector<Expr> rates{surfaces_[b].rate, surfaces_[c].rate};
                const auto at = expr::substitute(rates, w, at_vertex(pair, k));
                first[k] = at[0];
                second[k] = at[1];
            }
            pair.weights = laws::moment_weights(first, second, pair.acts);
            pairs_.push_back(std::move(pair));
        }
    }
}

void RelayField::solve_affine() {
    const std::size_t n = surfaces_.size();
    if (n == 1) {
        const RelaySurface& s = surfaces_[0];
        const Expr free = 1 - s.slides;
        values_ = {(free * s.held - s.slides * s.drift) / (s.slides * s.D[0] + free)};
        return;
    }
    auto structure = std::make_shared<expr::Structure>();
    structure->n = static_cast<std::uint32_t>(n);
    structure->symmetric = false;
    structure->classes.assign(n, expr::UnknownClass::general);
    std::vector<Expr> entries;
    std::vector<Expr> rhs;
    for (std::uint32_t b = 0; b < n; ++b) {
        const RelaySurface& s = surfaces_[b];
        const Expr free = 1 - s.slides;
        for (std::uint32_t c = 0; c < n; ++c) {
            if (b != c && s.D[c].is_zero()) continue;
            structure->entries.push_back({b, c});
            entries.push_back(b == c ? s.slides * s.D[c] + free : s.slides * s.D[c]);
        }
        rhs.push_back(free * s.held - s.slides * s.drift);
    }
    values_ = pool_->solve(structure, entries, rhs);
}

void RelayField::follow_roots(flow::Flow& flow) {
    first_state_ = flow.states.size();
    const std::size_t n = surfaces_.size();
    const auto w = symbols();
    std::vector<Expr> atoms = flow.states;
    atoms.push_back(flow.time);

    values_.clear();
    for (const RelaySurface& s : surfaces_) {
        const Expr state = pool_->symbol("root" + s.value.w.name());
        flow.states.push_back(state);
        flow.state_names.push_back(state.name());
        flow.start_state.push_back(0.0);
        values_.push_back(s.slides * state + (1 - s.slides) * s.held);
    }
    if (moments_) weigh_pairs();
    std::vector<Expr> rates = close(flow.rates);
    rates.push_back(pool_->number(1));

    auto structure = std::make_shared<expr::Structure>();
    structure->n = static_cast<std::uint32_t>(n);
    structure->symmetric = false;
    structure->classes.assign(n, expr::UnknownClass::general);
    std::vector<Expr> entries;
    std::vector<Expr> rhs;
    for (std::uint32_t b = 0; b < n; ++b) {
        const RelaySurface& s = surfaces_[b];
        for (std::uint32_t c = 0; c < n; ++c) {
            if (b != c && s.D[c].is_zero()) continue;
            structure->entries.push_back({b, c});
            const Expr both = s.slides * surfaces_[c].slides * s.D[c];
            entries.push_back(b == c ? both + 1 - s.slides : both);
        }
        const Expr explicit_rate = expr::differentiate_along({&s.rate, 1}, atoms, rates)[0];
        rhs.push_back(-s.slides * explicit_rate);
    }
    entries = expr::substitute(entries, w, values_);
    rhs = expr::substitute(rhs, w, values_);
    const auto w_rates = pool_->solve(structure, entries, rhs);
    flow.rates.insert(flow.rates.end(), w_rates.begin(), w_rates.end());

    // Sliding values as functions of the state, for derivatives: a step of Newton from the root itself.
    std::vector<Expr> residuals;
    for (const RelaySurface& s : surfaces_) residuals.push_back(s.slides * s.rate);
    const auto steps = pool_->solve(structure, entries, expr::substitute(residuals, w, values_));
    for (std::size_t b = 0; b < n; ++b) {
        const Expr root = flow.states[first_state_ + b];
        flow.followed.push_back({root, root - steps[b]});
    }
}

std::vector<Expr> RelayField::at_values(std::span<const Expr> with_w) const {
    const auto w = symbols();
    return where_given(with_w, [&](const std::vector<Expr>& given) {
        return expr::substitute(given, w, values_);
    });
}

std::vector<Expr> RelayField::close(std::span<const Expr> with_w) const {
    if (empty()) return {with_w.begin(), with_w.end()};
    if (pairs_.empty()) return at_values(with_w);
    const auto w = symbols();
    return where_given(with_w, [&](const std::vector<Expr>& given) {
        auto result = at_values(given);
        for (const Pair& pair : pairs_) {
            std::vector<std::vector<Expr>> limits;
            for (std::size_t k = 0; k < 4; ++k)
                limits.push_back(expr::substitute(given, w, at_vertex(pair, k)));
            for (std::size_t i = 0; i < given.size(); ++i) {
                if (!contains_any(given[i], w)) continue;
                Expr mean = pool_->number(0);
                for (std::size_t k = 0; k < 4; ++k) mean = mean + pair.weights[k] * limits[k][i];
                result[i] = pair.acts * mean + (1 - pair.acts) * result[i];
            }
        }
        return result;
    });
}

} // namespace liaison::realise
