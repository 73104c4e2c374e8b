// SPDX-License-Identifier: Apache-2.0
// What the processor of this machine can do.
#pragma once

#include <string>
#include <vector>

namespace liaison::base {

struct Cpu {
    std::string name;
    std::vector<std::string> features;  // those that matter to generated code
    unsigned threads = 1;
};

[[nodiscard]] Cpu this_cpu();

} // namespace liaison::base
