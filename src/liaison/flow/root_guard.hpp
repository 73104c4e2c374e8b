// SPDX-License-Identifier: Apache-2.0
// Guards that watch where a root √r turns.
#pragma once

#include "liaison/flow/flow.hpp"

#include <algorithm>

namespace liaison::flow {

// A root is never negative and nothing changes where it vanishes: its guard is kept and only reported, as no other is. Only
// the series of a root goes through zero, where r touches zero. A method that evaluates the functions themselves
// has nothing to watch there.
[[nodiscard]] inline bool is_root(const Guard& guard) {
    return guard.report_only && guard.kept_nonnegative;
}
[[nodiscard]] inline bool has_roots(const Flow& flow) {
    return std::ranges::any_of(flow.guards, is_root);
}

// Whether a function in this expression may have a branch point: a fractional power, asin, acos, atan2. Its series turns with the
// root that watches it.
[[nodiscard]] bool may_turn(Expr value);

} // namespace liaison::flow
