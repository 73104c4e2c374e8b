// SPDX-License-Identifier: Apache-2.0
// Smooth problems for work against precision: right-hand sides by hand, exact end states, one line of results.
#pragma once

#include "hand_pendulum.hpp"
#include "oscillator.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace peers {

// x' = f(t, x), as an expert codes it.
struct Problem {
    std::string name; // also of the model file
    std::vector<double> start;
    double until = 0.0;
    std::function<void(double, const double*, double*)> field;
    std::function<void(long double, const long double*, long double*)> exact_field;
};

// x'' = −x − x³
template <class R>
void stiffening_spring(R, const R* x, R* d) {
    d[0] = x[1];
    d[1] = -x[0] * (1 + x[0] * x[0]);
}

// Earth and Moon in the rotating frame.
template <class R>
void arenstorf(R, const R* x, R* d) {
    const R mu = static_cast<R>(0.012277471), rest = 1 - mu;
    const R a = x[0] + mu, b = x[0] - rest;
    const R r1 = a * a + x[1] * x[1], r2 = b * b + x[1] * x[1];
    const R k1 = rest / (r1 * std::sqrt(r1)), k2 = mu / (r2 * std::sqrt(r2));
    d[0] = x[2];
    d[1] = x[3];
    d[2] = x[0] + 2 * x[3] - k1 * a - k2 * b;
    d[3] = x[1] - 2 * x[2] - (k1 + k2) * x[1];
}

// Two equal links of length and mass one.
template <class R>
void double_pendulum(R, const R* x, R* d) {
    const R g = static_cast<R>(k_gravity);
    const R s = std::sin(x[0] - x[1]), c = std::cos(x[0] - x[1]);
    const R f1 = -s * x[3] * x[3] - 2 * g * std::sin(x[0]);
    const R f2 = s * x[2] * x[2] - g * std::sin(x[1]);
    const R det = 2 - c * c;
    d[0] = x[2];
    d[1] = x[3];
    d[2] = (f1 - c * f2) / det;
    d[3] = (2 * f2 - c * f1) / det;
}

// n equal links by dense elimination, for the reference.
template <int n>
void links_exact(long double, const long double* x, long double* d) {
    using R = long double;
    R M[n][n], b[n];
    for (int i = 0; i < n; ++i) {
        b[i] = -(n - i) * static_cast<R>(k_gravity) * std::sin(x[i]);
        for (int j = 0; j < n; ++j) {
            const R mass = n - std::max(i, j);
            b[i] -= mass * std::sin(x[i] - x[j]) * x[n + j] * x[n + j];
            M[i][j] = mass * std::cos(x[i] - x[j]);
        }
    }
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i) {
            const R factor = M[i][k] / M[k][k];
            for (int j = k; j < n; ++j) M[i][j] -= factor * M[k][j];
            b[i] -= factor * b[k];
        }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) b[i] -= M[i][j] * d[n + j];
        d[n + i] = b[i] / M[i][i];
        d[i] = x[n + i];
    }
}

// J ω' = (J ω + λ) × ω + γ × a, γ' = γ × ω with principal moments; the states are γ, then ω.
template <class R>
void body_with_fixed_point(const double* moments, const double* lambda, const double* arm,
                           const R* x, R* d) {
    const R *g = x, *w = x + 3;
    R m[3];
    for (int i = 0; i < 3; ++i) m[i] = R(moments[i]) * w[i] + R(lambda[i]);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        d[i] = g[j] * w[k] - g[k] * w[j];
        d[3 + i] =
            (m[j] * w[k] - m[k] * w[j] + g[j] * R(arm[k]) - g[k] * R(arm[j])) / R(moments[i]);
    }
}

// Kovalevskaya's case of the Euler–Poisson equations.
template <class R>
void kovalevskaya(R, const R* x, R* d) {
    static constexpr double moments[] = {2.0, 2.0, 1.0}, lambda[] = {0.0, 0.0, 0.0},
                            arm[] = {1.0, 0.0, 0.0};
    body_with_fixed_point(moments, lambda, arm, x, d);
}

// A gyrostat without symmetry; all numbers are exact in binary.
template <class R>
void gyrostat(R, const R* x, R* d) {
    static constexpr double moments[] = {3.0, 2.0, 1.5}, lambda[] = {0.25, -0.125, 0.5},
                            arm[] = {-0.375, -0.25, -0.75};
    body_with_fixed_point(moments, lambda, arm, x, d);
}

