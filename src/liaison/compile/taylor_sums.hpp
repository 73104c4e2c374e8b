// SPDX-License-Identifier: Apache-2.0
// Cauchy products of every order written out, picked from a table: no loop, no branch to guess.
#pragma once

#include <array>
#include <cstddef>

namespace liaison::compile {

inline constexpr unsigned k_largest_order = 40;

// The sums of round k: a whole product, a product without a_0 b_k, a square, a square without its ends. The
// same operations in the same order as the loops of taylor_series.hpp.
struct RoundSums {
    using Product = double (*)(const double* a, const double* b);
    using Square = double (*)(const double* a);
    Product full = nullptr;
    Product tail = nullptr;
    Square square = nullptr;
    Square inner = nullptr;
};
using SumTable = std::array<RoundSums, k_largest_order + 1>;

// The table for this processor.
const SumTable& round_sums();

// Four products side by side: element k of series l at [4k + l], results to sum[0 … 3].
inline constexpr std::size_t k_pack = 4;
struct PackedSums {
    using Product = void (*)(const double* a, const double* b, double* sum);
    Product full = nullptr;
    Product tail = nullptr;
};
using PackedTable = std::array<PackedSums, k_largest_order + 1>;

// Null where the processor has no vectors of four with fused multiply-add: then packing does not pay.
const PackedTable* packed_sums();

} // namespace liaison::compile
