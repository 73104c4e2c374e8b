// SPDX-License-Identifier: Apache-2.0
// Checks that the units of parameters fit together wherever expressions join them.
//
// Time is in seconds. Coordinates have no declared unit: theirs are unknowns x_k, found on the way. The unit of an
// expression is a linear form  u₀ + Σ c_k x_k  in exponents; a sum demands that the forms of its terms are
// equal, which either determines an unknown or, if none is left, is a contradiction. Parameters without
// a unit make whatever contains them unknown: nothing is claimed about it.
#include "liaison/model/unit_check.hpp"

#include "liaison/expr/functions.hpp"
#include "liaison/expr/node_map.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace liaison::model {

using base::Code;
using expr::Expr;
using expr::Node;
using expr::Op;

namespace {

constexpr double k_small = 1e-9;

// u₀ + Σ c_k x_k; scale_known is false where a power of ten may have converted the value.
struct Form {
    bool known = true;
    bool scale_known = true;
    Unit unit;
    std::map<std::size_t, double> unknowns;
};

Form unknown_form() {
    Form form;
    form.known = false;
    return form;
}

void add(Form& total, const Form& other, double factor) {
    total.known = total.known && other.known;
    total.scale_known = total.scale_known && other.scale_known;
    for (std::size_t k = 0; k < Unit::k_size; ++k)
        total.unit.exponents[k] += factor * other.unit.exponents[k];
    for (const auto& [k, c] : other.unknowns) total.unknowns[k] += factor * c;
    std::erase_if(total.unknowns, [](const auto& term) { return std::abs(term.second) < k_small; });
}

bool is_conversion(const expr::Number& coefficient) {
    const double size = std::abs(coefficient.value());
    if (size == 0.0 || size == 1.0) return false;
    const double power = std::log10(size);
    return std::abs(power - std::round(power)) < 1e-12;
}

class Checker {
  public:
    Checker(const Model& model, const Draft* draft, base::Diagnostics& diagnostics)
        : model_(model), diagnostics_(diagnostics) {
        if (draft != nullptr) demand_known_units(*draft);
        read_parameters();
        const auto unknown = [&](Expr symbol) {
            Form form;
            form.unknowns[solutions_.size()] = 1.0;
            solutions_.emplace_back();
            forms_[symbol.node()] = form;
            return form;
        };
        time_.unit = *parse_unit("s");
        forms_[model.t.node()] = time_;
        for (const Coordinate& coordinate : model.coordinates)
            coordinates_.push_back(unknown(coordinate.q));
        for (const Velocity& velocity : model.velocities) {
            if (velocity.coordinate == k_none) {
                velocities_.push_back(unknown(velocity.v));
            } else {
                Form form = coordinates_[velocity.coordinate];
                add(form, time_, -1.0);
                forms_[velocity.v.node()] = form;
                velocities_.push_back(form);
            }
            Form acceleration = velocities_.back();
            add(acceleration, time_, -1.0);
            forms_[velocity.a.node()] = acceleration;
        }
    }

    void run() {
        constexpr std::size_t large = 200'000; // nodes; beyond, units are not worth the walk
        if (!any_unit_ || model_.pool->size() > large) return;
        ran_ = true;
        energies();
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
            if (model_.kind == Kind::energies && !model_.quasi) break;
            Form rate = coordinates_[i];
            add(rate, time_, -1.0);
            equal(of(model_.coordinates[i].rate), rate, model_.coordinates[i].rate.span,
                  fmt::format("the rate of {}", model_.coordinates[i].name));
        }
        for (const Force& force : model_.forces) work(force.Q, "force " + force.name);
        for (const Constraint& c : model_.constraints) {
            equal(of(c.left), of(c.right), c.f.span, "constraint " + c.name);
        }
        for (const Contact& c : model_.contacts) {
            for (const Contact::Side& side : c.sides) (void)of(side.gap);
            for (const Formula& slip : c.slip) (void)of(slip);
            pure(c.restitution, "the restitution of contact " + c.name);
            pure(c.friction.sliding, "the friction of contact " + c.name);
            if (c.friction) rubbing(c);
        }
        for (const Relay& relay : model_.relays) {
            (void)of(relay.surface);
            equal(of(relay.above), of(relay.below), relay.span,
                  "the values of relay " + relay.name);
        }
        for (const Named& one : model_.observes) (void)of(one.formula);
        for (const Named& one : model_.integrals) (void)of(one.formula);
        start();
    }

