// SPDX-License-Identifier: Apache-2.0
// How small lengths and speeds of a model are where its units make all of them small.
#pragma once

#include "liaison/flow/flow.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::realise {

// Rest and touch are judged by a small share of the largest coordinate and velocity, or of these where those pass zero.
// One, unless the start shows that the model is written in units in which everything is far smaller (metres where
// micrometres move).
struct ContactSizes {
    double length = 1.0;
    double speed = 1.0;
    double acceleration = 1.0;
    double force = 1.0; // reactions
    double time = 1.0; // in which velocities and places change by their size
    // At the start, as they are; 0 where everything is at rest in the origin.
    double start_length = 0.0;
    double start_speed = 0.0;
};

// A gap that the coordinates, or the time until it vanishes, cannot tell from zero: bodies that strike each other in turn, ever
// faster, end at one instant.
[[nodiscard]] inline bool touches(double gap, double rate, double rounding, double now,
                                  const ContactSizes& sizes) {
    constexpr double k_rounding = 4.0 * std::numeric_limits<double>::epsilon();
    const double instant = k_rounding * std::max(std::abs(now), sizes.time);
    return std::abs(gap) <= std::max(rounding, instant * std::abs(rate));
}

// From gaps, their rates and slips, and their accelerations b at the start of the flow. Lengths, speeds and accelerations
// make each other by v² = b s, and by the frequency of the force, v = ω s, b = ω² s. `response`: of the gaps to unit
// forces.
[[nodiscard]] ContactSizes contact_sizes(const flow::Flow& flow, const Eigen::VectorXd& gap,
                                         const Eigen::VectorXd& speeds, const Eigen::VectorXd& b,
                                         const Eigen::VectorXd& response);

} // namespace liaison::realise
