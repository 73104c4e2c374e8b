// SPDX-License-Identifier: Apache-2.0
// Constants of the step choice, common to one motion and to motions side by side.
#pragma once

namespace liaison::compile {

// Share of the tolerance given to the last terms: the first term left out is then about a hundredth of it,
// and its drift over 10⁶ steps at the tolerance 1e-15 stays below 1e-12 (Jorba & Zou's factor e⁻²·e^(−0.7)).
inline constexpr double k_share = 0.067;
// The share for guards: functions of the state with singularities of their own.
inline constexpr double k_guard_share = 1.0 / 15.0;
// The share for rounding in the terms of long steps.
inline constexpr double k_rounding_share = 0.1;
// Of the rough exponential: spreads its error to both sides, ±3 %.
inline constexpr double k_rough_centre = 0.0430;

} // namespace liaison::compile
