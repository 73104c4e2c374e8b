// SPDX-License-Identifier: Apache-2.0
// The usual case, proved quickly: a guard that stays clear of zero over the whole step.
#pragma once

#include <span>

namespace liaison::solve {

// Whether |Σ c_k t^k| > band on 0 ≤ t ≤ h, certified: first by the terms c_k h^k alone (those that pull towards zero
// are too small), then by the signs of all Bernstein coefficients. False (also for numbers that are not finite or
// out of range) means that nothing was proved.
[[nodiscard]] bool clear_of_zero(std::span<const double> coefficients, double h, double band);

} // namespace liaison::solve
