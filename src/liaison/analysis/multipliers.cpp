// SPDX-License-Identifier: Apache-2.0
// Eigenvalues with the zeros that the structure of the orbit demands.
#include "liaison/analysis/multipliers.hpp"

#include "liaison/solve/dense.hpp"

#include <Eigen/Core>

#include <algorithm>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

Index rank(const MatrixXd& m) {
    if (m.size() == 0) return 0;
    const Eigen::VectorXd s = solve::singular_values(m);
    constexpr double k_forgotten = 1e-10;
    return std::count_if(s.begin(), s.end(), [&](double x) { return x > k_forgotten * s(0); });
}

} // namespace

MatrixXd monodromy(const std::vector<MonodromyFactor>& factors) {
    const Index n = factors.front().flow.rows();
    MatrixXd M = MatrixXd::Identity(n, n);
    for (const MonodromyFactor& f : factors) {
        M = f.flow * M;
        if (f.saltation.size() > 0) M = f.saltation * M;
    }
    return M;
}

std::vector<std::complex<double>> multipliers(const std::vector<MonodromyFactor>& factors) {
    const Eigen::VectorXcd all = solve::eigenvalues(monodromy(factors));
    std::vector<std::complex<double>> result(all.begin(), all.end());
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
        const double d = std::abs(a) - std::abs(b);
        if (std::abs(d) > 1e-12 * std::max(1.0, std::abs(a))) return d > 0.0;
        return a.imag() > b.imag();
    });
    Index most = 0;
    Index least = all.size();
    for (const MonodromyFactor& f : factors) {
        most = std::max(most, f.dimension);
        least = std::min(least, f.dimension);
        if (f.saltation.size() > 0) least = std::min(least, rank(f.saltation));
    }
    result.resize(static_cast<std::size_t>(most));
    for (std::size_t i = static_cast<std::size_t>(std::min(least, most)); i < result.size(); ++i)
        result[i] = 0.0;
    return result;
}

} // namespace liaison::analysis
