// SPDX-License-Identifier: Apache-2.0
// The box variational inequality at an instant, with ties decided by derivatives.
#include "liaison/realise/relay_rule.hpp"

#include "liaison/solve/box_roots.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using flow::Instant;
using solve::Matrix;
using solve::Vector;

constexpr double k_still = 1e-10; // relative size of a rate that counts as zero
constexpr double k_at_limit = 1e-9; // of a value
constexpr double k_last = 1e-6; // puts a row behind the others
constexpr double k_same = 1e-9; // values that differ less are one
constexpr double k_short = 1e-5; // of a look ahead along the motion

int sign(double x) { return x > 0.0 ? 1 : x < 0.0 ? -1 : 0; }

// The rows that depend on others: those that follow have a regular matrix by themselves. It grows by the largest diagonal entry that
// elimination leaves; where the diagonal is at its end before the rank is, by rows.
std::vector<Index> held_rows(const Matrix& D) {
    constexpr double k_rank = 1e-11;
    const auto rows = solve::pivoted_columns(D.transpose(), k_rank);
    Matrix rest = D;
    std::vector<Index> left;
    for (Index j = 0; j < D.rows(); ++j) left.push_back(j);
    for (Index k = 0; k < rows.rank; ++k) {
        const auto pivot = std::ranges::max_element(left, std::less<>{},
                                                    [&](Index j) { return std::abs(rest(j, j)); });
        const Index p = *pivot;
        if (!(std::abs(rest(p, p)) > k_rank * D.row(p).cwiseAbs().maxCoeff())) {
            left.assign(rows.order.begin() + rows.rank, rows.order.end());
            return left;
        }
        left.erase(pivot);
        for (const Index j : left) rest.row(j) -= rest(j, p) / rest(p, p) * rest.row(p).eval();
    }
    return left;
}

} // namespace

RelayRule::RelayRule(const flow::Flow& flow, const RelayField& field)
    : n_(field.surfaces().size()), side_slot_(flow::slot_of(flow, field.surfaces().front().side)),
      slides_slot_(flow::slot_of(flow, field.surfaces().front().slides)),
      held_slot_(flow::slot_of(flow, field.surfaces().front().held)),
      first_state_(field.first_state()), first_velocity_(flow.n_positions),
      end_velocity_(flow.n_controlled), affine_(field.affine()) {
    std::vector<Expr> values;
    std::vector<Expr> present = field.values();
    for (const RelaySurface& s : field.surfaces()) {
        degree_.push_back(s.lower.size());
        blind_.push_back(s.blind ? 1 : 0);
        values.insert(values.end(), s.lower.begin(), s.lower.end());
        values.push_back(s.drift);
        values.push_back(s.limit);
        values.insert(values.end(), s.D.begin(), s.D.end());
        present.push_back(s.rate);
    }
    present = field.at_values(present);
    numbers_ = flow::Probe(flow, field.at_values(values));
    next_ = flow::Probe(flow, flow::rates_along(flow, present));
    present_ = flow::Probe(flow, std::move(present));
    rates_ = flow::Probe(flow, flow.rates);
}

double RelayRule::zero(const Instant& now) {
    double scale = 1.0;
    for (const double x : now.state) scale = std::max(scale, std::abs(x));
    return k_zero * scale;
}

RelayNumbers RelayRule::numbers(const Instant& now) const {
    RelayNumbers result = probe(now);
    Instant free = now;
    if (!open_ || !open_(free)) return result;
    constexpr double k_rounding = 1e-11;
    const RelayNumbers without = probe(free);
    // A relay may reach its surface through the contacts alone: then the accelerations say what is small.
    const auto rates = rates_(free);
    double acceleration = 0.0;
    for (std::size_t i = first_velocity_; i < end_velocity_; ++i)
        acceleration = std::max(acceleration, std::abs(rates[i]));
    for (Index i = 0; i < result.alpha.size(); ++i) {
        const double response = without.D.row(i).cwiseAbs().maxCoeff();
        const double small =
            k_rounding * std::max(std::abs(without.alpha(i)) + response, acceleration);
        for (double& d : result.D.row(i)) {
            if (std::abs(d) <= small) d = 0.0;
        }
        if (std::abs(result.alpha(i)) <= small) result.alpha(i) = 0.0;
    }
    return result;
}

