// SPDX-License-Identifier: Apache-2.0
// Machine code placed in memory to be run.
#pragma once

#include "liaison/compile/code_image.hpp"

#include <cstddef>
#include <vector>

// Generated functions carry no type information for clang's check of indirect calls to find.
#if defined(__clang__)
#define LIAISON_CALLS_GENERATED_CODE __attribute__((no_sanitize("function")))
#else
#define LIAISON_CALLS_GENERATED_CODE
#endif

namespace liaison::compile {

// An image in executable memory (written first, executable afterwards, never both).
class MachineCode {
  public:
    explicit MachineCode(CodeImage image);
    ~MachineCode();
    MachineCode(const MachineCode&) = delete;
    MachineCode& operator=(const MachineCode&) = delete;

    [[nodiscard]] const CodeImage& image() const { return image_; }

    LIAISON_CALLS_GENERATED_CODE void run(const double* inputs, double* outputs, double* workspace,
                                          const void* const* links, Stage from) const noexcept {
        for (std::size_t k = image_.first[static_cast<std::size_t>(from)]; k < functions_.size();
             ++k) {
            functions_[k](inputs, outputs, workspace, links);
        }
    }

    LIAISON_CALLS_GENERATED_CODE void run_function(std::size_t k, const double* inputs,
                                                   double* outputs, double* workspace,
                                                   const void* const* links) const noexcept {
        functions_[k](inputs, outputs, workspace, links);
    }

  private:
    using Function = void (*)(const double*, double*, double*, const void* const*) noexcept;
    CodeImage image_;
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    std::vector<Function> functions_;
};

} // namespace liaison::compile