    // What was found on the way, in the order of the model.
    Units units() {
        Units result;
        if (!ran_) return result;
        const auto per = [&](Form form, const Form& divisor) {
            add(form, divisor, -1.0);
            return known_text(form);
        };
        result.time = known_text(time_);
        result.energy = known_text(energy_);
        for (const Form& q : coordinates_) result.coordinates.push_back(known_text(q));
        for (const Form& v : velocities_) {
            result.velocities.push_back(known_text(v));
            result.accelerations.push_back(per(v, time_));
        }
        for (const Constraint& c : model_.constraints)
            result.constraint_reactions.push_back(known_text(reaction(c)));
        for (const Contact& c : model_.contacts) {
            const Form gap = c.sides.empty() ? unknown_form() : of(c.sides.front().gap);
            result.gaps.push_back(known_text(gap));
            result.contact_reactions.push_back(per(energy_, gap));
        }
        for (const Named& one : model_.observes)
            result.observes.push_back(known_text(of(one.formula)));
        for (const Named& one : model_.integrals)
            result.integrals.push_back(known_text(of(one.formula)));
        return result;
    }

  private:
    // λ in Q = λ ∂f/∂q has the unit of energy by that of f; in Q = λ ∂f/∂v, for a constraint on velocities, that of power
    // by that of f; in Q_i = B_i λ of an actuator that of power by those of v_i and B_i.
    Form reaction(const Constraint& c) {
        Form form = energy_;
        if (!c.holonomic || !c.actuator.empty()) add(form, time_, -1.0);
        if (c.actuator.empty()) {
            add(form, of(c.f), -1.0);
            return form;
        }
        for (std::size_t i = 0; i < c.actuator.size() && i < velocities_.size(); ++i) {
            if (!c.actuator[i].expr || c.actuator[i].expr.is_zero()) continue;
            add(form, velocities_[i], -1.0);
            // A bare number is a pure one here: a direction, a ratio of gears.
            if (!c.actuator[i].expr.is_number()) add(form, of(c.actuator[i]), -1.0);
            return form;
        }
        return unknown_form();
    }

    // Friction compares the force along the gap with that along the slip: both are forces if one is a length as the
    // other is a velocity.
    void rubbing(const Contact& c) {
        for (const Contact::Side& side : c.sides) {
            Form rate = of(side.gap);
            add(rate, time_, -1.0);
            for (const Formula& slip : c.slip)
                equal(rate, of(slip), side.gap.span,
                      fmt::format("contact {} has friction, so its gap must be a length along the "
                                  "normal; the rate of the gap against the slip",
                                  c.name));
        }
    }

    void demand_known_units(const Draft& draft) {
        for (const ParameterDraft& parameter : draft.parameters) {
            if (parameter.unit.empty() || parse_unit(parameter.unit)) continue;
            diagnostics_
                .report(Code::unknown_unit, fmt::format("`{}` is not a unit", parameter.unit))
                .at(parameter.unit_span ? parameter.unit_span : parameter.name.span)
                .note("write SI units joined by * / ^, for example kg*m^2/s^2, N/m, rad/s, 1");
        }
    }

    void read_parameters() {
        std::map<std::string, std::optional<Unit>> units;
        for (const Parameter& parameter : model_.parameters) {
            if (parameter.unit.empty()) continue;
            if (!units.contains(parameter.unit)) units[parameter.unit] = parse_unit(parameter.unit);
            any_unit_ = true;
        }
        for (const Parameter& parameter : model_.parameters) {
            Form form = unknown_form();
            const auto found = units.find(parameter.unit);
            // Degrees are turned into radians by the constant deg, which folds away: nothing is claimed.
            if (found != units.end() && found->second &&
                parameter.unit.find("deg") == std::string::npos) {
                form = Form{};
                form.unit = *found->second;
            }
            forms_[parameter.symbol.node()] = form;
        }
    }

