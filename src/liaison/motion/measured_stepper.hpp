// SPDX-License-Identifier: Apache-2.0
// Taylor steps whose errors do not depend on the units of the model.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>

namespace liaison::motion {

// As make_taylor_stepper (simulate.hpp), which allows a state the error tol (1 + |x|) in each step: here the one is the
// largest |x| met so far where that is smaller. Lengths of 1e-6, velocities of 1e-9 and derivatives by a large
// parameter are then as accurate as numbers near one. The sizes are kept from motion to motion.
[[nodiscard]] std::unique_ptr<Stepper> make_measured_stepper(const flow::Flow& flow,
                                                             double tolerance);

} // namespace liaison::motion