RelayNumbers RelayRule::probe(const Instant& now) const {
    const auto values = numbers_(now);
    const auto n = static_cast<Index>(n_);
    RelayNumbers result{{}, Vector(n), Matrix(n, n), Vector(n)};
    std::size_t at = 0;
    for (std::size_t b = 0; b < n_; ++b) {
        const auto i = static_cast<Index>(b);
        result.lower.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                                  values.begin() + static_cast<std::ptrdiff_t>(at + degree_[b]));
        at += degree_[b];
        result.alpha(i) = values[at++];
        result.limit(i) = values[at++];
        for (Index j = 0; j < n; ++j) result.D(i, j) = values[at++];
    }
    return result;
}

std::optional<RelayRule::Alone> RelayRule::alone(const Instant& now, std::size_t relay) const {
    constexpr std::size_t k_most = 96;
    if (!affine_ || blind_[relay] != 0 || numbers_.size() > k_most) return std::nullopt;
    if (open_) {
        Instant free = now;
        if (open_(free)) return std::nullopt;
    }
    std::array<double, k_most> values;
    numbers_.evaluate(now, std::span(values.data(), numbers_.size()));
    const double nothing = zero(now);
    Alone result;
    std::size_t at = 0;
    for (std::size_t b = 0; b < n_; ++b) {
        const double S = values[at];
        if (b == relay && degree_[b] > 1) {
            result.higher = true;
            result.rate = values[at + 1];
        }
        at += degree_[b];
        if (b != relay) {
            if (side(now, b) == 0 || std::abs(S) <= nothing) return std::nullopt;
            at += 2 + n_;
            continue;
        }
        result.surface.side = side(now, b);
        result.surface.drift = values[at];
        result.surface.limit = values[at + 1];
        at += 2;
        for (std::size_t c = 0; c < n_; ++c, ++at) {
            if (c == b)
                result.surface.D = values[at];
            else
                result.surface.drift += values[at] * side(now, c);
        }
    }
    return result;
}

int RelayRule::side(const Instant& now, std::size_t relay) const {
    return static_cast<int>(now.mode[side_slot_ + relay]);
}

bool RelayRule::follows(const Instant& now, std::size_t relay) const {
    return now.mode[slides_slot_ + relay] != 0.0;
}

void RelayRule::set(Instant& now, std::size_t relay, int side, double w, bool follows) const {
    const bool free = side == 0 && follows;
    now.mode[side_slot_ + relay] = side;
    now.mode[slides_slot_ + relay] = free ? 1.0 : 0.0;
    now.mode[held_slot_ + relay] = side == 0 && !follows ? w : side;
    if (!affine_ && side == 0) now.state[first_state_ + relay] = w;
}

void RelayRule::copy_mode(const Instant& from, Instant& to, std::size_t relay) const {
    for (const std::size_t slot : {side_slot_, slides_slot_, held_slot_})
        to.mode[slot + relay] = from.mode[slot + relay];
    if (!affine_) to.state[first_state_ + relay] = from.state[first_state_ + relay];
}

void RelayRule::apply(Instant& now, const RelayChoice& choice) const {
    std::vector<Index> sliding;
    for (std::size_t b = 0; b < n_; ++b) {
        set(now, b, choice.side[b], choice.w(static_cast<Index>(b)));
        if (choice.side[b] == 0) sliding.push_back(static_cast<Index>(b));
    }
    if (sliding.empty()) return;
    // Of dependent rows only independent ones follow; the others keep the value they have now. One that is at its limit cannot follow
    // further while others can.
    const RelayNumbers here = numbers(now);
    Matrix D = here.D(sliding, sliding);
    for (std::size_t j = 0; j < sliding.size(); ++j) {
        const double left = here.limit(sliding[j]) - std::abs(choice.w(sliding[j]));
        if (left < k_at_limit) D.row(static_cast<Index>(j)) *= k_last;
    }
    for (const Index j : held_rows(D)) {
        const Index b = sliding[static_cast<std::size_t>(j)];
        const bool at_limit = here.limit(b) - std::abs(choice.w(b)) < k_at_limit;
        set(now, static_cast<std::size_t>(b), 0,
            at_limit ? std::copysign(here.limit(b), choice.w(b)) : choice.w(b), false);
    }
}