    void energies() {
        const Form T = of(model_.energy.T ? model_.energy.T : model_.energy.L);
        if (model_.energy.V) {
            equal(T, of(model_.energy.V), model_.energy.V.span, "T and V");
        }
        energy_ = model_.energy.T || model_.energy.L ? T : unknown_form();
    }

    // A force on v does the power Q v, an energy per time.
    void work(const std::vector<Formula>& forces, const std::string& what) {
        if (model_.kind != Kind::energies) return;
        for (std::size_t j = 0; j < forces.size(); ++j) {
            if (!forces[j]) continue;
            Form expected = energy_;
            add(expected, time_, -1.0);
            add(expected, velocities_[j], -1.0);
            equal(of(forces[j]), expected, forces[j].span, what);
        }
    }

    void start() {
        for (std::size_t i = 0; i < model_.start.q.size(); ++i) {
            if (model_.start.q[i])
                equal(of(model_.start.q[i]), coordinates_[i], model_.start.q[i].span,
                      "the start of " + model_.coordinates[i].name);
        }
        for (std::size_t j = 0; j < model_.start.v.size(); ++j) {
            if (model_.start.v[j])
                equal(of(model_.start.v[j]), velocities_[j], model_.start.v[j].span,
                      "the start of " + model_.velocities[j].name);
        }
        if (model_.run.until) equal(of(model_.run.until), time_, model_.run.until.span, "`until`");
    }

    void pure(const Formula& formula, const std::string& what) {
        if (formula) equal(of(formula), Form{}, formula.span, what);
    }

    Form of(const Formula& formula) {
        if (!formula) return unknown_form();
        span_ = formula.span;
        for (const Node* node : expr::reachable({&formula.expr, 1})) {
            if (!forms_.contains(node)) {
                const Form form = rule(node);
                forms_[node] = form;
            }
        }
        // A bare number fits everywhere.
        if (formula.expr.is_number()) return unknown_form();
        return forms_.at(formula.expr.node());
    }

    const Form& arg(const Node* node, std::size_t i) { return forms_.at(node->args[i]); }

    Form rule(const Node* node) {
        switch (node->op) {
        case Op::number: return {};
        case Op::symbol: return unknown_form();
        case Op::named: return arg(node, 0);
        case Op::add: return sum(node);
        case Op::mul: {
            Form form;
            for (std::uint32_t i = 0; i < node->n_args; ++i)
                add(form, arg(node, i), node->numbers[i + 1].value());
            if (is_conversion(node->numbers[0])) form.scale_known = false;
            // 0.0417, 9.81: a measured number may carry a unit of its own.
            if (!node->numbers[0].exact()) form.known = false;
            return form;
        }
        case Op::power:
            demand_pure(node, 0);
            demand_pure(node, 1);
            return {};
        case Op::abs:
        case Op::floor: return arg(node, 0);
        case Op::sign:
        case Op::logical_and:
        case Op::logical_or:
        case Op::logical_not: return {};
        case Op::min:
        case Op::max: join(node, 0, 1); return arg(node, 0);
        case Op::select: join(node, 1, 2); return arg(node, 1);
        case Op::less:
        case Op::less_equal:
        case Op::atan2: join(node, 0, 1); return {};
        case Op::table:
        case Op::factor:
        case Op::solve:
        case Op::component: return unknown_form();
        default: demand_pure(node, 0); return {};
        }
    }

    Form sum(const Node* node) {
        Form first = unknown_form();
        std::size_t which = 0;
        for (std::uint32_t i = 0; i < node->n_args; ++i) {
            Form term = arg(node, i);
            if (Expr(node->args[i]).is_number()) continue;
            if (is_conversion(node->numbers[i + 1])) term.scale_known = false;
            if (!node->numbers[i + 1].exact()) term.known = false;
            if (!term.known) continue;
            if (first.known) {
                unify(term, first, [&] {
                    return fmt::format("`{}` is added to `{}`", name(node->args[i]),
                                       name(node->args[which]));
                });
            } else {
                first = term;
                which = i;
            }
        }
        // A term of unknown unit says nothing about the sum, but neither does it spoil the others.
        return first;
    }

