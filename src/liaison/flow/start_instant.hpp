// SPDX-License-Identifier: Apache-2.0
// The instant in which a flow starts.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/flow/transition.hpp"

namespace liaison::flow {

[[nodiscard]] inline Instant start_instant(const Flow& flow) {
    Instant now;
    now.field_time = flow.start_time;
    now.time = solve::DoubleLength(flow.start_time);
    now.state = flow.start_state;
    now.mode.reserve(flow.modes.size());
    for (const ModeSlot& slot : flow.modes) now.mode.push_back(slot.initial);
    now.parameters = flow.parameter_values;
    return now;
}

} // namespace liaison::flow
