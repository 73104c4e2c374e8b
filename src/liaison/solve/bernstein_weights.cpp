// SPDX-License-Identifier: Apache-2.0
// Weights from exact binomials, and their sums in vectors of four.
#include "liaison/solve/bernstein_weights.hpp"

#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/solve/four.hpp"

#include <algorithm>
#include <array>
#include <mutex>

namespace liaison::solve {
namespace {

constexpr std::size_t k_block = BernsteinWeights::k_block;

struct WeightedSums {
    [[gnu::always_inline]] static void run(const BernsteinWeights* weights, const double* terms,
                                           std::size_t n, double* b) {
        const std::size_t stride = weights->stride;
        for (std::size_t first = 0; first <= n; first += k_block) {
            const std::size_t last = weights->triangular ? std::min(n, first + k_block - 1) : n;
            const double* w = weights->column.data() + first;
            Four low{};
            Four high{};
            for (std::size_t k = 0; k <= last; ++k, w += stride) {
                const Four t = Four{} + terms[k];
                Four weight;
                load_four(w, weight);
                low += weight * t;
                load_four(w + 4, weight);
                high += weight * t;
            }
            store_four(b + first, low);
            store_four(b + first + 4, high);
        }
    }
};

// Columns of whole blocks.
BernsteinWeights empty_weights(std::size_t degree) {
    BernsteinWeights w;
    w.stride = (degree + k_block) / k_block * k_block;
    w.column.assign((degree + 1) * w.stride, 0.0);
    return w;
}

// The sum of positive products in extended precision: one rounding to double is left.
double blossom(std::size_t n, std::size_t k, std::size_t i, double lower, double upper) {
    long double sum = 0.0L;
    for (std::size_t j = k > n - i ? k - (n - i) : 0; j <= std::min(i, k); ++j) {
        long double product = static_cast<long double>(binomial(i, j)) *
                              static_cast<long double>(binomial(n - i, k - j));
        for (std::size_t p = 0; p < j; ++p) product *= static_cast<long double>(upper);
        for (std::size_t p = j; p < k; ++p) product *= static_cast<long double>(lower);
        sum += product;
    }
    return static_cast<double>(sum / static_cast<long double>(binomial(n, k)));
}

} // namespace

const BernsteinWeights& bernstein_weights(std::size_t degree) {
    static std::array<BernsteinWeights, k_max_degree + 1> table;
    static std::array<std::once_flag, k_max_degree + 1> made;
    std::call_once(made[degree], [degree] {
        BernsteinWeights& w = table[degree] = empty_weights(degree);
        for (std::size_t k = 0; k <= degree; ++k)
            for (std::size_t i = k; i <= degree; ++i)
                w.column[k * w.stride + i] = binomial(i, k) / binomial(degree, k);
    });
    return table[degree];
}

const BernsteinWeights& bernstein_weights(std::size_t degree, StepPart part) {
    constexpr std::size_t k_parts = (std::size_t{2} << StepPart::k_levels) - 2;
    static std::array<std::array<BernsteinWeights, k_parts>, k_max_degree + 1> table;
    static std::array<std::array<std::once_flag, k_parts>, k_max_degree + 1> made;
    const std::size_t place = (std::size_t{1} << part.level) - 2 + part.index;
    std::call_once(made[degree][place], [&] {
        BernsteinWeights& w = table[degree][place] = empty_weights(degree);
        w.triangular = part.index == 0;
        for (std::size_t k = 0; k <= degree; ++k)
            for (std::size_t i = 0; i <= degree; ++i)
                w.column[k * w.stride + i] = blossom(degree, k, i, part.lower(), part.upper());
    });
    return table[degree][place];
}

void weighted_sums(const BernsteinWeights& weights, const double* terms, std::size_t degree,
                   double* b) {
    compile::run_dispatched<WeightedSums>(&weights, terms, degree, b);
}

} // namespace liaison::solve
