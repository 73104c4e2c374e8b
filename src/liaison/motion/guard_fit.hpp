// SPDX-License-Identifier: Apache-2.0
// Guards as polynomials along a motion that is itself a polynomial: interpolation at Chebyshev points.
//
// Methods other than Taylor's know the state on a step as polynomials x(τ), and a guard only by its values
// g(t + τ, x(τ)). Interpolation at the points θ_j = (1 − cos(jπ/d))/2 of [0, 1], ends included, gives
//   P(τ) = Σ_k a_k T_k(2τ/h − 1),   a_k by a discrete cosine transform,
// and, because the coefficients of a smooth function fall geometrically, the last of them tell the remainder
// (Trefethen, Approximation Theory and Approximation Practice, ch. 7–8). P is then written in powers of τ for the
// certified root search; what that conversion can lose to rounding is part of the remainder.
#pragma once

#include "liaison/motion/field.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace liaison::motion {

// x_i(τ) = Σ_k coefficients[i·(degree+1) + k] τ^k.
struct Polynomials {
    std::span<const double> coefficients;
    std::size_t degree = 0;

    void evaluate(double tau, std::span<double> state) const;
};

enum class FitQuality {
    good,
    coarse, // the remainder exceeds the tolerance: a shorter step would fit better
    not_finite, // a watched guard is not a number somewhere on the step
};

class GuardFit {
  public:
    // `degree`: of the polynomials of the motion.
    GuardFit(std::size_t n_guards, std::size_t n_states, std::size_t degree);

    // Fits the watched guards over [0, h].
    FitQuality fit(Field& field, double time, const Polynomials& motion, double h,
                   std::span<const char> watched, double tolerance);

    [[nodiscard]] std::span<const double> coefficients(std::size_t k) const {
        return {powers_.data() + k * (k_max_degree + 1), length_[k]};
    }
    [[nodiscard]] double remainder(std::size_t k) const { return remainder_[k]; }
    // The remainder also covers what this shift of the final state changes in the guards: the error of the step.
    void widen(Field& field, double time, const Polynomials& motion, double h,
               std::span<const double> error, std::span<const char> watched);

    static constexpr std::size_t k_max_degree = 16;

  private:
    // Transform at one degree.
    struct Rule {
        std::size_t degree = 0;
        std::vector<double> nodes; // θ_j
        std::vector<double> cosines; // cos(kjπ/d), row k
    };
    static Rule rule(std::size_t degree);
    void sample(const Rule& rule, Field& field, double time, const Polynomials& motion, double h);
    FitQuality convert(const Rule& rule, std::size_t k, double h, double tolerance);

    std::size_t n_guards_;
    Rule short_;
    Rule long_;
    std::vector<double> shifted_; // coefficients of T_k(2θ − 1) in powers of θ, row k
    std::vector<double> values_; // by node, then guard
    std::vector<double> state_;
    std::vector<double> ends_;
    std::vector<double> a_;
    std::vector<double> powers_;
    std::vector<std::size_t> length_;
    std::vector<double> remainder_;
};

} // namespace liaison::motion
