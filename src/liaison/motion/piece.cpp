// SPDX-License-Identifier: Apache-2.0
// Horner evaluation of a piece.
#include "liaison/motion/piece.hpp"

namespace liaison::motion {

double increment(std::span<const double> coefficients, double tau) {
    double sum = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 1;) sum = (sum + coefficients[k]) * tau;
    return sum;
}

void Piece::evaluate(double tau, std::span<double> state) const {
    const auto stride = static_cast<std::size_t>(order) + 1;
    for (std::size_t i = 0; i < n; ++i) {
        const std::span<const double> c(coefficients.data() + i * stride, stride);
        state[i] = c[0] + increment(c, tau);
    }
}

} // namespace liaison::motion
