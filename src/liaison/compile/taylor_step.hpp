// SPDX-License-Identifier: Apache-2.0
// Order, step size, remainder and evaluation of Taylor polynomials.
#pragma once

#include "liaison/compile/taylor.hpp"

#include <span>

namespace liaison::compile {

struct Tolerance {
    double relative = 1e-12;
    double absolute = 1e-12;
    // Typical sizes of the states: that of a state below one takes its place in the absolute part, so that small
    // numbers are as accurate as large ones. Empty: all are one.
    std::span<const double> sizes = {};
};

// N = ⌈1 − ln(tol)/2⌉: with it the terms of a step fall by e² per order and the step costs least per unit of
// time (Jorba & Zou 2005, Experimental Mathematics 14, section 3.2).
unsigned order_for(double tolerance);

// The order of least work per unit of time for this plan, by counting: h ~ tol^{1/N} for a finite radius of
// convergence, work = plan.cost(N) + what a step costs at any order. Plans without products of series (linear motion)
// take higher orders and longer steps than Jorba & Zou's, as far as rounding in the larger terms of such
// steps stays a tenth of the tolerance.
// `proof`: work per square of the order besides, in products.
unsigned order_for(double tolerance, const TaylorPlan& plan, double proof = 0.0);
// The work of one step by that count, in products.
double step_work(const TaylorPlan& plan, unsigned order, double proof);

struct StepChoice {
    double size = 0.0; // 0 when a coefficient is not finite
    bool polynomial =
        false; // all high coefficients vanish: the size is infinite, the caller's limit holds
};

// The largest step for which the last two terms of every state stay below a fifteenth of
//   absolute + relative·|x_i|,  |x_i| the size of the component over the step.
// A motion without high coefficients is either a polynomial or starts with a long row of zeros (t²⁰ at 0):
// check `defect` after a step chosen so. Only the first `n_moving` states are asked; the others stand still.
StepChoice choose_step(const Taylor& taylor, const TaylorWorkspace& workspace, unsigned order,
                       const Tolerance& tolerance, std::size_t n_moving);
inline StepChoice choose_step(const Taylor& taylor, const TaylorWorkspace& workspace,
                              unsigned order, const Tolerance& tolerance) {
    return choose_step(taylor, workspace, order, tolerance, taylor.n_states());
}

// The step for which the last two terms of one polynomial stay below `allowed`, to a few percent; infinite for
// polynomials of lower degree, 0 when a term is not finite.
double step_limit(std::span<const double> coefficients, double allowed);

// Estimate of the truncation error of a polynomial on [0, τ]: the larger of its last two terms, which bounds
// the geometric rest when terms at least halve, as the step choice makes them do.
double truncation(std::span<const double> coefficients, double tau);
// Σ |c_k| τ^k: times the unit roundoff it bounds the error of evaluation.
double magnitude(std::span<const double> coefficients, double tau);
// The largest such rounding among the first `n_moving` states, in units of what the tolerance leaves to it: a tenth.
double rounding(const Taylor& taylor, const TaylorWorkspace& workspace, unsigned order,
                const Tolerance& tolerance, std::size_t n_moving, double tau);

// Σ c_k τ^k by Horner's rule.
inline double evaluate(std::span<const double> coefficients, double tau) {
    double value = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 0;) value = value * tau + coefficients[k];
    return value;
}
// Σ k c_k τ^{k−1}
double evaluate_derivative(std::span<const double> coefficients, double tau);

// A number and the part of it that did not fit: value + low with |low| ≤ ulp(value)/2.
struct Compensated {
    double value = 0.0;
    double low = 0.0;
};
// The polynomial at τ when its constant term is c_0 + low. Carrying `low` from step to step keeps the sum
// of a million increments accurate to the last bits.
Compensated evaluate_compensated(std::span<const double> coefficients, double tau,
                                 double low = 0.0);

// Two polynomials of the same degree, side by side: the same numbers in half the time.
void evaluate_compensated(std::span<const double> one, std::span<const double> other, double tau,
                          Compensated& at_one, Compensated& at_other);

// All states at τ: the step itself.
void evaluate_states(const Taylor& taylor, const TaylorWorkspace& workspace, unsigned order,
                     double tau, std::span<double> state);
// The same carrying the low parts from step to step.
void evaluate_states(const Taylor& taylor, const TaylorWorkspace& workspace, unsigned order,
                     double tau, std::span<Compensated> state);

// max_i |x_i'(new point) − p_i'(τ)| τ / (absolute + relative |x_i|): how far the polynomials before the step
// miss the field after it, in units of the tolerance. `after` holds an expansion (of order ≥ 1) at the new point.
double defect(const Taylor& taylor, const TaylorWorkspace& before, unsigned order, double tau,
              const TaylorWorkspace& after, const Tolerance& tolerance);

} // namespace liaison::compile
