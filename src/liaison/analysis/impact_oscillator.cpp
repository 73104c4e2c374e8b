// SPDX-License-Identifier: Apache-2.0
// Straightening of the stops, and separation of what is small.
#include "liaison/analysis/impact_oscillator.hpp"

#include "liaison/equations/equations.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/algebra.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace liaison::analysis {
namespace {

using expr::Expr;

// Exactly zero, not "zero where it was tried".
bool vanishes(Expr e) {
    if (e.is_zero()) return true;
    try {
        expr::Algebra algebra(e.pool());
        return algebra.fraction(e).numerator().is_zero();
    } catch (const expr::PolynomialTooLarge&) {
        return false;
    } catch (const std::domain_error&) {
        return false;
    }
}

bool smooth(Expr e) {
    using expr::Op;
    const std::array roots{e};
    return std::ranges::none_of(expr::reachable(roots), [](const expr::Node* node) {
        switch (node->op) {
        case Op::abs:
        case Op::sign:
        case Op::min:
        case Op::max:
        case Op::floor:
        case Op::select:
        case Op::table: return true;
        default: return false;
        }
    });
}

struct Complaint {
    std::string refused;
    std::string instead;
    std::optional<base::Span> span = {};
};

std::optional<Complaint> unfit(const model::Model& model) {
    if (model.kind != model::Kind::energies || model.coordinates.size() != 1 || model.quasi)
        return Complaint{"averaging is for oscillators with one coordinate, given by energies",
                         "use follow and orbit, which work on every model",
                         model.kind == model::Kind::energies && model.coordinates.size() > 1
                             ? std::optional(model.coordinates[1].span)
                             : std::nullopt};
    if (model.contacts.empty() || model.contacts.size() > 2)
        return Complaint{"averaging of impacts needs a stop: one contact or two",
                         "write the stop as [contact.NAME] gap = \"…\""};
    if (model.contacts.size() == 2 &&
        std::ranges::any_of(model.contacts, &model::Contact::two_sided))
        return Complaint{
            "an oscillator of one coordinate has at most two stops", {}, model.contacts[1].span};
    if (!model.constraints.empty() || !model.relays.empty() || !model.events.empty())
        return Complaint{"averaging does not know constraints, relays and user events",
                         "dry friction is written as a force with sign(x')",
                         !model.constraints.empty() ? model.constraints[0].span
                         : !model.relays.empty()    ? model.relays[0].span
                                                    : model.events[0].span};
    for (const model::Contact& contact : model.contacts) {
        if (contact.friction)
            return Complaint{fmt::format("contact {} has friction", contact.name),
                             "one coordinate leaves no direction to slip in", contact.span};
    }
    return {};
}

class Split {
  public:
    Split(const model::Model& model, const std::vector<std::size_t>& small, Expr frequency)
        : model_(model), pool_(*model.pool), q_(model.coordinates[0].q),
          q_rate_(model.velocities[0].v), t_(model.t) {
        for (const std::size_t i : small) small_.push_back(model.parameters[i].symbol);
        zeros_.assign(small_.size(), pool_.number(0));
        result_.y = pool_.symbol("distance#");
        result_.v = pool_.symbol("speed#");
        result_.psi = pool_.symbol("phase#");
        result_.frequency = frequency;
        result_.time_rate = 1 / frequency;
    }

    OscillatorSplit operator()() {
        OscillatorSplit answer;
        const Complaint complaint = straighten().value_or(Complaint{});
        if (complaint.refused.empty()) answer.oscillator = result_;
        answer.refused = complaint.refused;
        answer.instead = complaint.instead;
        answer.span = complaint.span;
        return answer;
    }

  private:
    [[nodiscard]] Expr at_zero(Expr e) const {
        return expr::substitute(std::array{e}, small_, zeros_)[0];
    }
    // d/dt along the motion.
    [[nodiscard]] Expr rate(Expr e) const {
        return expr::differentiate_along(std::array{e}, std::array{q_, q_rate_, t_},
                                         std::array{q_rate_, acceleration_, pool_.number(1)})[0];
    }

