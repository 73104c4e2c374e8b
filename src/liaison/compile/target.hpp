// SPDX-License-Identifier: Apache-2.0
// The processor level code is made for; known without LLVM, so that cached code needs none.
#pragma once

#include <cstdint>
#include <string>

namespace liaison::compile {

// Levels of the x86-64 psABI rather than exact models: the same level gives the same code on every machine.
struct Target {
    std::string cpu; // "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"
    std::uint32_t widest = 1; // doubles per vector register
    bool fma = false;
    bool round = false; // rounding to integers in one instruction
};

// The named level, or for "" the highest this machine has. Throws std::invalid_argument for unknown names, and
// for levels that this machine cannot execute.
[[nodiscard]] Target target_of(const std::string& cpu);
// A level whether or not this machine can execute it.
[[nodiscard]] Target target_level(const std::string& cpu);

} // namespace liaison::compile
