// SPDX-License-Identifier: Apache-2.0
// Krawczyk iteration: C ≈ mid(A)⁻¹, R = I − C A, and the error d of a guess solves d = C r + R d.
#include "liaison/expr/interval_solve.hpp"

#include "liaison/expr/rounding.hpp"

#include <Eigen/Dense>

#include <algorithm>

namespace liaison::expr {

std::optional<std::vector<Interval>> enclose_solution(std::span<const Interval> matrix,
                                                      std::span<const Interval> rhs) {
    const std::size_t n = rhs.size();
    const auto bounded = [](const Interval& x) { return x.is_bounded(); };
    if (!std::all_of(matrix.begin(), matrix.end(), bounded) ||
        !std::all_of(rhs.begin(), rhs.end(), bounded)) {
        return std::nullopt;
    }
    const auto size = static_cast<Eigen::Index>(n);
    Eigen::MatrixXd middle(size, size);
    Eigen::VectorXd b(size);
    for (std::size_t i = 0; i < n; ++i) {
        b(static_cast<Eigen::Index>(i)) = rhs[i].middle();
        for (std::size_t j = 0; j < n; ++j) {
            middle(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                matrix[i * n + j].middle();
        }
    }
    // Any approximate inverse will do: the proof is the norm of R.
    const Eigen::MatrixXd C = middle.partialPivLu().inverse();
    const Eigen::VectorXd guess = C * b;
    if (!C.allFinite() || !guess.allFinite()) return std::nullopt;

    std::vector<Interval> residual(rhs.begin(), rhs.end()); // b − A x̃
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            residual[i] =
                residual[i] - matrix[i * n + j] * Interval(guess(static_cast<Eigen::Index>(j)));
        }
    }
    std::vector<Interval> R(n * n);
    std::vector<Interval> y(n); // C (b − A x̃)
    double norm = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        double row = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            const Interval c(C(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
            y[i] = y[i] + c * residual[k];
            if (c == Interval(0.0)) continue;
            for (std::size_t j = 0; j < n; ++j) R[i * n + j] = R[i * n + j] - c * matrix[k * n + j];
        }
        R[i * n + i] = R[i * n + i] + 1.0;
        for (std::size_t j = 0; j < n; ++j) row = rounding::add_up(row, R[i * n + j].magnitude());
        norm = std::max(norm, row);
        largest = std::max(largest, y[i].magnitude());
    }
    if (!(norm < 1.0)) return std::nullopt;

    // ‖d‖ ≤ ‖y‖/(1 − ‖R‖), then a few contractions.
    const double bound = rounding::div_up(largest, rounding::add_down(1.0, -norm));
    std::vector<Interval> d(n, Interval(-bound, bound));
    constexpr int k_contractions = 4;
    for (int sweep = 0; sweep < k_contractions; ++sweep) {
        for (std::size_t i = 0; i < n; ++i) {
            Interval next = y[i];
            for (std::size_t j = 0; j < n; ++j) next = next + R[i * n + j] * d[j];
            d[i] = intersect(d[i], next);
        }
    }
    for (std::size_t i = 0; i < n; ++i) d[i] = Interval(guess(static_cast<Eigen::Index>(i))) + d[i];
    return d;
}

} // namespace liaison::expr
