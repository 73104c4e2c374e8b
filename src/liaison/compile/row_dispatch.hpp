// SPDX-License-Identifier: Apache-2.0
// Which variant of a loop over rows (row_variants.hpp) this processor runs.
#pragma once

#include "liaison/base/assert.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/row.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#if LIAISON_FMA_DISPATCH && !defined(__clang__)
#include <immintrin.h> // declares the instructions of row_arithmetic.inl
#endif

namespace liaison::compile {

// Whether there are registers of eight numbers.
inline bool has_wide_registers() {
#if LIAISON_FMA_DISPATCH
    static const bool yes = has_fma() && __builtin_cpu_supports("avx512f") != 0 &&
                            __builtin_cpu_supports("avx512dq") != 0 &&
                            __builtin_cpu_supports("avx512vl") != 0 &&
                            __builtin_cpu_supports("avx512bw") != 0;
    return yes;
#else
    return false;
#endif
}

// One of three functions of the same type.
template <class Function>
Function row_variant(std::size_t lanes, Function plain, Function avx2, Function avx512) {
    if (lanes == k_most_lanes && has_wide_registers()) return avx512;
    LIAISON_ASSERT(lanes == 4, "rows of four, or of eight where there are such registers");
    return has_fma() ? avx2 : plain;
}

} // namespace liaison::compile