inline std::vector<Problem> smooth_problems() {
    std::vector<Problem> all;
    all.push_back(
        {"spring", {2.0, 0.0}, 50.0, stiffening_spring<double>, stiffening_spring<long double>});
    all.push_back({"double_pendulum",
                   {0.8, 1.1, 0.0, 0.0},
                   10.0,
                   double_pendulum<double>,
                   double_pendulum<long double>});
    all.push_back({"arenstorf",
                   {0.994, 0.0, 0.0, -2.00158510637908252240537862224},
                   17.0652165601579625588917206249,
                   arenstorf<double>,
                   arenstorf<long double>});
    constexpr int n = 10;
    auto chain = std::make_shared<ChainPendulum>(n);
    std::vector<double> start(2 * n, 0.0);
    for (int i = 0; i < n; ++i) start[static_cast<std::size_t>(i)] = 0.5;
    all.push_back({"links10", start, 2.0,
                   [chain](double, const double* x, double* d) {
                       for (int i = 0; i < n; ++i) d[i] = x[n + i];
                       chain->accelerations(x, x + n, d + n);
                   },
                   links_exact<n>});
    const std::vector<double> body{0.5, 0.5, std::sqrt(0.5), 0.5, 0.25, 0.75};
    all.push_back({"kovalevskaya", body, 50.0, kovalevskaya<double>, kovalevskaya<long double>});
    all.push_back({"gyrostat", body, 50.0, gyrostat<double>, gyrostat<long double>});
    return all;
}

// The end state in 80-bit arithmetic: extrapolated midpoint steps (Gragg 1965) of fixed length, twelve
// levels. Halving the length changes the ends below 1e-16 relative, Arenstorf's 1e-14.
inline std::vector<double> exact_end(const Problem& p, long steps) {
    using R = long double;
    const std::size_t n = p.start.size();
    constexpr int k_levels = 12;
    std::vector<R> x(p.start.begin(), p.start.end()), a(n), b(n), d(n);
    std::vector<std::array<R, k_levels>> row(n), last(n);
    const R H = static_cast<R>(p.until) / steps;
    for (long s = 0; s < steps; ++s) {
        const R t = s * H;
        for (int level = 0; level < k_levels; ++level) {
            const int m = 2 * (level + 1);
            const R h = H / m;
            p.exact_field(t, x.data(), d.data());
            for (std::size_t i = 0; i < n; ++i) {
                a[i] = x[i];
                b[i] = x[i] + h * d[i];
            }
            for (int j = 1; j < m; ++j) {
                p.exact_field(t + j * h, b.data(), d.data());
                for (std::size_t i = 0; i < n; ++i) {
                    const R next = a[i] + 2 * h * d[i];
                    a[i] = b[i];
                    b[i] = next;
                }
            }
            p.exact_field(t + H, b.data(), d.data());
            for (std::size_t i = 0; i < n; ++i) {
                row[i][0] = (a[i] + b[i] + h * d[i]) / 2;
                for (int k = 1; k <= level; ++k) {
                    const R ratio = R(m) / R(2 * (level - k + 1));
                    row[i][k] =
                        row[i][k - 1] + (row[i][k - 1] - last[i][k - 1]) / (ratio * ratio - 1);
                }
                last[i] = row[i];
            }
        }
        for (std::size_t i = 0; i < n; ++i) x[i] = row[i][k_levels - 1];
    }
    return {x.begin(), x.end()};
}

inline std::vector<double> exact_end(const Problem& p) {
    if (p.name == "arenstorf") return p.start; // a closed orbit
    return exact_end(p, p.until > 20.0 ? 400 : 200);
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        sum = std::max(sum, std::fabs(a[i] - b[i]));
    return sum;
}

inline void print_smooth(const Problem& p, const char* solver, double tolerance, double seconds,
                         double error) {
    std::printf("{\"problem\": \"%s\", \"solver\": \"%s\", \"tolerance\": %.0e, \"seconds\": %.4e, "
                "\"error\": %.3e}\n",
                p.name.c_str(), solver, tolerance, seconds, error);
    std::fflush(stdout);
}

inline constexpr double k_tolerances[] = {1e-6, 1e-8, 1e-10, 1e-12, 1e-14};

} // namespace peers
