// SPDX-License-Identifier: Apache-2.0
// An event of the user may put bodies elsewhere: into an obstacle, or away from one that they rested on.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace liaison::realise {

// Far beyond what corrections of the state do to a gap.
inline constexpr double k_displaced = 1e3; // times the tolerance of gaps

[[nodiscard]] inline std::string put_inside(std::string_view contact, double gap) {
    return fmt::format(
        "an event puts contact {} at the gap {:.6g}, and a contact keeps its gap >= 0: let "
        "it set a position outside",
        contact, gap);
}

} // namespace liaison::realise
