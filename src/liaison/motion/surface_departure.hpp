// SPDX-License-Identifier: Apache-2.0
// The first step from a surface on which a fractional power begins: k max(−y, 0)^1.5 at y = 0.
//
// The field is as smooth there as the exponent says, so that a series has no coefficients beyond it. A Runge–Kutta pair needs
// values only: its error estimate makes the first step as short as the exponent demands, and from its end on the
// series have a radius of convergence, the distance to the surface, with which their steps grow in proportion. Towards
// such a surface the series need no help: what is left of the power falls under the tolerance.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>

namespace liaison::motion {

// A stepper for such steps; none where no rate of the flow needs one.
std::unique_ptr<Stepper> surface_departure(const flow::Flow& flow, double tolerance);

} // namespace liaison::motion
