// SPDX-License-Identifier: Apache-2.0
// Compiles one file of loops over rows for each kind of vector register; no include guard.
//
//     #define LIAISON_ROW_LOOPS "liaison/…/some_rows.inl"
//     #include "liaison/compile/row_variants.hpp" // after row_dispatch.hpp, inside a namespace
//
// gives its functions in the namespaces `plain`, `avx2` and `avx512`, where Row and Mask are vectors of k_lanes numbers and
// LIAISON_ROWS marks what is inlined. The functions have the target as an attribute of their own: a loop that is written for
// plain registers and inlined into wide ones loses its comparisons to scalar code (GCC 12). All variants give the
// same bits in a lane: every rounding is written out.

#define LIAISON_ROW_LANES 4
#define LIAISON_ROW_TARGET
#define LIAISON_ROW_FMA 0
namespace plain {
#include "liaison/compile/row_arithmetic.inl"
#include LIAISON_ROW_LOOPS
} // namespace plain
#undef LIAISON_ROW_FMA
#undef LIAISON_ROW_TARGET

#if LIAISON_FMA_DISPATCH
#define LIAISON_ROW_FMA 1
#define LIAISON_ROW_TARGET [[gnu::target("avx2,fma")]]
namespace avx2 {
#include "liaison/compile/row_arithmetic.inl"
#include LIAISON_ROW_LOOPS
} // namespace avx2
#undef LIAISON_ROW_TARGET
#undef LIAISON_ROW_LANES

#define LIAISON_ROW_LANES 8
#if defined(__clang__)
#define LIAISON_ROW_TARGET [[gnu::target("avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")]]
#else
#define LIAISON_ROW_TARGET                                                                         \
    [[gnu::target("avx2,fma,avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]]
#endif
namespace avx512 {
#include "liaison/compile/row_arithmetic.inl"
#include LIAISON_ROW_LOOPS
} // namespace avx512
#undef LIAISON_ROW_TARGET
#undef LIAISON_ROW_FMA
#else
namespace avx2 = plain;
namespace avx512 = plain;
#endif
#undef LIAISON_ROW_LANES
#undef LIAISON_ROW_LOOPS
