// SPDX-License-Identifier: Apache-2.0
// The scheme of Ridders for derivatives of vectors.
#include "liaison/solve/extrapolated_difference.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace liaison::solve {

using Eigen::VectorXd;

std::optional<ExtrapolatedDifference>
extrapolated_difference(const std::function<std::optional<VectorXd>(double)>& f, double h) {
    constexpr double k_shrink = 1.6;
    constexpr int k_levels = 10;
    constexpr int k_starts = 9;
    const auto central = [&](double step) -> std::optional<VectorXd> {
        const auto up = f(step);
        if (!up) return std::nullopt;
        const auto down = f(-step);
        if (!down) return std::nullopt;
        return (*up - *down) / (2.0 * step);
    };
    auto first = central(h);
    for (int i = 0; !first && i < k_starts; ++i) first = central(h /= 10.0);
    if (!first) return std::nullopt;
    if (first->size() == 0) return ExtrapolatedDifference{*first, 0.0};

    std::array<std::array<VectorXd, k_levels>, k_levels> table;
    table[0][0] = *first;
    ExtrapolatedDifference best{*first, std::numeric_limits<double>::infinity()};
    for (std::size_t row = 1; row < k_levels; ++row) {
        const auto next = central(h /= k_shrink);
        if (!next) break;
        table[0][row] = *next;
        double factor = k_shrink * k_shrink;
        for (std::size_t k = 1; k <= row; ++k, factor *= k_shrink * k_shrink) {
            table[k][row] = (table[k - 1][row] * factor - table[k - 1][row - 1]) / (factor - 1.0);
            const double change =
                std::max((table[k][row] - table[k - 1][row]).cwiseAbs().maxCoeff(),
                         (table[k][row] - table[k - 1][row - 1]).cwiseAbs().maxCoeff());
            if (change <= best.error) best = {table[k][row], change};
        }
        // Linear in the step but for rounding: shorter steps would only lose digits.
        constexpr double k_rounding = 1e-14;
        if (best.error <= k_rounding * best.value.cwiseAbs().maxCoeff()) break;
        const double last = (table[row][row] - table[row - 1][row - 1]).cwiseAbs().maxCoeff();
        if (last >= 2.0 * best.error) break;
    }
    if (!std::isfinite(best.error)) return std::nullopt;
    return best;
}

} // namespace liaison::solve
