// SPDX-License-Identifier: Apache-2.0
// A flag that is raised elsewhere, by a signal handler or another thread: computations end soon with what they have.
#pragma once

#include <atomic>

namespace liaison::base {

// Null: nothing interrupts.
using Interrupt = const std::atomic<bool>*;

[[nodiscard]] inline bool raised(Interrupt flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
}

} // namespace liaison::base
