// SPDX-License-Identifier: Apache-2.0
// Checks that the units of parameters fit together wherever expressions join them.
//
// Time is in seconds. Coordinates have no declared unit: theirs are unknowns x_k, found on the way. The unit of an
// expression is a linear form  u₀ + Σ c_k x_k  in exponents; a sum demands that the forms of its terms are
// equal, which either determines an unknown or, if none is left, is a contradiction. Parameters without
// a unit make whatever contains them unknown: nothing is claimed about it.
#include "liaison/model/unit_check.hpp"

#include "liaison/base/number.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/expr/node_map.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>

namespace liaison::model {

using base::Code;
using expr::Expr;
using expr::Node;
using expr::Op;

namespace {

constexpr double k_small = 1e-9;

// u₀ + Σ c_k x_k; scale_known is false where a power of ten may have converted the value, declared is true where a
// parameter with a unit takes part.
struct Form {
    bool known = true;
    bool scale_known = true;
    bool declared = false;
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
    total.declared = total.declared || other.declared;
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

// A number in front of something. A measured one, 9.81, may carry a unit of its own; so may every number where nothing else
// could: 2*t is a length if the 2 is a speed, and 3*x^2 an energy. Half of m*v^2 is a plain half.
void multiply(Form& form, const expr::Number& coefficient) {
    if (is_conversion(coefficient)) form.scale_known = false;
    const bool silent = std::abs(coefficient.value()) == 1.0;
    if (!coefficient.exact() || (!silent && !form.declared)) form.known = false;
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
            if (parameter.unit.empty()) continue;
            if (refuse_degrees(parameter)) continue;
            if (parse_unit(parameter.unit)) continue;
            diagnostics_
                .report(Code::unknown_unit, fmt::format("`{}` is not a unit", parameter.unit))
                .at(parameter.unit_span ? parameter.unit_span : parameter.name.span)
                .note("write SI units joined by * / ^, for example kg*m^2/s^2, N/m, rad/s, 1");
        }
    }

    // Values are used as they are written, and the functions take radians: a value in degrees would be taken for radians.
    bool refuse_degrees(const ParameterDraft& parameter) {
        const std::string radians = with_radians(parameter.unit);
        if (radians == parameter.unit) return false;
        const auto unit = parse_unit(parameter.unit);
        const auto written = parse_unit(radians);
        if (!unit || !written) return false;
        auto& report = diagnostics_.report(Code::unknown_unit,
                                           fmt::format("`{}` is in degrees", parameter.name.text));
        report.at(parameter.unit_span ? parameter.unit_span : parameter.name.span,
                  "values are used as they are written, and angles are radians");
        const double degree = std::numbers::pi / 180;
        const double power =
            std::round((unit->log_scale() - written->log_scale()) / std::log(degree));
        const double factor = power == 1.0 ? degree : std::pow(degree, power);
        if (!parameter.list && parameter.values.size() == 1 && parameter.value_span) {
            const std::string value = base::shortest(parameter.values[0] * factor);
            report.fix(parameter.value_span, value,
                       fmt::format("write value = {}, unit = \"{}\"", value, radians));
            if (parameter.unit_span)
                report.fix(parameter.unit_span, fmt::format("\"{}\"", radians), "");
        }
        report.note(fmt::format("or leave the unit out, and write {}*deg in expressions",
                                parameter.name.text));
        return true;
    }

    static std::string with_radians(std::string unit) {
        for (const std::string_view degrees : {std::string_view("deg"), std::string_view("°")}) {
            for (std::size_t at = 0; (at = unit.find(degrees, at)) != std::string::npos;) {
                const bool whole =
                    (at == 0 || std::isalpha(static_cast<unsigned char>(unit[at - 1])) == 0) &&
                    (at + degrees.size() == unit.size() ||
                     std::isalpha(static_cast<unsigned char>(unit[at + degrees.size()])) == 0);
                if (whole) unit.replace(at, degrees.size(), "rad");
                at += whole ? 3 : degrees.size();
            }
        }
        return unit;
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
            if (found != units.end() && found->second) {
                form = Form{};
                form.unit = *found->second;
                form.declared = true;
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
            multiply(form, node->numbers[0]);
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
        case Op::max: return join(node, 0, 1);
        case Op::select: return join(node, 1, 2);
        case Op::less:
        case Op::less_equal:
        case Op::atan2: (void)join(node, 0, 1); return {};
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
            multiply(term, node->numbers[i + 1]);
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

    // What the two have in common; a bare number fits beside everything.
    Form join(const Node* node, std::size_t i, std::size_t j) {
        if (Expr(node->args[i]).is_number()) return arg(node, j);
        if (Expr(node->args[j]).is_number()) return arg(node, i);
        unify(arg(node, i), arg(node, j), [&] {
            return fmt::format("`{}` and `{}` are compared", name(node->args[i]),
                               name(node->args[j]));
        });
        return arg(node, arg(node, i).known ? i : j);
    }

    void demand_pure(const Node* node, std::size_t i) {
        const expr::Function* function = expr::find_function(node->op);
        // cos(t), exp(-t): time alone is counted in seconds here, as 2*t would be.
        if (!arg(node, i).declared && arg(node, i).unknowns.empty()) return;
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
            .at(span_, fmt::format("{}: {}", describe(), apart(a, b, difference)))
            .note("values are used as they are written, never converted; use one system of units "
                  "throughout");
    }

    // Two units as they are, or where coordinates leave both of them open by what lies between them.
    std::string apart(const Form& a, const Form& b, const Form& difference) {
        const std::string one = known_text(a);
        const std::string other = known_text(b);
        if (one.empty() || other.empty())
            return fmt::format("they differ by a factor of unit {}", unit_text(difference.unit));
        return fmt::format("{} against {}", one, other);
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