// Moves the values along the null space of D, where the surfaces do not notice: the field must not notice either.
bool RelayRule::same_motion(const Instant& now, const RelayChoice& choice) const {
    std::vector<Index> sliding;
    for (std::size_t b = 0; b < n_; ++b) {
        if (choice.side[b] == 0) sliding.push_back(static_cast<Index>(b));
    }
    if (sliding.empty()) return true;
    Instant there = now;
    apply(there, choice);
    const Matrix D = numbers(there).D(sliding, sliding);
    const solve::Elimination lu(D, 1e-11);
    if (lu.regular()) return true;
    const Matrix kernel = lu.kernel();
    const auto field = [&](const Vector& shift) {
        for (std::size_t j = 0; j < sliding.size(); ++j) {
            const Index b = sliding[j];
            set(there, static_cast<std::size_t>(b), 0, choice.w(b) + shift(static_cast<Index>(j)),
                false);
        }
        const auto rates = rates_(there);
        return Vector(Eigen::Map<const Vector>(rates.data(), static_cast<Index>(rates.size())));
    };
    const Vector here = field(Vector::Zero(static_cast<Index>(sliding.size())));
    for (Index k = 0; k < kernel.cols(); ++k) {
        const Vector moved = field(kernel.col(k).normalized());
        if ((moved - here).cwiseAbs().maxCoeff() > k_still * (1.0 + here.cwiseAbs().maxCoeff()))
            return false;
    }
    return true;
}

Vector RelayRule::values(const Instant& now) const {
    const auto all = present_(now);
    return Eigen::Map<const Vector>(all.data(), static_cast<Index>(n_));
}

Vector RelayRule::field(const Instant& now) const {
    const auto all = rates_(now);
    return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
}

Vector RelayRule::surface_rates(const Instant& now) const {
    const auto all = present_(now);
    return Eigen::Map<const Vector>(all.data() + n_, static_cast<Index>(n_));
}

RelayRule::Next RelayRule::next(const Instant& now) const {
    const auto all = next_(now);
    const auto n = static_cast<Index>(n_);
    return {Eigen::Map<const Vector>(all.data(), n), Eigen::Map<const Vector>(all.data() + n, n)};
}

RelayRule::Next RelayRule::later(const Instant& now) const {
    Instant moved = now;
    const auto rates = rates_(now);
    for (std::size_t i = 0; i < moved.state.size(); ++i) moved.state[i] += k_short * rates[i];
    moved.field_time += k_short;
    return next(moved);
}

double RelayRule::curvature(const Instant& now, std::size_t relay) const {
    const auto i = static_cast<Index>(relay);
    return (later(now).w_rate(i) - next(now).w_rate(i)) / k_short;
}

RelayRule::Departure RelayRule::departure(const Instant& now, std::size_t relay) const {
    const auto here = numbers(now);
    const auto i = static_cast<Index>(relay);
    const double scale = 1.0 + here.D.row(i).cwiseAbs().sum() + std::abs(here.alpha(i));
    const auto& lower = here.lower[relay];
    for (std::size_t k = 1; k < lower.size(); ++k) {
        if (std::abs(lower[k]) > zero(now)) return {static_cast<int>(k), sign(lower[k])};
    }
    const auto r = static_cast<int>(lower.size());
    const double rate = present_(now)[n_ + relay];
    if (std::abs(rate) > k_still * scale) return {r, sign(rate)};
    const double second = next(now).rate_rate(i);
    if (std::abs(second) > 1e-8 * scale) return {r + 1, sign(second)};
    return {r + 2, sign(later(now).rate_rate(i))};
}

