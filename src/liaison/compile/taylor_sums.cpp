// SPDX-License-Identifier: Apache-2.0
// Instances of the sums for every order, with and without the processor's fused multiply-add.
#include "liaison/compile/taylor_sums.hpp"

#include "liaison/compile/fma_dispatch.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)
#define LIAISON_PACKED 1
#define LIAISON_PACKED_SUM [[gnu::target("avx2,fma")]] inline
#include <immintrin.h>
#else
#define LIAISON_PACKED 0
#endif

namespace liaison::compile {
namespace {

#define LIAISON_SUM [[gnu::always_inline]] inline

// a_s b_{K−s} + a_{s+d} b_{K−s−d} + …, N terms
template <std::int64_t K, std::int64_t S, std::int64_t D, std::size_t... I>
LIAISON_SUM double chain(const double* a, const double* b, double sum, std::index_sequence<I...>) {
    ((sum = __builtin_fma(a[S + D * static_cast<std::int64_t>(I)],
                          b[K - S - D * static_cast<std::int64_t>(I)], sum)),
     ...);
    return sum;
}
template <std::int64_t N>
using Terms = std::make_index_sequence<static_cast<std::size_t>(N > 0 ? N : 0)>;

// convolve(a, b, K, First, K) and convolve_square(a, K, First) without loops.
template <std::int64_t K, std::int64_t First>
LIAISON_SUM double product(const double* a, const double* b) {
    constexpr std::int64_t middle = (First + K) >> 1;
    return chain<K, middle, -1>(a, b, 0.0, Terms<middle - First + 1>{}) +
           chain<K, middle + 1, 1>(a, b, 0.0, Terms<K - middle>{});
}
template <std::int64_t K, std::int64_t First>
LIAISON_SUM double square_of(const double* a) {
    constexpr std::int64_t last = (K - 1) >> 1;
    double half = 0.0;
    if constexpr ((K & 1) == 0 && 2 * First <= K) half = 0.5 * a[K / 2] * a[K / 2];
    half = chain<K, last, -1>(a, a, half, Terms<last - First + 1>{});
    return half + half;
}

#define LIAISON_SUMS(Name, attribute)                                                              \
    template <std::int64_t K>                                                                      \
    struct Name {                                                                                  \
        attribute static double full(const double* a, const double* b) {                           \
            return product<K, 0>(a, b);                                                            \
        }                                                                                          \
        attribute static double tail(const double* a, const double* b) {                           \
            return product<K, 1>(a, b);                                                            \
        }                                                                                          \
        attribute static double square(const double* a) { return square_of<K, 0>(a); }             \
        attribute static double inner(const double* a) { return square_of<K, 1>(a); }              \
    };
LIAISON_SUMS(Plain, )
#if LIAISON_FMA_DISPATCH
LIAISON_SUMS(Fused, [[gnu::target("avx2,fma")]])
#endif
#undef LIAISON_SUMS

#if LIAISON_PACKED
using Four = double __attribute__((vector_size(32)));

// As chain and product above, on four series at once.
template <std::int64_t K, std::int64_t S, std::int64_t D, std::size_t... I>
LIAISON_PACKED_SUM Four packed_chain(const double* a, const double* b, Four sum,
                                     std::index_sequence<I...>) {
    ((sum = (Four)_mm256_fmadd_pd(
          _mm256_loadu_pd(a + 4 * (S + D * static_cast<std::int64_t>(I))),
          _mm256_loadu_pd(b + 4 * (K - S - D * static_cast<std::int64_t>(I))), (__m256d)sum)),
     ...);
    return sum;
}
template <std::int64_t K, std::int64_t First>
LIAISON_PACKED_SUM void packed_product(const double* a, const double* b, double* sum) {
    constexpr std::int64_t middle = (First + K) >> 1;
    const Four total = packed_chain<K, middle, -1>(a, b, Four{}, Terms<middle - First + 1>{}) +
                       packed_chain<K, middle + 1, 1>(a, b, Four{}, Terms<K - middle>{});
    _mm256_storeu_pd(sum, (__m256d)total);
}

template <std::size_t... K>
constexpr PackedTable packed_table(std::index_sequence<K...>) {
    return {PackedSums{&packed_product<K, 0>, &packed_product<K, 1>}...};
}
#endif

template <template <std::int64_t> class Sums, std::size_t... K>
constexpr SumTable table(std::index_sequence<K...>) {
    return {RoundSums{&Sums<K>::full, &Sums<K>::tail, &Sums<K>::square, &Sums<K>::inner}...};
}

using Orders = std::make_index_sequence<k_largest_order + 1>;
constexpr SumTable k_plain = table<Plain>(Orders{});
#if LIAISON_FMA_DISPATCH
constexpr SumTable k_fused = table<Fused>(Orders{});
#endif

#if LIAISON_PACKED
constexpr PackedTable k_packed = packed_table(Orders{});
#endif

} // namespace

const PackedTable* packed_sums() {
#if LIAISON_PACKED
    return has_fma() ? &k_packed : nullptr;
#else
    return nullptr;
#endif
}

const SumTable& round_sums() {
#if LIAISON_FMA_DISPATCH
    if (has_fma()) return k_fused;
#endif
    return k_plain;
}

} // namespace liaison::compile
