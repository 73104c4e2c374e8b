// SPDX-License-Identifier: Apache-2.0
// Machine code of a program through LLVM.
#pragma once

#include "liaison/compile/code_image.hpp"
#include "liaison/compile/code_key.hpp"
#include "liaison/compile/program.hpp"
#include "liaison/compile/target.hpp"

#include <string>

namespace liaison::compile {

// One generator for all widths: a lane does exactly what scalar code does.
// Throws std::runtime_error where LLVM is missing.
CodeImage generate_code(const Program& program, const Target& target,
                        const CodegenOptions& options = {});

// Why LLVM cannot be used here, or an empty text; opens the library.
[[nodiscard]] std::string llvm_missing();
// "19.1.7"
[[nodiscard]] std::string llvm_version();

} // namespace liaison::compile