// Whether each tie of a choice goes on as the choice says: the sliding ones inwards, the leaving ones outwards.
bool RelayRule::lasts(const Instant& now, const RelayChoice& choice,
                      const std::vector<std::size_t>& ties) const {
    if (ties.empty()) return true;
    Instant there = now;
    apply(there, choice);
    const Next first = next(there);
    const Next second = later(there);
    // Of a surface that others hold every derivative is rounding.
    Instant free = now;
    if (open_) open_(free);
    const RelayNumbers without = probe(free);
    for (const std::size_t b : ties) {
        const auto i = static_cast<Index>(b);
        const bool slides = choice.side[b] == 0;
        const Vector& d = slides ? first.w_rate : first.rate_rate;
        const Vector& dd = slides ? second.w_rate : second.rate_rate;
        const double outwards = sign(choice.w(i));
        // Where the first derivative vanishes, its value a short time later tells.
        const double tendency = std::abs(d(i)) > 1e-8 * (1.0 + std::abs(dd(i))) ? d(i) : dd(i);
        const double forces = std::abs(without.alpha(i)) + without.D.row(i).cwiseAbs().sum();
        const double nothing = slides ? k_still : 1e-9 * forces;
        if (slides && outwards * tendency > nothing) return false;
        if (!slides && outwards * tendency <= nothing) return false;
    }
    return true;
}

// Contacts hold its surface, whatever it does, and its value goes on as it is.
bool RelayRule::given(const Instant& now, const RelayNumbers& numbers, std::size_t relay) const {
    const auto i = static_cast<Index>(relay);
    if (!open_ || !affine_ || side(now, relay) != 0 || follows(now, relay)) return false;
    const bool stays = numbers.D.row(i).isZero(0.0) && numbers.alpha(i) == 0.0;
    Instant free = now;
    return stays && open_(free) && leaving(now, relay) == 0.0 &&
           std::abs(now.mode[held_slot_ + relay]) <= numbers.limit(i);
}

double RelayRule::leaving(const Instant& now, std::size_t relay) const {
    const auto i = static_cast<Index>(relay);
    Instant free = now;
    if (open_) open_(free);
    const RelayNumbers without = probe(free);
    const double forces = std::abs(without.alpha(i)) + without.D.row(i).cwiseAbs().sum();
    for (const double tendency : {next(now).rate_rate(i), later(now).rate_rate(i)}) {
        if (std::abs(tendency) > 1e-9 * forces) return tendency;
    }
    return 0.0;
}

double RelayRule::value_off(const Instant& now, std::size_t relay, int side) const {
    if (side != 0 || this->side(now, relay) != 0 || follows(now, relay)) return side;
    return now.mode[held_slot_ + relay];
}

void RelayRule::keep_values(const Instant& now, const std::vector<std::size_t>& contested,
                            const RelayNumbers& numbers, RelayChoice& choice) const {
    Vector w = choice.w;
    for (const std::size_t b : contested) {
        const auto i = static_cast<Index>(b);
        if (choice.side[b] != 0) continue;
        if (side(now, b) != 0 || follows(now, b)) return;
        w(i) = now.mode[held_slot_ + b];
        if (!(std::abs(w(i)) <= numbers.limit(i))) return;
    }
    const Vector rate = numbers.alpha + numbers.D * w;
    for (const std::size_t b : contested) {
        const auto i = static_cast<Index>(b);
        const double scale = 1.0 + numbers.D.row(i).cwiseAbs().sum() + std::abs(numbers.alpha(i));
        if (choice.side[b] == 0 && !(std::abs(rate(i)) <= k_still * scale)) return;
    }
    choice.w = w;
}

