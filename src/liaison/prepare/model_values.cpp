// SPDX-License-Identifier: Apache-2.0
// Values of the model at the start: finite energies and forces, distinct relay values, possible bodies.
#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/work.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

using base::Code;
using expr::Expr;
using model::Formula;

namespace {

// Expressions with symbols that have no value yet (relays, unknowns) are not judged.
bool known(const Work& work, Expr e) {
    return std::ranges::all_of(expr::free_symbols(e),
                               [&](Expr s) { return work.evaluator.knows(s); });
}

bool finite(Work& work, const Formula& formula, std::string_view what, double& value) {
    value = 0.0;
    if (!formula || !known(work, formula.expr)) return true;
    value = work.at(formula.expr);
    if (std::isfinite(value)) return true;
    work.diagnostics
        .report(Code::not_finite, fmt::format("{} is not a finite number at the start", what))
        .at(formula.span, work.values_in(formula.expr))
        .note("a division by zero, a root or logarithm outside its domain, or an overflow");
    return false;
}

void check_energies(Work& work) {
    const model::Energy& energy = work.model.energy;
    double lagrangian = 0.0;
    finite(work, energy.T, "the kinetic energy", work.start.kinetic_energy);
    finite(work, energy.L, "the Lagrangian", lagrangian);
    if (!finite(work, energy.V, "the potential energy", work.start.potential_energy) || !energy.V)
        return;
    const auto slopes = work.slopes(energy.V.expr);
    if (std::ranges::all_of(slopes, [](double x) { return std::isfinite(x); })) return;
    work.diagnostics
        .report(Code::not_finite, "the force of the potential is not finite at the start")
        .at(energy.V.span, work.values_in(energy.V.expr))
        .note("V has a value here but no slope; start elsewhere");
}

// A static level inside the two values would let go before the relay can push: no rule covers it.
void check_holding(Work& work, const model::Relay& relay, double above, double below) {
    double holding = 0.0;
    if (!relay.holding || !finite(work, relay.holding,
                                  fmt::format("the static value of relay {}", relay.name), holding))
        return;
    const double middle = 0.5 * (above + below);
    if (std::abs(holding - middle) >= std::abs(above - middle)) return;
    work.diagnostics
        .report(Code::static_below_dynamic,
                fmt::format("relay {}: the static level {:.6g} is below the level in motion {:.6g}",
                            relay.name, holding, above))
        .at(relay.holding.span, "usually the larger one")
        .note(
            "on the surface the relay could hold less than it pushes beside it: where more is needed, "
            "no motion goes on");
}

void check_relays(Work& work) {
    for (const model::Relay& relay : work.model.relays) {
        double above = 0.0;
        double below = 0.0;
        double surface = 0.0;
        finite(work, relay.surface, fmt::format("the surface of relay {}", relay.name), surface);
        const bool fine = finite(work, relay.above,
                                 fmt::format("the value above of relay {}", relay.name), above) &&
                          finite(work, relay.below,
                                 fmt::format("the value below of relay {}", relay.name), below);
        if (fine && above != below) check_holding(work, relay, above, below);
        if (!fine || above != below) continue;
        work.diagnostics
            .report(
                Code::relay_values_equal,
                fmt::format("relay {} has equal values {:.6g} above and below", relay.name, above))
            .at(relay.above.span ? relay.above.span : relay.span, work.values_in(relay.above.expr))
            .note("nothing switches; check the parameters");
    }
}

void check_bodies(Work& work) {
    for (const model::Body& body : work.model.bodies) {
        double mass = 1.0;
        if (body.mass &&
            finite(work, body.mass, fmt::format("the mass of body {}", body.name), mass) &&
            !(mass > 0.0)) {
            work.diagnostics
                .report(Code::bad_inertia,
                        fmt::format("the mass of body {} is {:.6g}", body.name, mass))
                .at(body.mass.span)
                .note("a free body has a positive mass");
        }
        Eigen::Matrix3d J;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                    work.at(body.inertia[i][j].expr);
            }
        }
        if (!J.allFinite()) {
            work.diagnostics
                .report(Code::not_finite,
                        fmt::format("the inertia of body {} is not finite", body.name))
                .at(body.inertia[0][0].span);
            continue;
        }
        const Eigen::Vector3d moments = solve::symmetric_eigenvalues(J);
        const bool positive = moments[0] > 0.0;
        const bool triangle = moments[0] + moments[1] >= moments[2] * (1.0 - 1e-9);
        if (positive && triangle) continue;
        work.diagnostics
            .report(Code::bad_inertia,
                    fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g}",
                                moments[0], moments[1], moments[2]))
            .at(body.inertia[0][0].span ? body.inertia[0][0].span : body.span,
                fmt::format("inertia of body {}", body.name))
            .note(positive ? "each principal moment is at most the sum of the other two"
                           : "principal moments are positive");
    }
}

} // namespace

void check_values(Work& work) {
    const model::Model& model = work.model;
    double value = 0.0;
    check_energies(work);
    for (const model::Force& force : model.forces) {
        for (const Formula& component : force.Q)
            finite(work, component, fmt::format("force {}", force.name), value);
    }
    if (model.kind == model::Kind::first_order) {
        for (const auto& coordinate : model.coordinates) {
            finite(work, coordinate.rate, fmt::format("the right-hand side of {}", coordinate.name),
                   value);
        }
    }
    if (model.run.step && finite(work, model.run.step, "`step`", value) && !(value > 0.0)) {
        work.diagnostics.report(Code::value_out_of_range, fmt::format("`step` is {:.6g}", value))
            .at(model.run.step.span)
            .note("a step is a positive time");
    }
    const Formula& rate = model.run.hold_rate;
    if (rate && finite(work, rate, "`hold_rate`", value) && !(value > 0.0)) {
        work.diagnostics
            .report(Code::value_out_of_range, fmt::format("`hold_rate` is {:.6g}", value))
            .at(rate.span)
            .note(
                "drifts of the held integrals decay with this rate, which is positive; without it "
                "they are removed after each step");
    }
    check_relays(work);
    check_bodies(work);
}

} // namespace liaison::prepare
