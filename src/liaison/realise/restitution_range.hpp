// SPDX-License-Identifier: Apache-2.0
// A restitution that is an expression may leave [0, 1] on the way: where it does, no impact follows.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace liaison::realise {

// To rounding.
[[nodiscard]] inline bool in_range(double restitution) {
    constexpr double k_rounding = 1e-12;
    return restitution >= -k_rounding && restitution <= 1.0 + k_rounding;
}

[[nodiscard]] inline std::string out_of_range(std::string_view contact, double restitution) {
    return fmt::format(
        "the restitution of contact {} is {:.6g}, and it lies between 0 (dead) and 1 "
        "(perfectly elastic)",
        contact, restitution);
}

} // namespace liaison::realise
