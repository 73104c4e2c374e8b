// SPDX-License-Identifier: Apache-2.0
// The motions of an oscillator with elastic stops and without its small terms: one for every impact speed.
//
// From the stop y = 0 with speed u the motion goes out, turns (or meets the second stop) after half a period T(u) and
// comes back the same way: y(T − s) = y(s). Derivatives by u come from the variational equations of the way out.
#pragma once

#include "liaison/analysis/impact_oscillator.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace liaison::analysis {

// One motion, with what averages need at Gauss points of its way out.
struct Swing {
    bool returns = false; // false: it never comes back; the rest means nothing
    double period = 0.0;
    double reach = 0.0; // largest distance from the stop
    double speed = 0.0; // u
    double far_speed = 0.0; // at the second stop
    double far_wronskian = 1.0;
    struct Point {
        double s = 0.0; // time since the stop
        double weight = 0.0; // of the integral over s
        double y = 0.0;
        double v = 0.0;
        double z = 0.0; // ∂y/∂u at constant phase s/T
        double wronskian = 0.0; // ẏ ∂v/∂u − ∂y/∂u v̇
    };
    std::vector<Point> way_out;
};

struct SwingState {
    double y = 0.0;
    double v = 0.0;
};

class GeneratingMotion {
  public:
    // `panels`: of twenty Gauss points each on the way out.
    GeneratingMotion(const ImpactOscillator& oscillator, std::shared_ptr<expr::Pool> pool,
                     std::vector<expr::Expr> parameters, int panels);

    [[nodiscard]] const Swing& swing(double u, std::span<const double> parameters);
    // Distance and its rate at a phase 0 … 2π since the stop.
    [[nodiscard]] SwingState state(double u, double phase, std::span<const double> parameters);

  private:
    struct Kept {
        double u = 0.0;
        std::vector<double> depends; // values of the parameters the motion depends on
        Swing swing;
    };
    // `at`: the share of the period at which the state is wanted instead of the Gauss points.
    [[nodiscard]] Swing compute(double u, const double* at, SwingState* found);

    flow::Flow flow_;
    std::unique_ptr<motion::Stepper> stepper_;
    std::vector<std::size_t> depends_on_;
    bool two_stops_;
    expr::Expr width_;
    int panels_;
    std::deque<Kept> kept_; // the last ones
};

} // namespace liaison::analysis
