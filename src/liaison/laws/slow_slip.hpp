// SPDX-License-Identifier: Apache-2.0
// Slips in space that are too slow to have a direction of their own: friction holds them on a curve of directions.
//
// Slip r s with s = (cos φ, sin φ) obeys ṙ = s·v̇(φ, t) and r φ' = s^⊥·v̇(φ, t). While r is small φ relaxes at the rate
// μ λ_N D/r, so that integration in v needs steps of r/(μ λ_N D) and follows rounding noise for |v| near the tolerance;
// from rest, where r ~ t² in general, there is no end to it. But the relaxed direction is known: s^⊥·v̇(φ, t) = r φ',
// found from the contact problem now and a moment later.
#pragma once

#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/later_problem.hpp"

namespace liaison::laws {

struct SlowSlip {
    std::size_t contact = 0;
    double speed = 0.0; // r
    double angle = 0.0; // φ; on entry a guess
    double turning = 0.0; // φ'
    double bend = 0.0; // φ'', once it is measured
    double bends = 0.0; // |φ''|, at least; an estimate until it is measured
    double growth = 0.0; // ṙ
    double change = 0.0; // r̈
    double hold = 0.0; // |∂(s^⊥·v̇)/∂φ|: the acceleration by which friction turns the slip
    bool forced = false; // other contacts leave one direction only: friction does not turn it
};

// Fills in all but contact and speed of every slip, and returns ∂(s^⊥·v̇)/∂φ by slip; nothing where the curve is not found.
// `modes` are those of all contacts.
[[nodiscard]] std::optional<Eigen::MatrixXd>
follow_slow_slips(const Eigen::MatrixXd& D, const Eigen::VectorXd& b, const LaterProblem& later,
                  const std::vector<CoulombContact>& contacts, ModeChoices modes,
                  std::vector<SlowSlip>& slips);

// Once they are known: φ'' from the problem that will be some time later, along the motion with these directions.
void measure_bends(const LaterProblem& later, ModeChoices modes, std::vector<SlowSlip>& slips);

} // namespace liaison::laws
