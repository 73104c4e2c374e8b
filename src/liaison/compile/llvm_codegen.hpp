// SPDX-License-Identifier: Apache-2.0
// Machine code of a program through LLVM.
#pragma once

#include "liaison/compile/layout.hpp"
#include "liaison/compile/llvm_builder.hpp"
#include "liaison/compile/machine_code.hpp"
#include "liaison/compile/program.hpp"

namespace liaison::compile {

struct CodegenOptions {
    std::uint32_t lanes = 1;
    Optimise optimise = Optimise::quick;
    LayoutOptions layout = {};
};

// One generator for all widths: a lane does exactly what scalar code does.
CodeImage generate_code(const Program& program, const Target& target, const CodegenOptions& options = {});

} // namespace liaison::compile
