// SPDX-License-Identifier: Apache-2.0
// Values of a polynomial Σ a_k x^k: plain with slope, and as accurate as in double-length arithmetic.
#pragma once

#include "liaison/solve/double_length.hpp"

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
[[nodiscard]] inline CertifiedValue compensated_horner(std::span<const double> a, double x) {
    double value = 0;
    double correction = 0;
    double modulus = 0;
    const double abs_x = std::fabs(x);
    for (std::size_t k = a.size(); k-- > 0;) {
        const double product = value * x;
        const double product_error = std::fma(value, x, -product);
        const DoubleLength s = DoubleLength::sum(product, a[k]);
        value = s.high();
        correction = correction * x + (product_error + s.low());
        modulus = modulus * abs_x + std::fabs(a[k]);
    }
    const double gamma = 2.0 * static_cast<double>(a.size()) * k_unit_roundoff;
    const DoubleLength result = DoubleLength::sum(value, correction);
    return {result.high(), result.low(), 1.1 * gamma * gamma * modulus + 1e-300};
}

} // namespace liaison::solve
