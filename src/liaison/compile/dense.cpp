// SPDX-License-Identifier: Apache-2.0
// Right-looking LDLᵀ and completely pivoted LU; the inner loops run along rows and vectorise as written.
#include "liaison/compile/dense.hpp"

#include "liaison/compile/fma_dispatch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace liaison::compile::dense {
namespace {

constexpr double k_inf = std::numeric_limits<double>::infinity();

[[gnu::always_inline]] inline void subtract_multiple(double* y, const double* x, double factor,
                                                     std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] = __builtin_fma(-factor, x[i], y[i]);
}

struct Ldlt {
    [[gnu::always_inline]] static std::size_t run(double* a, double* scale, std::size_t n,
                                                  double tolerance) {
        std::size_t dependent = n;
        for (std::size_t i = 0; i < n; ++i) scale[i] = std::abs(a[i * n + i]);
        for (std::size_t k = 0; k < n; ++k) {
            const double d = a[k * n + k];
            const bool regular = std::abs(d) > tolerance * scale[k] && std::abs(d) < k_inf;
            if (!regular && dependent == n) dependent = k;
            const double inverse = regular ? 1.0 / d : 0.0;
            a[k * n + k] = inverse;
            double* above = a + k * n;
            for (std::size_t i = k + 1; i < n; ++i) above[i] = a[i * n + k];
            for (std::size_t i = k + 1; i < n; ++i) {
                const double l = above[i] * inverse;
                a[i * n + k] = l;
                subtract_multiple(a + i * n + k + 1, above + k + 1, l, i - k);
                scale[i] = std::max(scale[i], std::abs(a[i * n + i]));
            }
        }
        return dependent;
    }
};

struct LdltSolve {
    [[gnu::always_inline]] static void run(const double* a, double* b, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) b[i] = __builtin_fma(-a[i * n + j], b[j], b[i]);
        }
        for (std::size_t i = 0; i < n; ++i) b[i] *= a[i * n + i];
        for (std::size_t i = n; i-- > 0;) subtract_multiple(b, a + i * n, b[i], i);
    }
};

// Masses, forces and gradients of constraints stand in one matrix, in whatever units: elements are compared after their rows
// and columns have been scaled to a largest element of one. The matrix itself keeps its units.
void scales_of(const double* a, std::size_t n, double* rows, double* cols) {
    const auto inverse = [](double largest) {
        return largest > 0.0 && largest < k_inf ? 1.0 / largest : 1.0;
    };
    for (std::size_t i = 0; i < n; ++i) {
        double largest = 0.0;
        for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(a[i * n + j]));
        rows[i] = inverse(largest);
    }
    std::fill(cols, cols + n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            cols[j] = std::max(cols[j], std::abs(a[i * n + j]) * rows[i]);
    }
    for (std::size_t j = 0; j < n; ++j) cols[j] = inverse(cols[j]);
}

// The position of the largest element of the trailing block, scaled, that is more than noise: than `tolerance` times the terms it is
// the difference of, which no choice of units changes. A NaN counts as the largest; −1: there is none.
std::pair<std::size_t, double> largest_in_block(const double* a, const double* terms, std::size_t n,
                                                std::size_t k, const double* rows,
                                                const double* cols, double tolerance) {
    std::size_t place = k * n + k;
    double best = -1.0;
    for (std::size_t i = k; i < n; ++i) {
        for (std::size_t j = k; j < n; ++j) {
            const double size = std::abs(a[i * n + j]);
            if (std::isnan(size)) return {i * n + j, k_inf};
            if (size * rows[i] * cols[j] > best && size > tolerance * terms[i * n + j]) {
                best = size * rows[i] * cols[j];
                place = i * n + j;
            }
        }
    }
    return {place, best};
}

// Which row of the given matrix stands at position k after the first k swaps.
std::size_t original_row(const double* swaps, std::size_t k) {
    std::size_t row = k;
    for (std::size_t j = k; j-- > 0;) {
        const auto other = static_cast<std::size_t>(swaps[j]);
        if (row == other)
            row = j;
        else if (row == j)
            row = other;
    }
    return row;
}

