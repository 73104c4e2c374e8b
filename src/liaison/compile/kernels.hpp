// SPDX-License-Identifier: Apache-2.0
// sin, cos, exp and log as straight-line polynomial kernels, written once for interpreter and machine code.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// A kernel is a template over the type R of a real number. For R = double it computes; for a handle of the
// code generator (scalar or vector) the same text emits instructions, so both give the same bits. R offers
//   + − · /, unary −, <, <=   with R or double on either side (comparisons yield a mask),
//   fma(a, b, c)      a·b + c rounded once,
//   abs(a), select(mask, yes, no),
//   to_bits(a), to_real(b)  reinterpretation as 64-bit integers with + − & | ^ << >> (logical),
//   top_bit(b)        mask from bit 63.
// There is no branch anywhere. Domain: all doubles for exp and log; |x| ≤ k_trig_limit for sin and cos,
// whose users send larger arguments to the library function (see functions.hpp).
namespace liaison::compile::kernel {

#define LIAISON_KERNEL [[gnu::always_inline]] inline

LIAISON_KERNEL double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
LIAISON_KERNEL double abs(double a) { return __builtin_fabs(a); }
LIAISON_KERNEL double select(bool mask, double yes, double no) { return mask ? yes : no; }
LIAISON_KERNEL std::uint64_t to_bits(double a) { return std::bit_cast<std::uint64_t>(a); }
LIAISON_KERNEL double to_real(std::uint64_t b) { return std::bit_cast<double>(b); }
LIAISON_KERNEL bool top_bit(std::uint64_t b) { return (b >> 63) != 0; }

// Adding 1.5·2⁵² rounds to the nearest integer n, which is then also in the low bits of the sum.
inline constexpr double k_round = 0x1.8p52;
inline constexpr std::uint64_t k_round_bits = std::bit_cast<std::uint64_t>(k_round);
inline constexpr std::uint64_t k_one_bits = std::bit_cast<std::uint64_t>(1.0);
inline constexpr double k_infinity = __builtin_inf();
inline constexpr double k_nan = __builtin_nan("");

template <class R, std::size_t N>
LIAISON_KERNEL R horner(R x, const std::array<double, N>& c) {
    R sum = fma(x, c[N - 1], c[N - 2]);
    for (std::size_t k = N - 2; k-- > 0;) sum = fma(sum, x, c[k]);
    return sum;
}

template <class R>
struct SinCos {
    R sin;
    R cos;
};

inline constexpr double k_trig_limit = 0x1p30;

// Reduction x = n π/2 + (r + tail), π/2 = P1 + P2 + P3 to 159 bits (Cody & Waite 1980, with fma): x − n P1 is
// exact because it is a multiple of 2⁻⁵³ below 1; n P2 is split exactly and subtracted with its error.
// Polynomials on |r| ≤ π/4 as in fdlibm (Sun Microsystems 1993), k_sin.c and k_cos.c.
template <class R>
LIAISON_KERNEL SinCos<R> sincos(R x) {
    constexpr double p1 = 0x1.921fb54442d18p+0;
    constexpr double p2 = 0x1.1a62633145c07p-54;
    constexpr double p3 = -0x1.f1976b7ed8fbcp-110;
    constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
    constexpr std::array sin_c = {8.33333333332248946124e-03, -1.98412698298579493134e-04,
                                  2.75573137070700676789e-06, -2.50507602534068634195e-08,
                                  1.58969099521155010221e-10};
    constexpr double sin_1 = -1.66666666666666324348e-01;
    constexpr std::array cos_c = {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                  2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                  2.08757232129817482790e-09, -1.13596475577881948265e-11};

    const R shifted = fma(x, two_over_pi, k_round);
    const auto quadrant = to_bits(shifted);
    const R n = shifted - k_round;
    const R r1 = fma(n, -p1, x);
    const R p = n * p2;
    const R p_error = fma(n, p2, -p);
    // r + tail = r1 − p − p_error − n P3 (Knuth's two-sum)
    const R r = r1 - p;
    const R back = r - r1;
    const R tail = fma(n, -p3, ((r1 - (r - back)) - (p + back)) - p_error);

    const R z = r * r;
    const R v = z * r;
    const R sine = r - (fma(-v, sin_1, z * fma(v, -horner(z, sin_c), 0.5 * tail)) - tail);
    const R half = 0.5 * z;
    const R w = 1.0 - half;
    const R cosine = w + (((1.0 - w) - half) + fma(z * z, horner(z, cos_c), -(r * tail)));

    const auto swap = top_bit(quadrant << 63);
    const auto sin_sign = (quadrant & 2U) << 62;
    const auto cos_sign = ((quadrant + 1U) & 2U) << 62;
    return {to_real(to_bits(select(swap, cosine, sine)) ^ sin_sign),
            to_real(to_bits(select(swap, sine, cosine)) ^ cos_sign)};
}

// eˣ = 2ⁿ e^r, r = x − n ln 2 in |r| ≤ ln 2 / 2; e^r = 1 + r + r² P(r), P a minimax polynomial of degree 10
// (error 1.7e-19). 2ⁿ is applied in two halves, so that results below 2⁻¹⁰²² are rounded once.
template <class R>
LIAISON_KERNEL R exp(R x) {
    constexpr double log2_e = 0x1.71547652b82fep+0;
    constexpr double ln2_high = 0x1.62e42fefa39efp-1;
    constexpr double ln2_low = 0x1.abc9e3b39803fp-56;
    constexpr double largest = 710.0; // beyond: infinity
    constexpr double smallest = -746.0; // below: zero
    constexpr std::array c = {0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555558p-5,
                              0x1.11111111100dbp-7,  0x1.6c16c16c15201p-10, 0x1.a01a01abe80afp-13,
                              0x1.a01a01acf960dp-16, 0x1.71de023172e6ap-19, 0x1.27e4ccd075b22p-22,
                              0x1.af4de9c0a325dp-26, 0x1.1f8b49950af71p-29};

    const R bounded = select(largest < x, largest, x);
    const R y = select(bounded < smallest, smallest, bounded);
    const R shifted = fma(y, log2_e, k_round);
    const R n = shifted - k_round;
    const R r1 = fma(n, -ln2_high, y);
    const R r = fma(n, -ln2_low, r1);
    const R tail = fma(n, -ln2_low, r1 - r);
    const R value = 1.0 + (r + fma(r * r, horner(r, c), tail));

    const R shifted_half = fma(n, 0.5, k_round);
    const auto half = to_bits(shifted_half) - k_round_bits;
    const auto rest = (to_bits(shifted) - k_round_bits) - half;
    const R scale_1 = to_real((half << 52) + k_one_bits);
    const R scale_2 = to_real((rest << 52) + k_one_bits);
    return (value * scale_1) * scale_2;
}

// ln x = k ln 2 + ln m, m in [√½, √2), ln m through s = (m−1)/(m+1) as in fdlibm e_log.c.
template <class R>
LIAISON_KERNEL R log(R x) {
    constexpr double ln2_high = 6.93147180369123816490e-01; // low 20 bits zero: k·ln2_high is exact
    constexpr double ln2_low = 1.90821492927058770002e-10;
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdULL;
    constexpr std::uint64_t mantissa = 0x000fffffffffffffULL;
    constexpr double tiny = 0x1p-1022;
    constexpr double k_bias = 0x1p52 + 1023.0;
    constexpr std::array c = {6.666666666666735130e-01, 3.999999999940941908e-01,
                              2.857142874366239149e-01, 2.222219843214978396e-01,
                              1.818357216161805012e-01, 1.531383769920937332e-01,
                              1.479819860511658591e-01};

    const auto subnormal = x < tiny;
    const R normal = select(subnormal, x * 0x1p54, x);
    const auto shifted = to_bits(normal) + (k_one_bits - root_half);
    const R exponent = to_real((shifted >> 52) | std::bit_cast<std::uint64_t>(0x1p52)) - k_bias;
    const R k = select(subnormal, exponent - 54.0, exponent);
    const R f = to_real((shifted & mantissa) + root_half) - 1.0;
    const R s = f / (2.0 + f);
    const R z = s * s;
    const R half = 0.5 * f * f;
    const R series = z * horner(z, c);
    const R value = fma(k, ln2_high, f - (half - fma(s, half + series, k * ln2_low)));
    // 0 → −∞, negative or NaN → NaN, ∞ → ∞
    const R edge = select(x < 0.0, k_nan, select(x <= 0.0, -k_infinity, x));
    return select(0.0 < x, select(x < k_infinity, value, x), edge);
}

} // namespace liaison::compile::kernel
