// SPDX-License-Identifier: Apache-2.0
// Stability functions evaluated from the tableau itself.
#include "liaison/motion/stability.hpp"

#include <cmath>
#include <vector>

namespace liaison::motion {
namespace {

// y_i = r_i + z Σ_{j<i} a_ij y_j: (I − zA) y = r.
std::vector<double> stages(const Tableau& m, double z, const std::vector<double>& r) {
    std::vector<double> y(m.stages);
    for (std::size_t i = 0; i < m.stages; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < i; ++j) sum += m.a[i * m.stages + j] * y[j];
        y[i] = r[i] + z * sum;
    }
    return y;
}

// A zero of g between a and b, where its signs differ.
template <class F>
double bisect(F g, double a, double b) {
    const bool rising = g(b) > 0.0;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (a + b);
        if (middle == a || middle == b) break;
        ((g(middle) > 0.0) == rising ? b : a) = middle;
    }
    return 0.5 * (a + b);
}

constexpr double k_scan = 1e-3;
constexpr double k_farthest = -20.0;

} // namespace

double stability(const Tableau& m, double z) {
    const auto y = stages(m, z, std::vector<double>(m.stages, 1.0));
    double sum = 0.0;
    for (std::size_t i = 0; i < m.stages; ++i) sum += m.b[i] * y[i];
    return 1.0 + z * sum;
}

double order_reduction(const Tableau& m, double z) {
    // wᵀd = z bᵀ y with (I − zA) y = d
    std::vector<double> d(m.stages);
    double bc = 0.0;
    for (std::size_t i = 0; i < m.stages; ++i) {
        bc += m.b[i] * m.c[i];
        double ac = 0.0;
        for (std::size_t j = 0; j < i; ++j) ac += m.a[i * m.stages + j] * m.c[j];
        d[i] = 0.5 * m.c[i] * m.c[i] - ac;
    }
    const auto y = stages(m, z, d);
    double sum = 0.0;
    for (std::size_t i = 0; i < m.stages; ++i) sum += m.b[i] * y[i];
    return 0.5 - bc + z * sum;
}

double stability_end(const Tableau& m) {
    const auto outside = [&](double z) { return std::abs(stability(m, z)) - 1.0; };
    for (double z = -k_scan; z > k_farthest; z -= k_scan) {
        if (outside(z) > 0.0) return bisect(outside, z, z + k_scan);
    }
    return k_farthest;
}

double best_damping(const Tableau& m) {
    const double end = stability_end(m);
    double best = 0.0;
    for (double z = -k_scan; z > end; z -= k_scan) {
        if (std::abs(stability(m, z)) < std::abs(stability(m, best))) best = z;
    }
    // A zero of R, or else one of R' (by central differences), near the best point of the scan.
    const double left = best - k_scan;
    const double right = best + k_scan;
    const auto R = [&](double z) { return stability(m, z); };
    if ((R(left) > 0.0) != (R(right) > 0.0)) return bisect(R, left, right);
    constexpr double h = 1e-4;
    const auto slope = [&](double z) {
        return (8.0 * (R(z + h) - R(z - h)) - (R(z + 2 * h) - R(z - 2 * h))) / (12.0 * h);
    };
    return bisect(slope, left, right);
}

} // namespace liaison::motion
