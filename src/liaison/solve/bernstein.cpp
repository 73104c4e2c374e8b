// SPDX-License-Identifier: Apache-2.0
// Bernstein coefficients with running error bounds: conversion, subdivision and certain statements.
#include "liaison/solve/bernstein.hpp"

#include "liaison/solve/bernstein_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace liaison::solve {
namespace {

// Covers underflow in the error bounds themselves; coefficients are scaled to be near 1.
constexpr double k_tiny = 1e-300;

// Relative error of one operation: 2⁻⁵³, and 5·2⁻¹⁰⁶ for a product of pairs.
constexpr double roundoff(double) { return k_unit_roundoff; }
constexpr double roundoff(DoubleLength) { return 0x1p-103; }

constexpr double nearest(double x) { return x; }
constexpr double nearest(DoubleLength x) { return x.rounded(); }

constexpr double one_minus(double tau, double) { return 1 - tau; }
constexpr DoubleLength one_minus(double tau, DoubleLength) { return DoubleLength::sum(1, -tau); }

using BinomialRow = std::array<double, k_max_degree + 1>;

// C(n,k), exact by Pascal's rule.
constexpr std::array<BinomialRow, k_max_degree + 1> binomials() {
    std::array<BinomialRow, k_max_degree + 1> table{};
    for (std::size_t n = 0; n <= k_max_degree; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}
constexpr auto k_binomial = binomials();

// The sums by Pascal's triangle, for numbers that have no table: in pass p, b_i += b_{i−1} for i = n … p. Two
// passes go together, the first one step ahead, which halves the traffic through memory.
template <class Number>
void pascal_sums(std::size_t n, Number* b) {
    for (std::size_t k = 1; k <= n; ++k) b[k] = b[k] / k_binomial[n][k];
    std::size_t pass = 1;
    for (; pass + 1 <= n; pass += 2) {
        Number ahead = b[n] + b[n - 1];
        for (std::size_t i = n; i > pass; --i) {
            const Number next = b[i - 1] + b[i - 2];
            b[i] = ahead + next;
            ahead = next;
        }
        b[pass] = ahead;
    }
    if (pass == n) b[n] += b[n - 1];
}

// The full bound γ Σ_k C(i,k)/C(n,k) |a_k| σ^k, which tells clusters of roots near the start apart. Worth its cost only
// where the search needed double length.
void sharpen(std::span<const double> a, double sigma, double gamma, std::span<double> error) {
    const std::size_t n = a.size() - 1;
    double power = 1;
    for (std::size_t k = 0; k <= n; ++k, power *= sigma)
        error[k] = std::fabs(a[k]) * power / k_binomial[n][k];
    for (std::size_t pass = 1; pass <= n; ++pass)
        for (std::size_t i = n; i >= pass; --i) error[i] += error[i - 1];
    for (double& e : error) e = 1.01 * gamma * e + k_tiny;
}

} // namespace

double binomial(std::size_t n, std::size_t k) { return k_binomial[n][k]; }

template <class Number>
void to_bernstein(std::span<const double> a, double sigma, BernsteinPiece<Number>& piece) {
    const std::size_t n = a.size() - 1;
    std::array<Number, k_max_degree + 1> terms;
    constexpr bool tabulated = std::is_same_v<Number, double>;
    Number* const term = tabulated ? terms.data() : piece.value.data();
    piece.lower = 0;
    piece.upper = 1;
    Number power = 1;
    double higher = 0; // Σ_{k≥1} |a_k| σ^k
    term[0] = a[0];
    for (std::size_t k = 1; k <= n; ++k) {
        power = power * sigma;
        term[k] = power * a[k];
        higher += std::fabs(nearest(term[k]));
    }
    if constexpr (tabulated) {
        std::array<double, k_max_degree + BernsteinWeights::k_block> sums;
        weighted_sums(bernstein_weights(n), term, n, sums.data());
        std::copy_n(sums.data(), n + 1, piece.value.data());
    } else {
        pascal_sums(n, term);
    }
    // k roundings of the power, product, weight or quotient, product, i additions: at most 2n + 3; the rest is margin.
    const double gamma = 1.01 * static_cast<double>(2 * n + 6) * roundoff(Number());
    const double per_index = gamma * higher / static_cast<double>(n);
    for (std::size_t i = 0; i <= n; ++i)
        piece.error[i] = gamma * std::fabs(a[0]) + static_cast<double>(i) * per_index + k_tiny;
    if constexpr (std::is_same_v<Number, DoubleLength>) sharpen(a, sigma, gamma, piece.error);
}

template <class Number>
void split(BernsteinPiece<Number>& piece, double tau, BernsteinPiece<Number>& left) {
    const std::size_t n = piece.degree();
    const Number rho = one_minus(tau, Number());
    const double rho_rounded = nearest(rho);
    Number* const b = piece.value.data();
    double* const e = piece.error.data();
    // Each step rounds two products and a sum: at most two roundoffs of the moduli on the way.
    const double rounding = 2.1 * roundoff(Number());
    left.value[0] = b[0];
    left.error[0] = e[0];
    for (std::size_t level = 1; level <= n; ++level) {
        for (std::size_t i = 0; i + level <= n; ++i) {
            e[i] = rho_rounded * (e[i] + rounding * std::fabs(nearest(b[i]))) +
                   tau * (e[i + 1] + rounding * std::fabs(nearest(b[i + 1])));
            b[i] = rho * b[i] + b[i + 1] * tau;
        }
        left.value[level] = b[0];
        left.error[level] = e[0];
    }
    // The bounds were themselves rounded, at most 6 times per level.
    const double widening = 1 + 8.0 * static_cast<double>(n) * k_unit_roundoff;
    for (std::size_t i = 0; i <= n; ++i) {
        e[i] = e[i] * widening + k_tiny;
        left.error[i] = left.error[i] * widening + k_tiny;
    }
    const double middle = piece.lower + tau * (piece.upper - piece.lower);
    left.lower = piece.lower;
    left.upper = middle;
    piece.lower = middle;
}

template <class Number>
PieceSize size_of(const BernsteinPiece<Number>& piece) {
    PieceSize size{0, 0};
    for (std::size_t i = 0; i < piece.value.size(); ++i) {
        size.error = std::max(size.error, piece.error[i]);
        size.value = std::max(size.value, std::fabs(nearest(piece.value[i])));
    }
    return size;
}

template <class Number>
int sign_on_piece(const BernsteinPiece<Number>& piece, double band) {
    const bool positive = nearest(piece.value[0]) > 0;
    for (std::size_t i = 0; i < piece.value.size(); ++i) {
        const double b = nearest(piece.value[i]);
        if (!((positive ? b : -b) > 1.01 * piece.error[i] + band)) return 0;
    }
    return positive ? 1 : -1;
}

template <class Number>
bool inside_band(const BernsteinPiece<Number>& piece, double band) {
    for (std::size_t i = 0; i < piece.value.size(); ++i)
        if (!(std::fabs(nearest(piece.value[i])) <= 1.01 * piece.error[i] + band)) return false;
    return true;
}

template <class Number>
int monotone_direction(const BernsteinPiece<Number>& piece) {
    const auto& b = piece.value;
    const bool rising = b.back() > b.front();
    for (std::size_t i = 0; i + 1 < b.size(); ++i) {
        const double step = nearest(rising ? b[i + 1] - b[i] : b[i] - b[i + 1]);
        if (!(step > 1.01 * (piece.error[i] + piece.error[i + 1]))) return 0;
    }
    return rising ? 1 : -1;
}

template <class Number>
int single_passage(const BernsteinPiece<Number>& piece, double band) {
    const std::size_t n = piece.degree();
    const int direction = nearest(piece.value[0]) < 0 ? 1 : -1;
    const auto beyond = [&](std::size_t i, int side) {
        return side * nearest(piece.value[i]) > 1.01 * piece.error[i] + band;
    };
    std::size_t i = 0;
    while (i <= n && beyond(i, -direction)) ++i;
    if (i == 0 || i > n) return 0;
    if (!beyond(i, direction)) ++i;
    if (i > n) return 0;
    for (; i <= n; ++i)
        if (!beyond(i, direction)) return 0;
    return direction;
}

template <class Number>
double curvature_bound(const BernsteinPiece<Number>& piece) {
    const auto& b = piece.value;
    const auto& e = piece.error;
    double smallest = 0;
    int sign = 0;
    for (std::size_t i = 0; i + 2 < b.size(); ++i) {
        const Number first = b[i + 1] - b[i];
        const Number second = b[i + 2] - b[i + 1];
        const double bend = nearest(second - first);
        const double moduli = std::fabs(nearest(first)) + std::fabs(nearest(second));
        const double error =
            1.01 * (e[i] + 2 * e[i + 1] + e[i + 2] + 2 * roundoff(Number()) * moduli);
        const double certain = 0.99 * (std::fabs(bend) - error);
        const int bend_sign = bend > 0 ? 1 : -1;
        if (!(certain > 0) || (sign != 0 && bend_sign != sign)) return 0;
        smallest = sign == 0 ? certain : std::min(smallest, certain);
        sign = bend_sign;
    }
    return sign * smallest;
}

template void to_bernstein(std::span<const double>, double, BernsteinPiece<double>&);
template void split(BernsteinPiece<double>&, double, BernsteinPiece<double>&);
template PieceSize size_of(const BernsteinPiece<double>&);
template int sign_on_piece(const BernsteinPiece<double>&, double);
template bool inside_band(const BernsteinPiece<double>&, double);
template int monotone_direction(const BernsteinPiece<double>&);
template int single_passage(const BernsteinPiece<double>&, double);
template double curvature_bound(const BernsteinPiece<double>&);

template void to_bernstein(std::span<const double>, double, BernsteinPiece<DoubleLength>&);
template void split(BernsteinPiece<DoubleLength>&, double, BernsteinPiece<DoubleLength>&);
template PieceSize size_of(const BernsteinPiece<DoubleLength>&);
template int sign_on_piece(const BernsteinPiece<DoubleLength>&, double);
template bool inside_band(const BernsteinPiece<DoubleLength>&, double);
template int monotone_direction(const BernsteinPiece<DoubleLength>&);
template int single_passage(const BernsteinPiece<DoubleLength>&, double);
template double curvature_bound(const BernsteinPiece<DoubleLength>&);

} // namespace liaison::solve
