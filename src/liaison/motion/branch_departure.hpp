// SPDX-License-Identifier: Apache-2.0
// The step from a branch point, where a root √r has a value but no series.
//
// With r = c τ²(1 + …) the motion is analytic on either side of τ = 0, and each side has a field of its own. The step beyond
// is made from values of the functions at τ > 0 only: x'(τ) is interpolated at the Chebyshev points of the first kind,
//   x(τ) = x₀ + ∫ P(x'),   P(x')(θ_i h) = f(θ_i h, x(θ_i h)),   θ_i = (1 − cos((2i − 1)π/(2s)))/2,   i = 1 … s,
// which are all inside the step: nothing is evaluated at 0/0, and a state that rounding has left on the wrong side of
// the point does no harm. The equations are solved by iteration, which contracts like h; the last coefficients of
// P tell its error, as in guard_fit.hpp. Near τ = 0 a root of terms that cancel is known to ε/τ only (√(1 − cos²a));
// values feel that little, whereas a series about τ grows with ε/τ^k.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>

namespace liaison::motion {

class BranchDeparture : public Stepper {
  public:
    // The length to be tried first; 0: all that is left.
    virtual void begin_with(double h) = 0;
    // How far the polynomials of another stepper are from the field and the guards after the time tau, in units of the
    // tolerance.
    [[nodiscard]] virtual double mismatch(const Stepper& other, const flow::Instant& now,
                                          double tau) = 0;
};

// A stepper for such steps; none where no guard of the flow is a root.
std::unique_ptr<BranchDeparture> branch_departure(const flow::Flow& flow, double tolerance);

} // namespace liaison::motion
