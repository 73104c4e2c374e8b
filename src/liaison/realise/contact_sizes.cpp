// SPDX-License-Identifier: Apache-2.0
// Sizes read off the start, with room for what the motion makes of it.
#include "liaison/realise/contact_sizes.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/realise/periodicity.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

double largest(const Eigen::VectorXd& values) {
    double size = 0.0;
    for (const double x : values) {
        if (std::isfinite(x)) size = std::max(size, std::abs(x));
    }
    return size;
}

double frequency_at_start(const flow::Flow& flow) {
    const expr::Expr omega = common_frequency(flow.rates, flow.time, flow.states);
    if (!omega) return 0.0;
    const double w = std::abs(expr::evaluate(omega, flow.parameters, flow.parameter_values));
    return std::isfinite(w) ? w : 0.0;
}

// A motion may stay this much smaller than its start and be judged as before: only units that are far off change
// anything.
double floor_of(double size) {
    constexpr double k_room = 1e3;
    constexpr double k_least = 1e-100;
    return size > 0.0 ? std::clamp(k_room * size, k_least, 1.0) : 1.0;
}

// v/b or √(s/b). Hours and milliseconds are units of models; what is shorter or longer, or of no size, is a start at rest but
// for rounding. The frequency of forces does not help: a common one of several is lower than each of them.
double time_of(double length, double speed, double acceleration) {
    constexpr double k_shortest = 1e-3;
    constexpr double k_nothing = 1e-9;
    double time = 0.0;
    if (speed > k_nothing && acceleration > 0.0) time = speed / acceleration;
    if (length > k_nothing && acceleration > 0.0)
        time = std::max(time, std::sqrt(length / acceleration));
    return time > 0.0 ? std::clamp(time, k_shortest, 1.0 / k_shortest) : 1.0;
}

} // namespace

ContactSizes contact_sizes(const flow::Flow& flow, const Eigen::VectorXd& gap,
                           const Eigen::VectorXd& speeds, const Eigen::VectorXd& b,
                           const Eigen::VectorXd& response) {
    double length = largest(gap);
    double speed = largest(speeds);
    for (std::size_t i = 0; i < flow.n_controlled; ++i) {
        double& size = i < flow.n_positions ? length : speed;
        size = std::max(size, std::abs(flow.start_state[i]));
    }
    double acceleration = largest(b);
    const double time = time_of(length, speed, acceleration);
    const double omega = frequency_at_start(flow);
    if (acceleration > 0.0) length = std::max(length, speed * speed / acceleration);
    if (omega > 0.0) length = std::max({length, speed / omega, acceleration / (omega * omega)});
    speed = std::max({speed, std::sqrt(acceleration * length), omega * length});
    acceleration = std::max(acceleration, omega * speed);
    if (length > 0.0) acceleration = std::max(acceleration, speed * speed / length);
    const double stiffest = largest(response.cwiseInverse());
    return {floor_of(length),
            floor_of(speed),
            floor_of(acceleration),
            floor_of(acceleration * stiffest),
            time,
            length,
            speed};
}

} // namespace liaison::realise
