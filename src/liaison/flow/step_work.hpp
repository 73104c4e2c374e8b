// SPDX-License-Identifier: Apache-2.0
// An owner that computes something after every step: its numbers become machine code together with the steps.
#pragma once

namespace liaison::flow {

struct Flow;

// Such an owner decides by counting when machine code pays. A stepper that has it, because many steps are expected or the
// code was made before, need not wait for that.
class StepWork {
  public:
    virtual ~StepWork() = default;

    // Machine code from now on, or only such as was made before. The numbers are the same to the last bit.
    virtual void compile(bool only_cached) const = 0;
    [[nodiscard]] virtual bool compiled() const = 0;
};

// All of them in a flow.
void compile_step_work(const Flow& flow, bool only_cached);

} // namespace liaison::flow