    void join(const Node* node, std::size_t i, std::size_t j) {
        if (Expr(node->args[i]).is_number() || Expr(node->args[j]).is_number()) return;
        unify(arg(node, i), arg(node, j), [&] {
            return fmt::format("`{}` and `{}` are compared", name(node->args[i]),
                               name(node->args[j]));
        });
    }

    void demand_pure(const Node* node, std::size_t i) {
        const expr::Function* function = expr::find_function(node->op);
        unify(arg(node, i), Form{}, [&] {
            return function != nullptr
                       ? fmt::format("the argument of {} must be a pure number", function->name)
                       : std::string("a base or exponent must be a pure number");
        });
    }

    void equal(const Form& a, const Form& b, base::Span span, const std::string& what) {
        span_ = span;
        unify(a, b, [&] { return what + " does not fit"; });
    }

    // Replaces unknowns that are known by now.
    Form reduced(const Form& form) {
        Form result = form;
        for (bool again = true; again;) {
            again = false;
            for (const auto& [k, c] : result.unknowns) {
                if (!solutions_[k]) continue;
                const Form value = *solutions_[k];
                const double factor = c;
                result.unknowns.erase(k);
                add(result, value, factor);
                again = true;
                break;
            }
        }
        return result;
    }

    template <class Describe>
    void unify(const Form& a, const Form& b, const Describe& describe) {
        if (!a.known || !b.known) return;
        Form difference = a;
        add(difference, b, -1.0);
        difference = reduced(difference);
        if (!difference.known) return;
        if (!difference.unknowns.empty()) {
            const auto [k, c] = *difference.unknowns.begin();
            difference.unknowns.erase(k);
            Form value;
            add(value, difference, -1.0 / c);
            solutions_[k] = value;
            return;
        }
        double worst = 0.0;
        for (std::size_t k = 0; k < Unit::k_base; ++k)
            worst = std::max(worst, std::abs(difference.unit.exponents[k]));
        if (difference.scale_known) worst = std::max(worst, std::abs(difference.unit.log_scale()));
        if (worst < 1e-6 || span_ == told_ || ++reported_ > 10) return;
        told_ = span_;
        diagnostics_.report(Code::units_do_not_fit, "units do not fit together")
            .at(span_, fmt::format("{}: {} against {}", describe(), text_of(a), text_of(b)))
            .note("values are used as they are written, never converted; use one system of units "
                  "throughout");
    }

    std::string text_of(const Form& form) {
        const Form final = reduced(form);
        if (!final.known || !final.unknowns.empty()) return "an unknown unit";
        return unit_text(final.unit);
    }

    std::string known_text(const Form& form) {
        const Form final = reduced(form);
        return final.known && final.unknowns.empty() ? unit_text(final.unit) : std::string{};
    }

    static std::string name(const Node* node) {
        const Expr e(node);
        if (e.is_symbol() || node->op == Op::named) return e.name();
        std::string names;
        for (const Expr symbol : expr::free_symbols(e))
            names += (names.empty() ? "" : "·") + symbol.name();
        return names.size() > 40 ? names.substr(0, 37) + "…" : names;
    }

    const Model& model_;
    base::Diagnostics& diagnostics_;
    bool any_unit_ = false;
    bool ran_ = false;
    std::size_t reported_ = 0;
    base::Span span_, told_;
    Form time_, energy_;
    std::vector<Form> coordinates_, velocities_;
    std::vector<std::optional<Form>> solutions_; // of the unknowns
    expr::NodeMap<Form> forms_;
};

} // namespace

void check_units(const Model& model, const Draft& draft, base::Diagnostics& diagnostics) {
    Checker(model, &draft, diagnostics).run();
}

Units found_units(const Model& model) {
    base::Diagnostics told_before;
    Checker checker(model, nullptr, told_before);
    checker.run();
    return checker.units();
}

} // namespace liaison::model
