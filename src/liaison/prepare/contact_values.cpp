// SPDX-License-Identifier: Apache-2.0
// Contacts at the start: signs of gaps, directions, restitution, friction, elasticity.
#include "liaison/prepare/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

using base::Code;
using expr::Expr;
using model::Formula;

namespace {

// Gaps above −k_round · scale · max(1, tolerance/ε) are closed, not violated.
double allowed(const Work& work, Expr gap) {
    return std::max(1e-9, work.start.tolerance) * work.scale_of(gap);
}

void check_gap(Work& work, const model::Contact& contact, const model::Contact::Side& side,
               double gap) {
    const std::string which =
        side.name.empty() ? contact.name : fmt::format("{} ({} side)", contact.name, side.name);
    if (!std::isfinite(gap)) {
        work.diagnostics
            .report(Code::not_finite,
                    fmt::format("the gap of contact {} is not a finite number at the start", which))
            .at(side.gap.span, work.values_in(side.gap.expr));
        return;
    }
    const double tolerance = allowed(work, side.gap.expr);
    const bool elastic = work.model.run.contact == model::ContactRealisation::elastic;
    if (gap < -tolerance && !elastic) {
        work.diagnostics
            .report(Code::negative_gap,
                    fmt::format("the gap of contact {} is {:.6g} at the start", which, gap))
            .at(side.gap.span, work.values_in(side.gap.expr))
            .see(work.model.start.span, "the start is given here")
            .note("a contact keeps its gap >= 0: move the start, or list the contact in closed to "
                  "have it solved for");
        return;
    }
    if (gap > tolerance) return;
    // Closed: the reaction needs a direction.
    const auto gradient = work.slopes(side.gap.expr);
    if (!std::ranges::all_of(gradient, [](double x) { return std::isfinite(x); })) {
        work.diagnostics
            .report(Code::not_differentiable,
                    fmt::format("the gap of contact {} has no gradient at the start", which))
            .at(side.gap.span, work.values_in(side.gap.expr))
            .note("start elsewhere, or write the gap so that it is smooth there");
    } else if (std::ranges::all_of(gradient, [](double x) { return std::abs(x) < 1e-12; })) {
        work.diagnostics
            .report(Code::zero_gradient,
                    fmt::format("the gap of contact {} is zero and has no direction at the start",
                                which))
            .at(side.gap.span, "its gradient vanishes here")
            .note("write the gap so that it grows linearly with the distance, for example y "
                  "instead of y^2");
    }
}

// A value that must lie in a range; `code` otherwise.
bool in_range(Work& work, const Formula& formula, double value, bool fine, Code code,
              std::string message, std::string note) {
    if (std::isfinite(value) && fine) return true;
    if (!std::isfinite(value)) {
        work.diagnostics.report(Code::not_finite, message + " is not a finite number at the start")
            .at(formula.span, work.values_in(formula.expr));
        return false;
    }
    work.diagnostics.report(code, fmt::format("{} is {:.6g}", message, value))
        .at(formula.span, work.values_in(formula.expr))
        .note(std::move(note));
    return false;
}

void check_friction(Work& work, const model::Friction& friction, const std::vector<Formula>& slips,
                    const std::string& owner) {
    if (!friction) return;
    // A law of the slip is looked at where it starts.
    double slip = 0.0;
    for (const Formula& one : slips) slip = std::hypot(slip, work.at(one.expr));
    if (slips.size() == 1) slip = work.at(slips[0].expr);
    const double sliding =
        work.evaluator.at(work.start.point, friction.sliding.expr, friction.slip_symbol, slip);
    const double sticking =
        work.evaluator.at(work.start.point, friction.sticking.expr, friction.slip_symbol, 0.0);
    const bool fine =
        in_range(work, friction.sliding, sliding, sliding >= 0.0, Code::negative_friction,
                 fmt::format("the friction of {}", owner),
                 "a coefficient of friction is not negative; the force follows the slip by itself");
    if (fine && sticking < sliding && !friction.depends_on_slip) {
        work.diagnostics
            .report(Code::static_below_dynamic,
                    fmt::format("{}: static friction {:.6g} is below dynamic friction {:.6g}",
                                owner, sticking, sliding))
            .at(friction.sticking.span, "usually the larger one");
    }
}

void check_elasticity(Work& work, const model::Contact& contact) {
    // [run] contact = "elastic" was checked when the model was read; this is --realise.
    // A rough one, the side of a rough guide among them, is no spring at all (E0910).
    if (work.model.run.contact == model::ContactRealisation::elastic && !contact.friction &&
        !contact.elastic.stiffness && !contact.elastic.potential) {
        work.diagnostics
            .report(Code::elastic_without_stiffness,
                    fmt::format("contact {} has no stiffness", contact.name))
            .at(contact.span, "the elastic realisation is asked for")
            .note("give stiffness = \"N\" (or a potential), or choose contact = \"events\"");
        return;
    }
    const auto check = [&](const Formula& formula, std::string_view what, bool positive) {
        // A law that was refused when the model was read has no gap of its own.
        if (!formula || !contact.elastic.gap_symbol) return;
        // What depends on the gap is looked at in a penetration of one.
        const double value =
            work.evaluator.at(work.start.point, formula.expr, contact.elastic.gap_symbol, -1.0);
        in_range(work, formula, value, positive ? value > 0.0 : value >= 0.0,
                 Code::negative_elasticity, fmt::format("the {} of contact {}", what, contact.name),
                 positive ? "it must be positive" : "it must not be negative");
    };
    check(contact.elastic.stiffness, "stiffness", true);
    check(contact.elastic.damping, "damping", false);
    check(contact.elastic.damping_ratio, "damping ratio", false);
    check(contact.elastic.profile, "profile", true);
    check(contact.elastic.preload, "preload", false);
}

} // namespace

void check_contacts(Work& work) {
    for (const model::Contact& contact : work.model.contacts) {
        std::vector<double> gaps;
        for (const auto& side : contact.sides) gaps.push_back(work.at(side.gap.expr));
        if (contact.two_sided()) {
            const double lower = work.at(contact.lower.expr);
            const double upper = work.at(contact.upper.expr);
            if (!(lower < upper)) {
                work.diagnostics
                    .report(Code::bounds_contradict,
                            fmt::format("the bounds of contact {} leave no room at the start",
                                        contact.name))
                    .at(contact.lower.span, fmt::format("lower bound {:.6g}", lower))
                    .see(contact.upper.span, fmt::format("upper bound {:.6g}", upper))
                    .note("between = [\"lower\", \"f\", \"upper\"] needs lower < upper");
                work.start.gaps.push_back(std::move(gaps));
                work.start.restitution.push_back(0.0);
                continue;
            }
        }
        for (std::size_t s = 0; s < gaps.size(); ++s)
            check_gap(work, contact, contact.sides[s], gaps[s]);
        work.start.gaps.push_back(std::move(gaps));
        double e = 0.0;
        if (contact.restitution) {
            e = work.at(contact.restitution.expr);
            in_range(work, contact.restitution, e, 0.0 <= e && e <= 1.0, Code::restitution_range,
                     fmt::format("the restitution of contact {}", contact.name),
                     "it lies between 0 (dead) and 1 (perfectly elastic)");
        }
        work.start.restitution.push_back(e);
        check_friction(work, contact.friction, contact.slip, "contact " + contact.name);
        check_elasticity(work, contact);
    }
    for (const model::Constraint& constraint : work.model.constraints) {
        check_friction(work, constraint.friction, constraint.slip, "constraint " + constraint.name);
    }
}

} // namespace liaison::prepare
