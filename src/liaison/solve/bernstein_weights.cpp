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
            const std::size_t last = std::min(n, first + k_block - 1);
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

} // namespace

const BernsteinWeights& bernstein_weights(std::size_t degree) {
    static std::array<BernsteinWeights, k_max_degree + 1> table;
    static std::array<std::once_flag, k_max_degree + 1> made;
    std::call_once(made[degree], [degree] {
        BernsteinWeights& w = table[degree];
        w.stride = (degree + k_block) / k_block * k_block;
        w.column.assign((degree + 1) * w.stride, 0.0);
        for (std::size_t k = 0; k <= degree; ++k)
            for (std::size_t i = k; i <= degree; ++i)
                w.column[k * w.stride + i] = binomial(i, k) / binomial(degree, k);
    });
    return table[degree];
}

void weighted_sums(const BernsteinWeights& weights, const double* terms, std::size_t degree,
                   double* b) {
    compile::run_dispatched<WeightedSums>(&weights, terms, degree, b);
}

} // namespace liaison::solve
