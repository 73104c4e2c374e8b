// SPDX-License-Identifier: Apache-2.0
// The automatic choice of the decay rate of violations, and of the step where a bound is wanted.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"

#include <optional>
#include <vector>

namespace liaison::motion {

struct RateChoice {
    double rate = 0.0; // p or β
    double step = 0.0; // of fixed-step methods
    // sup|δ|/(1 − α) over the trial motions with this rate, doubled: what |f| may reach.
    std::optional<double> estimate;
};

// For methods with fixed step, theory of program constraints §6: ε(p) = sup|δ|/(1 − |R(−τp)|) is smallest on a
// logarithmic grid of p ∈ (0, |z*|/τ], δ from short trial motions with the shadow monitor. They begin at the start and at
// places along the motion, since δ grows with the speed: a motion from rest shows nothing of it in its first steps. With
// `wanted`, the step is shortened until the estimate meets it; nothing where that would take steps shorter than
// `smallest`. For adaptive methods the rate is one over the first step: violations die out within steps, and the step
// hardly notices.
[[nodiscard]] std::optional<RateChoice> choose_rate(const flow::Flow& flow,
                                                    const MethodOptions& method, double until,
                                                    std::optional<double> wanted = std::nullopt,
                                                    double smallest = 1e-9);
// The same with the places given (stations.hpp).
[[nodiscard]] std::optional<RateChoice> choose_rate(const flow::Flow& flow,
                                                    const MethodOptions& method, double until,
                                                    const std::vector<Sample>& places,
                                                    std::optional<double> wanted = std::nullopt,
                                                    double smallest = 1e-9);

// The flow with the rate put in; unchanged where no rate is to be chosen.
[[nodiscard]] flow::Flow with_rate(flow::Flow flow, double rate);

} // namespace liaison::motion
