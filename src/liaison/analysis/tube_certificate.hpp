// SPDX-License-Identifier: Apache-2.0
// A proof for every run: no step that starts in the tube |f| ≤ ε leaves it.
//
// For x' = v(x, t) with f_x v + f_t = P f and an explicit Runge–Kutta step of length τ and order ϱ, the step leaves
//   f(x^{k+1}) = R(τP) f(x^k) + δ,   |δ| ≤ τ^{ϱ+1} sup |δ_{ϱ+1}(σ)|, 0 ≤ σ ≤ τ,
// δ_{ϱ+1} the Taylor coefficient in the step σ (theory of program constraints, Theorems 2 and 2-RK). The tube is covered
// by boxes; on each, the stages, the shadow and f are expanded in interval series about σ ∈ [0, τ], which encloses
// δ_{ϱ+1} with rounding, normal velocity and segment included, and proves that f_x has full rank at all stages. Boxes
// with the largest bounds are halved until the supremum is known to `sharpness`.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/runge_kutta.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::analysis {

struct TubeOptions {
    double step = 0.0;
    double tolerance = 0.0; // ε
    // Automatic decay rates p for which the proof holds; without effect where the model gives its own.
    std::pair<double, double> rate{0.0, 0.0};
    double sharpness = 5e-4; // relative, of the bound to what is reached at some point
    bool decide_only =
        false; // certify_tube: give up where a point refutes the tolerance, without a sharp bound
    std::size_t most_boxes = 20'000;
    std::size_t most_dimensions = 4;
    // The part of space covered, by state; angles that have none, or more than a turn, are covered everywhere.
    std::vector<std::pair<double, double>> region;
    std::pair<double, double> time{0.0, 0.0};
};

struct TubeBound {
    bool proven = false; // `defect` is a bound on the whole tube
    double defect = 0.0; // proven sup |δ|
    double reached = 0.0; // |δ| found at some point of the tube, in floating point
    std::size_t boxes = 0;
    std::vector<std::size_t> ranged; // states that were covered in their range only
    std::string reason; // why nothing is proven
};

// Every constraint needs a law with constant coefficients: ḟ = −p f, or one of second order with two decay rates, whose
// modes are bounded (violation_tube.hpp); the tube is then one of positions and velocities.
[[nodiscard]] TubeBound bound_defect(const flow::Flow& flow, const motion::Tableau& method,
                                     const TubeOptions& options);

// All bounds are rounded outwards: α and sup|δ| up, what they leave of ε down.
struct TubeCertificate {
    bool certified = false; // |f| ≤ ε for ever, whatever the start in the tube
    double rate = 0.0;
    double alpha = 0.0; // |R(−τp)|, the largest of a range of rates
    double defect = 0.0;
    double attainable = 0.0; // sup|δ|/(1 − α): the bound that would be certified
    double margin = 0.0; // ((1 − α) ε − sup|δ|)/ε
    std::size_t boxes = 0; // that the proof took
    std::vector<std::size_t> ranged; // states that were covered in their range only
    std::string reason;
};
[[nodiscard]] TubeCertificate certify_tube(const flow::Flow& flow, const motion::Tableau& method,
                                           const TubeOptions& options);

// A coordinate that enters the expressions through sines and cosines of whole multiples alone.
[[nodiscard]] bool is_angle(const std::vector<expr::Expr>& roots, expr::Expr x);

// Euler's method: rates p with |1 − τp| ε + τ² M₂/2 ≤ ε, that is τM₂/2ε ≤ p ≤ 2/τ − τM₂/2ε; nothing where no p will
// do, τ > √(2ε/M₂).
[[nodiscard]] std::optional<std::pair<double, double>> euler_rates(double step, double tolerance,
                                                                   double second_derivative);
// The same from the program's own bound M₂ = 2 sup|δ|/τ² over the tube, for all these rates at once.
[[nodiscard]] std::optional<std::pair<double, double>> euler_rates(const flow::Flow& flow,
                                                                   const TubeOptions& options);

// Any method: a range of rates around the proven one of the options, for each of which |R(−τp)| ε + sup|δ| ≤ ε is proven
// (Theorem 2-RK). δ depends on p, so that the range grows from the rate outwards, part by part, until its ends are known
// to 5 % or the boxes are used up; there may be proofs beyond. Nothing where the first part fails on both sides.
[[nodiscard]] std::optional<std::pair<double, double>> proven_rates(const flow::Flow& flow,
                                                                    const motion::Tableau& method,
                                                                    const TubeOptions& options,
                                                                    std::size_t most_boxes);

} // namespace liaison::analysis
