// SPDX-License-Identifier: Apache-2.0
// The key under which code is kept: equal keys mean equal code.
#pragma once

#include "liaison/compile/hash128.hpp"
#include "liaison/compile/layout.hpp"
#include "liaison/compile/program.hpp"
#include "liaison/compile/target.hpp"
#include "liaison/compile/taylor_rounds.hpp"

#include <cstdint>

namespace liaison::compile {

struct CodegenOptions {
    std::uint32_t lanes = 1;
    LayoutOptions layout = {};
};

// Everything the generated code depends on: the program (not the numbers behind its tables and kernels, which
// it reaches through the link table), the target, the options, and the source text of the generator itself.
[[nodiscard]] Digest code_key(const Program& program, const Target& target,
                              const CodegenOptions& options);
// The same of a Taylor expansion by rounds.
[[nodiscard]] Digest code_key(const TaylorPlan& plan, const RoundPlan& rounds,
                              const Target& target);

} // namespace liaison::compile
