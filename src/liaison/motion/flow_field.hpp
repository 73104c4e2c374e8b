// SPDX-License-Identifier: Apache-2.0
// The field and the guards of a flow, evaluated by the interpreter or machine code.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/field.hpp"

#include <memory>

namespace liaison::motion {

struct FlowFieldOptions {
    bool jacobian = false; // derive ∂f/∂x as well
};

std::unique_ptr<Field> make_flow_field(const flow::Flow& flow,
                                       const FlowFieldOptions& options = {});

} // namespace liaison::motion
