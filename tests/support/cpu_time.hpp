// SPDX-License-Identifier: Apache-2.0
// Processor time of a piece of work: a bound on it holds on a busy machine too.
#pragma once

#include "support/sanitized.hpp"

#include <ctime>

namespace liaison::support {

// Bounds speak of plain builds.
inline constexpr double k_slowdown = test::k_sanitized ? 10.0 : 1.0;

template <class Work>
double cpu_seconds(Work work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / k_slowdown;
}

} // namespace liaison::support