void RelayRule::resolve(const Instant& now, const std::vector<std::size_t>& contested,
                        const RelayNumbers& numbers, const std::vector<int>& side,
                        const solve::BoxSolution& solution, RelayDecision& decision) const {
    RelayChoice choice;
    choice.side = side;
    choice.w = Vector::Zero(static_cast<Index>(n_));
    choice.rate = Vector::Zero(static_cast<Index>(n_));
    choice.dimension = solution.dimension;
    for (std::size_t b = 0; b < n_; ++b)
        choice.w(static_cast<Index>(b)) = value_off(now, b, side[b]);
    for (std::size_t j = 0; j < contested.size(); ++j) {
        const std::size_t b = contested[j];
        const auto i = static_cast<Index>(b);
        choice.side[b] = static_cast<int>(solution.modes[j]);
        choice.w(i) = solution.u(static_cast<Index>(j));
        choice.rate(i) = solution.y(static_cast<Index>(j));
        if (choice.side[b] == 0 && std::abs(choice.w(i)) > 1.0 + k_still) choice.held = true;
    }
    // Values that the surfaces do not determine go on as they are.
    if (affine_ && solution.dimension > 0) keep_values(now, contested, numbers, choice);
    // A tangency: S^(r) is zero whatever the value. The next derivative on each side tells where the motion goes.
    if (contested.size() == 1 && solution.dimension > 0) {
        const std::size_t b = contested[0];
        bool leaves = false;
        for (const int direction : {1, -1}) {
            RelayChoice one = choice;
            one.side[b] = direction;
            one.w(static_cast<Index>(b)) = direction;
            one.dimension = 0;
            if (!lasts(now, one, contested)) continue;
            leaves = true;
            decision.choices.push_back(std::move(one));
        }
        if (leaves) return;
    }
    // Each tie may slide or, without a static level, leave to the side of its limit.
    std::vector<std::size_t> ties;
    for (const int j : solution.ties) ties.push_back(contested[static_cast<std::size_t>(j)]);
    const std::size_t combinations = std::size_t{1} << std::min<std::size_t>(ties.size(), 12);
    for (std::size_t c = 0; c < combinations; ++c) {
        RelayChoice one = choice;
        bool possible = true;
        for (std::size_t k = 0; k < ties.size() && k < 12; ++k) {
            const auto i = static_cast<Index>(ties[k]);
            const bool leaves = ((c >> k) & 1U) != 0;
            one.side[ties[k]] = leaves ? sign(choice.w(i)) : 0;
            if (leaves && numbers.limit(i) > 1.0 + k_still) possible = false;
        }
        if (!possible || !lasts(now, one, ties)) continue;
        if (one.dimension > 0 && same_motion(now, one)) one.dimension = 0;
        // The first that lasts: sliding is tried first.
        decision.choices.push_back(std::move(one));
        break;
    }
}

void RelayRule::evaluate_roots(const Instant& now, const std::vector<std::size_t>& contested,
                               const Vector& u, Vector& y, Matrix* J) const {
    Instant there = now;
    for (std::size_t j = 0; j < contested.size(); ++j)
        set(there, contested[j], 0, u(static_cast<Index>(j)));
    const auto rates = present_(there);
    y.resize(u.size());
    for (std::size_t j = 0; j < contested.size(); ++j)
        y(static_cast<Index>(j)) = rates[n_ + contested[j]];
    if (J == nullptr) return;
    const Matrix D = numbers(there).D;
    const std::vector<Index> rows(contested.begin(), contested.end());
    *J = D(rows, rows);
}

