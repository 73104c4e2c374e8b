// SPDX-License-Identifier: Apache-2.0
// Processor time of a piece of work: a bound on it holds on a busy machine too.
#pragma once

#include <ctime>

namespace liaison::support {

// Sanitizers check every access and slow a program down about tenfold; bounds speak of plain builds.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr double k_slowdown = 10.0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr double k_slowdown = 10.0;
#else
inline constexpr double k_slowdown = 1.0;
#endif
#else
inline constexpr double k_slowdown = 1.0;
#endif

template <class Work>
double cpu_seconds(Work work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / k_slowdown;
}

} // namespace liaison::support
