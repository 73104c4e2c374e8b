// SPDX-License-Identifier: Apache-2.0
// Rows of LIAISON_ROW_LANES numbers and what is done with them; for row_variants.hpp.
//
// Results go into references: a vector returned by value has another calling convention with and without AVX.
#undef LIAISON_ROWS
#define LIAISON_ROWS [[gnu::always_inline]] LIAISON_ROW_TARGET inline

constexpr std::size_t k_lanes = LIAISON_ROW_LANES;
using Row = double __attribute__((vector_size(8 * LIAISON_ROW_LANES)));
using Mask = std::int64_t __attribute__((vector_size(8 * LIAISON_ROW_LANES))); // −1 or 0
using Bytes = signed char __attribute__((vector_size(LIAISON_ROW_LANES)));

LIAISON_ROWS void load_row(const double* from, Row& to) { std::memcpy(&to, from, sizeof to); }
LIAISON_ROWS void store_row(double* to, const Row& from) { std::memcpy(to, &from, sizeof from); }
LIAISON_ROWS void take_larger(Row& a, const Row& b) { a = a < b ? b : a; }
LIAISON_ROWS void take_size(const Row& x, Row& size) {
    constexpr std::int64_t k_magnitude = std::numeric_limits<std::int64_t>::max();
    size = reinterpret_cast<Row>(reinterpret_cast<Mask>(x) & k_magnitude);
}
LIAISON_ROWS void read_mask(const char* bytes, Mask& mask) {
    Bytes narrow;
    std::memcpy(&narrow, bytes, sizeof narrow);
    mask = __builtin_convertvector(narrow, Mask) != 0;
}
LIAISON_ROWS void write_mask(const Mask& mask, signed char* bytes) {
    const Bytes narrow = __builtin_convertvector(mask, Bytes);
    std::memcpy(bytes, &narrow, sizeof narrow);
}
LIAISON_ROWS bool any_lane(const Mask& mask) {
    const Bytes narrow = __builtin_convertvector(mask, Bytes);
    std::uint64_t word = 0;
    std::memcpy(&word, &narrow, sizeof narrow);
    return word != 0;
}

// a·b + c, rounded once.
LIAISON_ROWS void fma_rows(const Row& a, const Row& b, const Row& c, Row& result) {
#if !LIAISON_ROW_FMA
    Row sum;
    for (std::size_t l = 0; l < k_lanes; ++l) sum[l] = __builtin_fma(a[l], b[l], c[l]);
    result = sum;
#elif defined(__clang__)
    result = __builtin_elementwise_fma(a, b, c);
#elif LIAISON_ROW_LANES == 4
    result = __builtin_ia32_vfmaddpd256(a, b, c);
#else
    constexpr int k_current_rounding = 4;
    result = __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, k_current_rounding);
#endif
}
