// SPDX-License-Identifier: Apache-2.0
// The tube of small violations, its deviations and what they obey: the statement that Theorems 2 and 2-RK are about.
//
// Deviations g are f of constraints with a law of first order, f and ḟ of those with one of second order; along the
// flow ġ = A g. The max norm serves f. For (f, ḟ) no such norm shrinks; with the decay rates β₁ ≠ β₂ of the law the modes
//   ζ₁ = (β₂ f + ḟ)/(β₂ − β₁),  ζ₂ = −(β₁ f + ḟ)/(β₂ − β₁),   ζ̇ᵢ = −βᵢ ζᵢ,  f = ζ₁ + ζ₂,  ḟ = −β₁ ζ₁ − β₂ ζ₂
// do, and |ζᵢ| ≤ ε/2 gives |f| ≤ ε, |ḟ| ≤ (β₁ + β₂) ε/2 (theory of program constraints, §8). All numbers are rounded
// outwards: widths and factors up, weights to intervals.
#pragma once

#include "liaison/expr/interval.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/runge_kutta.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace liaison::analysis {

struct Deviation {
    expr::Expr value;
    expr::Expr inside; // the node by which it enters the rates
    struct Term {
        std::size_t of = 0; // deviation
        expr::Expr coefficient;
    };
    std::vector<Term> law; // its rate
    double width = 1.0; // half the width of the tube, in units of ε, not less
};

// A combination of deviations that dies out by itself.
struct ViolationPart {
    std::vector<std::pair<std::size_t, expr::Interval>>
        weights; // of deviations, so that the part of the tube is ±ε
    double alpha = 0.0; // |R(−τβ)| or a little more
};

struct ViolationTube {
    std::vector<Deviation> deviations;
    std::vector<ViolationPart> parts;
    double alpha = 0.0; // the largest
    double rate = 0.0; // of decay, the mean of two
    std::string reason; // why there is no such tube; empty: there is one
};

// `rate`: the automatic decay rate, where the model leaves it open; laws of first order may have a range of them.
[[nodiscard]] ViolationTube violation_tube(const flow::Flow& flow, const motion::Tableau& method,
                                           double step, std::pair<double, double> rate);

} // namespace liaison::analysis
