// SPDX-License-Identifier: Apache-2.0
// Machine code as data (an image that can be kept on disk) and as something to run.
#pragma once

#include "liaison/compile/link_table.hpp"
#include "liaison/compile/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace liaison::compile {

// Position-independent code without a single symbol: functions over
//   (const double* inputs, double* outputs, double* workspace, const void* const* link_table)
// in the order in which they run. Element i of lane l is at [i·lanes + l] in all three arrays.
struct CodeImage {
    std::uint32_t lanes = 1;
    std::vector<std::byte> bytes;                // code and its constants
    std::vector<std::uint32_t> functions;        // offsets
    std::array<std::uint32_t, k_stage_count> first{};  // the function to begin with, by stage
    std::vector<std::uint32_t> guards;           // workspace rows that hold the largest angle seen
    std::uint64_t workspace_size = 0;            // doubles, for all lanes
};

// What the code is made for. An empty cpu means this machine.
struct Target {
    std::string cpu;       // "znver4", "x86-64-v3", …
    std::string features;  // LLVM's list, "" for a named level
    std::uint32_t widest = 1;  // doubles per vector register
    bool fma = false;
    bool round = false;    // rounding to integers in one instruction (SSE 4.1)
};

// An image in executable memory (written first, executable afterwards, never both).
class MachineCode {
public:
    explicit MachineCode(CodeImage image);
    ~MachineCode();
    MachineCode(const MachineCode&) = delete;
    MachineCode& operator=(const MachineCode&) = delete;

    [[nodiscard]] const CodeImage& image() const { return image_; }

    void run(const double* inputs, double* outputs, double* workspace, const void* const* links,
             Stage from) const noexcept {
        for (std::size_t k = image_.first[static_cast<std::size_t>(from)]; k < functions_.size(); ++k) {
            functions_[k](inputs, outputs, workspace, links);
        }
    }

private:
    using Function = void (*)(const double*, double*, double*, const void* const*) noexcept;
    CodeImage image_;
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    std::vector<Function> functions_;
};

} // namespace liaison::compile
