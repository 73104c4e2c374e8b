// SPDX-License-Identifier: Apache-2.0
// Unilateral contacts by Routh's function in unfolded coordinates (Zhuravlev 1978): no velocity ever jumps.
//
// The gap is straightened, s = f(t, q), and unfolded: s = |x| = σx on the sheet σ = ±1, or s = Π(x) between two
// stops. The momenta of all other coordinates pass through impacts unchanged. With κ = ∂L/∂ṡ,
//
//   p = ∂L/∂q̇ − κ∇f,  a·p = 0    (a: unit vector of the coordinate that s replaces, the chart),
//   M q̇ − κ∇f = p − g,  ∇f·q̇ + f_t = ṡ,
//   ṗ = G − ∇f (a·G)/(a·∇f),  G = ∂L/∂q + Q − κ d(∇f)/dt,
//   ẋ = R w,  ẇ = (σ s̈ − R_x R w²)/R,  ṡ = σRw,
//
// R = 1 for elastic contacts; otherwise the factor of Ivanov and Zhuravlev, which carries restitution without a
// jump of w. All of it depends on q alone where it depends on position; q itself follows q̇ and is kept on f = s.
// Chart, sheet and R are data of the mode: one field serves all of them.
#pragma once

#include "liaison/equations/equations.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <string>
#include <vector>

namespace liaison::realise {

using expr::Expr;

// A contact with its gap unfolded. Mode symbols: `sheet` σ; `centre` of the sheet (πj between two stops, else 0);
// `factor` R of a one-sided contact; `loss` k and `heading` sgn w of R = 1 + k sgn w sin(x − centre) between two
// stops; `closed` 1 in contact; `wall` +1 at s below, −1 at s above; `lossy` 1 where e < 1.
struct UnfoldedContact {
    std::string name;
    std::size_t contact = 0;
    bool two_sided = false;
    Expr f; // the straightened gap
    Expr scale; // ∂f/∂gap: 1, or π/(upper − lower)
    Expr room; // upper − lower between two stops, else empty
    Expr restitution;
    Expr x, w;
    Expr sheet, centre, factor, loss, heading, closed, wall, lossy;
    Expr stretch; // R
    Expr rate; // ṡ, zero in contact
    Expr acceleration; // s̈ without reaction
    Expr acceleration_by_rate; // ∂s̈/∂ṡ at constant momenta
    Expr mass; // μ
    Expr momentum; // κ
    Expr reaction; // along the gap of the wall in contact
    std::vector<Expr> gradient; // ∇f
    std::vector<Expr> chart; // a, mode symbols
};

struct Unfolded {
    std::vector<UnfoldedContact> contacts;
    std::vector<Expr> p; // states
    std::vector<Expr> q;
    std::vector<Expr> p_rates;
    std::vector<Expr> velocities; // of the user, from (q, p, w)
    std::vector<Expr> accelerations; // with the reactions of closed contacts
    std::vector<Expr> coupling; // D_ij of contact pairs i > j, row by row
    Expr energy; // Jacobi's, of the user's velocities
    Expr power; // of forces, of ∂L/∂t and of walls that move while in contact

    // Values at the start: chart, unfolded coordinates, momenta.
    std::vector<double> start_p;
    std::vector<double> start_x, start_w;
    std::vector<std::size_t> start_chart; // coordinate that each gap replaces
    std::vector<double> start_factor, start_loss, start_heading;

    // The theory forbids it: why, what to do instead, and where it stands.
    std::string refused;
    std::string instead;
    base::Span refused_span;
};

// k of Ivanov's factor R = 1 ∓ k for this restitution; a dead impact ends on the wall and needs none.
inline double loss_of(double restitution) {
    return restitution > 0.0 ? (1.0 - restitution) / (1.0 + restitution) : 0.0;
}

Unfolded unfold(const model::Model& model, const prepare::Point& start);

struct RouthOptions {
    // Off: motion on x = 0 goes on where the reaction is negative. It solves the equations there too, but is no
    // motion of the system; for demonstrations only.
    bool lift_off = true;
    // Off: a step goes through a wall and changes the sheet at its end. No impact is told, and a method of any order
    // has order one; for studies of what the location is worth.
    bool locate = true;
};

// Adds guards and the transition; states, rates and mode slots must be complete.
void install(const Unfolded& unfolded, const RouthOptions& options, flow::Flow& flow);

// The same transition, with the states of its events told as positions and velocities.
std::shared_ptr<const flow::Transition>
told_in_velocities(std::shared_ptr<const flow::Transition> inner, const Unfolded& unfolded,
                   const flow::Flow& flow);

} // namespace liaison::realise
