// SPDX-License-Identifier: Apache-2.0
// The Taylor plan of a flow: its states, and its guards as outputs.
#pragma once

#include "liaison/compile/taylor_plan.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>

namespace liaison::motion {

[[nodiscard]] compile::TaylorPlan plan_of(const flow::Flow& flow);

// The states beyond these stand still between events: closed books (flow/motion_alone.hpp).
[[nodiscard]] std::size_t n_moving(const flow::Flow& flow);

// make_taylor_stepper (simulate.hpp) with an order that was chosen elsewhere.
[[nodiscard]] std::unique_ptr<Stepper>
make_taylor_stepper_of_order(const flow::Flow& flow, double tolerance, unsigned order);

// A step below this share of the time, or of the time left, is none.
inline constexpr double k_time_resolution = 1e-15;

} // namespace liaison::motion
