// SPDX-License-Identifier: Apache-2.0
// The progress line, on standard error.
#include "liaison/app/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace liaison::app {
namespace {

// "12 s", "3 min 05 s", "2 h 10 min"
std::string duration(double seconds) {
    const auto whole = std::llround(seconds);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

} // namespace

Progress::Progress(double from, double until, std::string what)
    : from_(from), until_(until), what_(std::move(what)), start_(std::chrono::steady_clock::now()) {
}

void Progress::show(double time) {
    const double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (elapsed < 1.0 || !(time > from_)) return;
    const double share = (time - from_) / (until_ - from_);
    const double left = elapsed * (1.0 - share) / share;
    constexpr double k_year = 3.2e7; // seconds
    const std::string line =
        fmt::format("  {} {:.6g} of {:.6g}   {:.0f} %   {:.3g} per second   {} left", what_, time,
                    until_, 100.0 * share, (time - from_) / elapsed,
                    left < k_year ? duration(left) : std::string("years"));
    std::fputs(("\r\x1b[K" + line).c_str(), stderr);
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!shown_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

} // namespace liaison::app