    std::optional<Complaint> straighten() {
        const auto eq =
            equations::derive(equations::lagrangian_input(model_), equations::Form::plain);
        const auto system = equations::assemble(eq, {}); // one row
        acceleration_ = system.rhs[0] / system.entries[0];

        std::vector<Expr> gaps;
        for (const model::Contact& contact : model_.contacts) {
            for (const auto& side : contact.sides) {
                gaps.push_back(side.gap.expr);
                result_.stops.push_back(
                    {contact.name, side.name,
                     contact.restitution ? contact.restitution.expr : pool_.number(0)});
            }
        }
        const Expr slope = expr::differentiate(gaps[0], q_);
        if (expr::depends_on(slope, q_) || expr::depends_on(slope, t_))
            return Complaint{fmt::format("the gap {} is not linear in {}", expr::print(gaps[0]),
                                         model_.coordinates[0].name),
                             "choose the coordinate so that its stop stands at a value of it",
                             model_.contacts[0].sides[0].gap.span};
        Expr straight = gaps[0];
        if (gaps.size() == 2) {
            const Expr play = gaps[0] + gaps[1];
            if (!vanishes(expr::differentiate(play, q_)))
                return Complaint{"the two stops do not face each other: the sum of their gaps "
                                 "depends on the coordinate",
                                 {},
                                 model_.contacts.back().span};
            const Expr at_rest = expr::substitute(play, q_, pool_.number(0));
            result_.width = at_zero(at_rest);
            if (expr::depends_on(result_.width, t_))
                return Complaint{"the play between the stops changes with time although every "
                                 "small parameter is zero",
                                 "call the amplitude of the moving stop small",
                                 model_.contacts.back().span};
            straight = gaps[0] * result_.width / at_rest;
        }

        // q and q' from y and ẏ: both are linear
        const Expr speed = rate(straight);
        const Expr second = rate(speed);
        const Expr by_rate = expr::differentiate(speed, q_rate_);
        const Expr at_q0 = expr::substitute(straight, q_, pool_.number(0));
        const Expr by_q = expr::differentiate(straight, q_);
        const Expr q = (result_.y - at_q0) / by_q;
        const Expr q_rate =
            (result_.v - expr::substitute(speed, q_rate_, pool_.number(0))) / by_rate;
        const auto in_stop_frame = [&](Expr e) {
            e = expr::substitute(e, q_rate_, q_rate);
            e = expr::substitute(e, q_, q);
            return expr::substitute(e, t_, result_.psi * result_.time_rate);
        };
        result_.q = in_stop_frame(q);
        result_.q_rate = in_stop_frame(q_rate);
        return separate(in_stop_frame(second));
    }

    // Of the first force that, with all small parameters zero, has this property.
    template <class Property>
    [[nodiscard]] std::optional<base::Span> force_with(const Property& property) const {
        for (const model::Force& force : model_.forces) {
            for (const model::Formula& Q : force.Q) {
                if (Q && property(at_zero(Q.expr))) return Q.span;
            }
        }
        return {};
    }

    std::optional<Complaint> separate(Expr acceleration) {
        result_.generating = at_zero(acceleration);
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < small_.size(); ++i)
            terms.push_back(small_[i] * at_zero(expr::differentiate(acceleration, small_[i])));
        result_.small = pool_.sum(terms);
        const Expr a0 = result_.generating;
        if (expr::depends_on(a0, result_.psi) && !vanishes(expr::differentiate(a0, result_.psi)))
            return Complaint{"the motion depends on time although every small parameter is zero",
                             "call the amplitude of the force small too",
                             force_with([&](Expr e) { return expr::depends_on(e, t_); })};
        result_.generating = expr::substitute(a0, result_.psi, pool_.number(0));
        const Expr back = expr::substitute(result_.generating, result_.v, -result_.v);
        if (!vanishes(result_.generating - back))
            return Complaint{"the motion is damped although every small parameter is zero",
                             "call the coefficient of the damping small too",
                             force_with([&](Expr e) { return expr::depends_on(e, q_rate_); })};
        if (!smooth(result_.generating))
            return Complaint{"the forces have kinks although every small parameter is zero",
                             "only small terms may contain abs, sign, min, max, if and tables",
                             force_with([](Expr e) { return !smooth(e); })};
        return {};
    }

    const model::Model& model_;
    expr::Pool& pool_;
    Expr q_, q_rate_, t_;
    Expr acceleration_;
    std::vector<Expr> small_, zeros_;
    ImpactOscillator result_;
};

} // namespace

OscillatorSplit split_oscillator(const model::Model& model, const std::vector<std::size_t>& small,
                                 Expr frequency) {
    if (auto complaint = unfit(model))
        return {{}, complaint->refused, complaint->instead, complaint->span};
    return Split(model, small, frequency)();
}

} // namespace liaison::analysis
