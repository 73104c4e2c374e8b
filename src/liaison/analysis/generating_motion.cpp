// SPDX-License-Identifier: Apache-2.0
// Integration of the way out, and its Gauss points.
#include "liaison/analysis/generating_motion.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/motion/simulate.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace liaison::analysis {
namespace {

using expr::Expr;

constexpr double k_tolerance = 1e-15;

// The way out ends where its guard says.
class Halt final : public flow::Transition {
  public:
    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        flow::Outcome outcome;
        outcome.stop = true;
        return outcome;
    }
};

void evaluate(const std::vector<motion::Piece>& way, double s, std::span<double> state) {
    auto piece = std::find_if(way.begin(), way.end(), [s](const motion::Piece& p) {
        return s <= p.start.rounded() + p.length;
    });
    if (piece == way.end()) --piece;
    piece->evaluate(s - piece->start.rounded(), state);
}

} // namespace

GeneratingMotion::GeneratingMotion(const ImpactOscillator& oscillator,
                                   std::shared_ptr<expr::Pool> pool, std::vector<Expr> parameters,
                                   int panels)
    : two_stops_(static_cast<bool>(oscillator.width)), width_(oscillator.width), panels_(panels) {
    const Expr a = oscillator.generating;
    const Expr dy = pool->symbol("distance_u#");
    const Expr dv = pool->symbol("speed_u#");
    flow_.time = pool->symbol("time#");
    const Expr w = pool->symbol("wronskian#");
    const Expr a_v = expr::differentiate(a, oscillator.v);
    flow_.states = {oscillator.y, oscillator.v, dy, dv, w};
    flow_.state_names = {"y", "v", "y_u", "v_u", "w"};
    // Liouville: w = ẏ ∂v/∂u − ∂y/∂u v̇ obeys w' = (∂a/∂v) w
    flow_.rates = {oscillator.v, a, dv, expr::differentiate(a, oscillator.y) * dy + a_v * dv,
                   a_v * w};
    flow_.n_controlled = flow_.states.size();
    flow_.parameters = std::move(parameters);
    flow_.parameter_values.assign(flow_.parameters.size(), 0.0);
    flow_.parameter_names.assign(flow_.parameters.size(), "");
    flow_.transitions = {std::make_shared<Halt>()};
    const auto ends = [&](const char* name, Expr value, flow::Direction direction) {
        flow::Guard guard;
        guard.name = name;
        guard.value = value;
        guard.direction = direction;
        flow_.guards.push_back(std::move(guard));
    };
    ends("turns", oscillator.v, flow::Direction::down);
    if (two_stops_) ends("far stop", oscillator.y - width_, flow::Direction::up);
    flow_.pool = std::move(pool);
    for (std::size_t i = 0; i < flow_.parameters.size(); ++i) {
        if (expr::depends_on(a, flow_.parameters[i]) ||
            (two_stops_ && expr::depends_on(width_, flow_.parameters[i])))
            depends_on_.push_back(i);
    }
    stepper_ = motion::make_taylor_stepper(flow_, k_tolerance);
}

const Swing& GeneratingMotion::swing(double u, std::span<const double> parameters) {
    std::vector<double> depends;
    for (const std::size_t i : depends_on_) depends.push_back(parameters[i]);
    for (const Kept& k : kept_) {
        if (k.u == u && k.depends == depends) return k.swing;
    }
    flow_.parameter_values.assign(parameters.begin(), parameters.end());
    constexpr std::size_t k_most = 12;
    if (kept_.size() == k_most) kept_.pop_front();
    kept_.push_back({u, std::move(depends), compute(u, nullptr, nullptr)});
    return kept_.back().swing;
}

SwingState GeneratingMotion::state(double u, double phase, std::span<const double> parameters) {
    flow_.parameter_values.assign(parameters.begin(), parameters.end());
    SwingState found;
    double share = phase / (2.0 * std::numbers::pi);
    share -= std::floor(share);
    static_cast<void>(compute(u, &share, &found));
    return found;
}

Swing GeneratingMotion::compute(double u, const double* at, SwingState* found) {
    Swing swing;
    swing.speed = u;
    flow_.start_state = {0.0, u, 0.0, 1.0, u};
    std::vector<motion::Piece> way;
    motion::SimulateOptions options;
    options.until = 1e12;
    options.tolerance = k_tolerance;
    options.max_steps = 20000;
    options.on_piece = [&](const motion::Piece& piece) { way.push_back(piece); };
    stepper_->forget();
    const motion::Trajectory out = motion::simulate(flow_, *stepper_, options);
    const double half = out.time.rounded();
    if (out.status != motion::Status::done || way.empty() || !(half > 0.0) || half >= options.until)
        return swing;

    swing.returns = true;
    swing.period = 2.0 * half;
    swing.reach = out.state[0];
    // of half the period by u: the turn is v = 0, the far stop y = L
    const double y_u = out.state[2];
    const double v_u = out.state[3];
    swing.far_wronskian = out.state[4];
    const bool turns = !two_stops_ || std::abs(out.state[1]) < 1e-9 * u;
    swing.far_speed = turns ? 0.0 : out.state[1];
    const double half_rate = turns ? v_u * y_u / out.state[4] : -y_u / out.state[1];

    std::array<double, 5> x{};
    if (found != nullptr) {
        const double s = (*at <= 0.5 ? *at : 1.0 - *at) * swing.period;
        evaluate(way, s, x);
        *found = {x[0], *at <= 0.5 ? x[1] : -x[1]};
        return swing;
    }
    using Gauss = boost::math::quadrature::gauss<double, 20>;
    const double width = half / panels_;
    for (int panel = 0; panel < panels_; ++panel) {
        for (std::size_t i = 0; i < 20; ++i) {
            const std::size_t j = i < 10 ? 9 - i : i - 10;
            const double abscissa = Gauss::abscissa()[j] * (i < 10 ? -1.0 : 1.0);
            Swing::Point point;
            point.s = (panel + 0.5 * (1.0 + abscissa)) * width;
            point.weight = 0.5 * width * Gauss::weights()[j];
            evaluate(way, point.s, x);
            point.y = x[0];
            point.v = x[1];
            point.z = x[2] + point.s / half * half_rate * x[1];
            point.wronskian = x[4];
            swing.way_out.push_back(point);
        }
    }
    return swing;
}

} // namespace liaison::analysis
