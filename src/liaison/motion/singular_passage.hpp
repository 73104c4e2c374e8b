// SPDX-License-Identifier: Apache-2.0
// Steps through singular positions of the constraints.
//
// Where branches of the configurations cross (a parallelogram that is flat, the node of a curve) the rows W of the constraints
// lose rank. The motion stays on its branch, which its velocity selects, and is analytic there: W λ has a limit although λ grows
// like 1/τ. But the accelerations at the distance τ carry the errors δ of the state as δ/τ, so that steps controlled by their
// last terms creep up to the position, where the rank is decided by rounding. So the motion is expanded where it
// is determined, at the distance T before the position, from a state that is brought onto the constraints, and the step leads
// beyond it, where its end is brought onto the constraints again. An error δ adds terms δ (h/T)^k across the branch, which grow with
// the order k for h > T and which that takes away; of all orders the one is taken from which the end changes least.
//
// A motion that starts in a singular position, or goes on there after an event, is expanded at a distance ahead of it, at the
// state from which the series leads back to the given one. Without a velocity no branch is selected: the motion stops.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>

namespace liaison::motion {

// Whether the flow holds constraints by their reactions, which may lose rank on the way.
[[nodiscard]] bool may_meet_singular_positions(const flow::Flow& flow);

// The stepper with such steps; itself where the flow holds no constraints by their reactions.
std::unique_ptr<Stepper> through_singular_positions(const flow::Flow& flow,
                                                    std::unique_ptr<Stepper> stepper,
                                                    double tolerance);

} // namespace liaison::motion
