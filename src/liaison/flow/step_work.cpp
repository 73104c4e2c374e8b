// SPDX-License-Identifier: Apache-2.0
// The owners that work after every step.
#include "liaison/flow/step_work.hpp"

#include "liaison/flow/flow.hpp"

namespace liaison::flow {

void compile_step_work(const Flow& flow, bool only_cached) {
    for (const auto& transition : flow.transitions) {
        const auto* work = dynamic_cast<const StepWork*>(transition.get());
        if (work != nullptr && !work->compiled()) work->compile(only_cached);
    }
}

} // namespace liaison::flow