RelayDecision RelayRule::decide(const Instant& now,
                                const std::vector<std::size_t>& zero_set) const {
    Instant there = now;
    const RelayNumbers here = numbers(now);
    std::vector<int> sides(n_);
    for (std::size_t b = 0; b < n_; ++b) sides[b] = side(now, b);

    // A surface of higher relative degree is simply crossed while a lower derivative is not zero.
    std::vector<std::size_t> contested;
    for (const std::size_t b : zero_set) {
        int direction = 0;
        for (std::size_t k = 1; k < degree_[b] && direction == 0; ++k) {
            if (std::abs(here.lower[b][k]) > zero(now)) direction = sign(here.lower[b][k]);
        }
        if (blind_[b] != 0 && direction == 0) {
            direction = sides[b]; // a surface that stays zero: nothing tells the sides apart
        }
        if (direction == 0 && given(now, here, b)) {
            sides[b] = 0;
        } else if (direction == 0) {
            contested.push_back(b);
        } else {
            sides[b] = direction;
            set(there, b, direction, 0.0);
        }
    }
    // Contacts keep S^(r) zero whatever the relays do, but not what comes after it: so is one of which the next derivative tells.
    // One that is alone is asked on both sides.
    if (contested.size() > 1) {
        std::erase_if(contested, [&](std::size_t b) {
            const auto i = static_cast<Index>(b);
            if (!here.D.row(i).isZero(0.0) || here.alpha(i) != 0.0) return false;
            const double tendency = leaving(there, b);
            if (tendency == 0.0) return false;
            sides[b] = sign(tendency);
            set(there, b, sides[b], 0.0);
            return true;
        });
    }
    RelayDecision decision;
    const auto m = static_cast<Index>(contested.size());
    solve::BoxOptions options;
    options.limit = Vector::Ones(m);
    const std::vector<Index> rows(contested.begin(), contested.end());
    if (m > 0) options.limit = here.limit(rows);

    solve::BoxResult result;
    if (m == 0) {
        result.solutions.emplace_back();
    } else if (affine_) {
        Vector alpha = here.alpha(rows);
        for (std::size_t b = 0; b < n_; ++b) {
            if (std::find(contested.begin(), contested.end(), b) != contested.end()) continue;
            const Vector column = here.D(rows, std::vector<Index>{static_cast<Index>(b)});
            alpha += column * value_off(now, b, sides[b]);
        }
        const Matrix D = here.D(rows, rows);
        result = solve::solve_box_vi(D, alpha, options);
        // Beyond enumeration: a negative definite D has one solution.
        if (!result.complete && result.solutions.size() == 1)
            result.complete = solve::positive_definite(-(D + D.transpose()));
    } else {
        result =
            solve::solve_box_roots([&](const Vector& u, Vector& y,
                                       Matrix* J) { evaluate_roots(there, contested, u, y, J); },
                                   m, options);
    }
    decision.complete = result.complete;
    for (const solve::BoxSolution& s : result.solutions)
        resolve(there, contested, here, sides, s, decision);
    drop_equal_motions(there, decision);
    // Surfaces that depend on each other here part where the next derivative of one that another holds does not vanish: it leaves.
    for (const RelayChoice& choice : decision.choices) {
        if (!affine_ || m < 2) break;
        Instant after = there;
        apply(after, choice);
        for (const std::size_t b : contested) {
            if (choice.side[b] != 0 || follows(after, b) ||
                here.limit(static_cast<Index>(b)) > 1.0 + k_still)
                continue;
            const double tendency = leaving(after, b);
            if (tendency == 0.0) continue;
            set(there, b, sign(tendency), 0.0);
            std::vector<std::size_t> others = zero_set;
            std::erase(others, b);
            return decide(there, others);
        }
    }
    return decision;
}

// Surfaces that depend on each other share what holds them in many ways: choices with the same sides and the same field
// are one motion.
void RelayRule::drop_equal_motions(const Instant& now, RelayDecision& decision) const {
    auto& all = decision.choices;
    const auto field_of = [&](const RelayChoice& choice) {
        Instant there = now;
        apply(there, choice);
        return field(there);
    };
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const Vector here = field_of(all[i]);
        const double nothing = k_still * (1.0 + here.cwiseAbs().maxCoeff());
        for (std::size_t j = all.size(); --j > i;) {
            if (all[j].side != all[i].side || all[j].held != all[i].held) continue;
            // The same, found on both sides of a tie.
            if ((all[j].w - all[i].w).cwiseAbs().maxCoeff() <= k_same)
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
            else if ((field_of(all[j]) - here).cwiseAbs().maxCoeff() <= nothing)
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
}

void RelayRule::polish(Instant& now) const {
    if (affine_) return;
    std::vector<Index> rows;
    for (std::size_t b = 0; b < n_; ++b) {
        if (follows(now, b)) rows.push_back(static_cast<Index>(b));
    }
    if (rows.empty()) return;
    for (int iteration = 0; iteration < 2; ++iteration) {
        const auto all = present_(now);
        Vector r(static_cast<Index>(rows.size()));
        for (std::size_t j = 0; j < rows.size(); ++j)
            r(static_cast<Index>(j)) = all[n_ + static_cast<std::size_t>(rows[j])];
        const Matrix D = numbers(now).D(rows, rows);
        const Vector step = solve::Elimination(D).solve(r);
        if (!step.allFinite()) return;
        for (std::size_t j = 0; j < rows.size(); ++j)
            now.state[first_state_ + static_cast<std::size_t>(rows[j])] -=
                step(static_cast<Index>(j));
    }
}

} // namespace liaison::realise
