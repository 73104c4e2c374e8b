// SPDX-License-Identifier: Apache-2.0
// Values of a polynomial Σ a_k x^k: plain with slope, and as accurate as in double-length arithmetic.
#pragma once

#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/solve/double_length.hpp"
#include "liaison/solve/four.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace liaison::solve {

struct ValueAndSlope {
    double value;
    double slope;
};

[[nodiscard]] inline ValueAndSlope horner_with_slope(std::span<const double> a, double x) {
    double value = 0;
    double slope = 0;
    for (std::size_t k = a.size(); k-- > 0;) {
        slope = slope * x + value;
        value = value * x + a[k];
    }
    return {value, slope};
}

// The same to a few more ulps in half the time: even and odd part in x², four chains side by side.
[[nodiscard]] inline ValueAndSlope quick_value_and_slope(std::span<const double> a, double x) {
    const double y = x * x;
    double even = 0, even_slope = 0, odd = 0, odd_slope = 0;
    std::size_t k = a.size();
    if ((k & 1) != 0) even = a[--k];
    for (; k >= 2; k -= 2) {
        odd_slope = odd_slope * y + odd;
        odd = odd * y + a[k - 1];
        even_slope = even_slope * y + even;
        even = even * y + a[k - 2];
    }
    return {even + x * odd, odd + 2 * x * (even_slope + x * odd_slope)};
}

struct CertifiedValue {
    double value; // nearest double of the computed double-length value
    double low; // what rounding to `value` left over
    double error; // |value + low − P(x)| ≤ error, proved

    [[nodiscard]] int sign_beyond(double band) const {
        return std::fabs(value) > band + error ? (value > 0 ? 1 : -1) : 0;
    }
};

// Compensated Horner scheme (Graillat, Langlois, Louvet, Japan J. Indust. Appl. Math. 26, 2009):
//   |result − P(x)| ≤ γ²_{2n} Σ|a_k||x|^k before the last rounding,   γ_j = j u / (1 − j u).
// The sum of moduli is carried along, which makes the bound computable; 1.1 covers its rounding,
// the constant covers underflow when the a_k are scaled to be near 1 and |x| ≤ 1.
// Four points go side by side: the scheme is one long chain, and waiting for it costs the same for four.
struct CompensatedHorner {
    [[gnu::always_inline]] static void run(const double* a, std::size_t size, const double* points,
                                           CertifiedValue* result) {
        const Four x{points[0], points[1], points[2], points[3]};
        const Four abs_x = x < 0 ? -x : x;
        Four value{};
        Four correction{};
        Four modulus{};
        for (std::size_t k = size; k-- > 0;) {
            const Four c = Four{} + a[k];
            const Four product = value * x;
            Four product_error;
            for (int l = 0; l < 4; ++l)
                product_error[l] = __builtin_fma(value[l], x[l], -product[l]);
            const Four sum = product + c; // Knuth's error-free sum
            const Four c_virtual = sum - product;
            const Four sum_error = (product - (sum - c_virtual)) + (c - c_virtual);
            value = sum;
            correction = correction * x + (product_error + sum_error);
            modulus = modulus * abs_x + std::fabs(a[k]);
        }
        const double gamma = 2.0 * static_cast<double>(size) * k_unit_roundoff;
        for (int l = 0; l < 4; ++l) {
            const DoubleLength sum = DoubleLength::sum(value[l], correction[l]);
            result[l] = {sum.high(), sum.low(), 1.1 * gamma * gamma * modulus[l] + 1e-300};
        }
    }
};

[[nodiscard]] inline std::array<CertifiedValue, 4>
compensated_horner(std::span<const double> a, const std::array<double, 4>& x) {
    std::array<CertifiedValue, 4> result;
    compile::run_dispatched<CompensatedHorner>(a.data(), a.size(), x.data(), result.data());
    return result;
}
[[nodiscard]] inline CertifiedValue compensated_horner(std::span<const double> a, double x) {
    return compensated_horner(a, {x, x, x, x})[0];
}

} // namespace liaison::solve