struct Lu {
    [[gnu::always_inline]] static std::size_t run(double* a, double* swaps, double* terms,
                                                  std::size_t n, double tolerance) {
        double* rows = swaps;
        double* cols = swaps + n;
        scales_of(a, n, rows, cols); // of what is left, where the swaps are not known yet
        for (std::size_t i = 0; i < n * n; ++i) terms[i] = std::abs(a[i]);
        for (std::size_t k = 0; k < n; ++k) {
            const auto [place, best] = largest_in_block(a, terms, n, k, rows, cols, tolerance);
            if (!(best > 0.0 && best < k_inf)) {
                cols[n] = static_cast<double>(k);
                return original_row(rows, k);
            }
            const std::size_t pivot_row = place / n;
            const std::size_t pivot_col = place % n;
            rows[pivot_row] = rows[k];
            cols[pivot_col] = cols[k];
            rows[k] = static_cast<double>(pivot_row);
            cols[k] = static_cast<double>(pivot_col);
            for (double* both : {a, terms}) {
                if (pivot_row != k)
                    std::swap_ranges(both + k * n, both + k * n + n, both + pivot_row * n);
                if (pivot_col == k) continue;
                for (std::size_t i = 0; i < n; ++i)
                    std::swap(both[i * n + k], both[i * n + pivot_col]);
            }
            for (std::size_t i = k + 1; i < n; ++i) {
                const double l = a[i * n + k] / a[k * n + k];
                const double l_terms = terms[i * n + k] / std::abs(a[k * n + k]);
                a[i * n + k] = l;
                for (std::size_t j = k + 1; j < n; ++j)
                    terms[i * n + j] = std::max({terms[i * n + j], std::abs(l) * terms[k * n + j],
                                                 l_terms * std::abs(a[k * n + j])});
                subtract_multiple(a + i * n + k + 1, a + k * n + k + 1, l, n - k - 1);
            }
        }
        cols[n] = static_cast<double>(n);
        return n;
    }
};

struct LuSolve {
    [[gnu::always_inline]] static void run(const double* a, const double* swaps, double* b,
                                           std::size_t n) {
        const double* rows = swaps;
        const double* cols = swaps + n;
        const auto rank = static_cast<std::size_t>(cols[n]);
        for (std::size_t k = 0; k < rank; ++k)
            std::swap(b[k], b[static_cast<std::size_t>(rows[k])]);
        for (std::size_t i = 0; i < rank; ++i) {
            for (std::size_t k = 0; k < i; ++k) b[i] = __builtin_fma(-a[i * n + k], b[k], b[i]);
        }
        for (std::size_t i = rank; i < n; ++i) b[i] = 0.0;
        for (std::size_t i = rank; i-- > 0;) {
            for (std::size_t k = i + 1; k < rank; ++k)
                b[i] = __builtin_fma(-a[i * n + k], b[k], b[i]);
            b[i] /= a[i * n + i];
        }
        for (std::size_t k = rank; k-- > 0;) std::swap(b[k], b[static_cast<std::size_t>(cols[k])]);
    }
};

} // namespace

std::size_t factor_ldlt(double* a, double* scale, std::size_t n, double tolerance) noexcept {
    return run_dispatched<Ldlt>(a, scale, n, tolerance);
}
void solve_ldlt(const double* a, double* b, std::size_t n) noexcept {
    run_dispatched<LdltSolve>(a, b, n);
}
std::size_t factor_lu(double* a, double* swaps, double* terms, std::size_t n,
                      double tolerance) noexcept {
    return run_dispatched<Lu>(a, swaps, terms, n, tolerance);
}
void solve_lu(const double* a, const double* swaps, double* b, std::size_t n) noexcept {
    run_dispatched<LuSolve>(a, swaps, b, n);
}

} // namespace liaison::compile::dense
