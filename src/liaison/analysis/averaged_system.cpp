// SPDX-License-Identifier: Apache-2.0
// Means over the Gauss points of the generating motion.
#include "liaison/analysis/averaged_system.hpp"

#include "liaison/expr/evaluate.hpp"

#include <cmath>
#include <numbers>

namespace liaison::analysis {
namespace {

using expr::Expr;
constexpr double k_turn = 2.0 * std::numbers::pi;

compile::Evaluator compiled(const ImpactOscillator& oscillator,
                            const std::vector<Expr>& parameters) {
    compile::Request request;
    for (const Expr p : parameters) {
        request.inputs.push_back(p);
        request.stages.push_back(compile::Stage::parameter);
    }
    request.inputs.insert(request.inputs.end(), {oscillator.psi, oscillator.y, oscillator.v});
    request.stages.insert(request.stages.end(), {compile::Stage::time, compile::Stage::position,
                                                 compile::Stage::velocity});
    request.outputs = {oscillator.small};
    return compile::make_evaluator(request);
}

} // namespace

AveragedSystem::AveragedSystem(const ImpactOscillator& oscillator, std::shared_ptr<expr::Pool> pool,
                               std::vector<Expr> parameters, int n, int k, int refinement)
    : oscillator_(oscillator), parameters_(std::move(parameters)),
      motion_(oscillator, std::move(pool), parameters_, refinement * (2 + k / n)),
      small_(compiled(oscillator, parameters_)), work_(small_.make_workspace()),
      inputs_(parameters_.size() + 3), n_(n), k_(k) {}

double AveragedSystem::frequency(std::span<const double> parameters) const {
    return expr::evaluate(oscillator_.frequency, parameters_, parameters);
}

double AveragedSystem::restitution(std::size_t stop, std::span<const double> parameters) const {
    return expr::evaluate(oscillator_.stops[stop].restitution, parameters_, parameters);
}

AveragedRates AveragedSystem::rates(double u, double theta, std::span<const double> parameters) {
    const Swing& swing = motion_.swing(u, parameters);
    AveragedRates mean;
    if (!swing.returns) return mean;
    std::copy(parameters.begin(), parameters.end(), inputs_.begin());
    double* const at = inputs_.data() + parameters.size();
    compile::Stage from = compile::Stage::constant;
    double phase = 0.0;
    for (int turn = 0; turn < n_; ++turn) {
        for (const bool out : {true, false}) {
            for (const Swing::Point& p : swing.way_out) {
                const double share = out ? p.s / swing.period : 1.0 - p.s / swing.period;
                const double angle = k_turn * (turn + share) - std::numbers::pi;
                at[0] = (theta + k_ * angle) / n_;
                at[1] = p.y;
                at[2] = out ? p.v : -p.v;
                double a = 0.0;
                small_.run(inputs_.data(), &a, work_, from);
                from = compile::Stage::time;
                const double power = p.weight * a * at[2] / p.wronskian;
                mean.speed += power;
                mean.size += std::abs(power);
                phase += p.weight * a * p.z / p.wronskian;
            }
        }
    }
    const double time = n_ * swing.period;
    double loss = (1.0 - restitution(0, parameters)) * u;
    if (swing.far_speed > 0.0)
        loss += (1.0 - restitution(1, parameters)) * swing.far_speed * swing.far_speed /
                swing.far_wronskian;
    mean.speed = mean.speed / time - loss / swing.period;
    mean.size = mean.size / time + std::abs(loss) / swing.period;
    mean.strength = mean.size * swing.period / u;
    const double Omega = k_turn / swing.period;
    mean.phase = n_ * frequency(parameters) - k_ * Omega * (1.0 - phase / time);
    mean.exist = std::isfinite(mean.speed) && std::isfinite(mean.phase);
    return mean;
}

SwingState AveragedSystem::coordinate(double u, double theta, double time,
                                      std::span<const double> parameters) {
    const double psi = frequency(parameters) * time;
    const double angle = (n_ * psi - theta) / k_ + std::numbers::pi;
    const SwingState there = motion_.state(u, angle, parameters);
    std::vector<Expr> symbols = parameters_;
    symbols.insert(symbols.end(), {oscillator_.psi, oscillator_.y, oscillator_.v});
    std::vector<double> values(parameters.begin(), parameters.end());
    values.insert(values.end(), {psi, there.y, there.v});
    return {expr::evaluate(oscillator_.q, symbols, values),
            expr::evaluate(oscillator_.q_rate, symbols, values)};
}

} // namespace liaison::analysis
