// SPDX-License-Identifier: Apache-2.0
// Differences of the prepared start.
#include "liaison/prepare/start_derivative.hpp"

#include "liaison/solve/extrapolated_difference.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

std::optional<StartDerivative> start_derivative(const model::Model& model, const Options& options,
                                                const Start& start, std::size_t parameter) {
    const double value = start.point.parameters[parameter];
    const std::size_t n_q = start.point.q.size();
    const std::size_t n_v = start.point.v.size();
    const auto moved = [&](double h) -> std::optional<Eigen::VectorXd> {
        Options changed = options;
        std::erase_if(changed.settings, [&](const Setting& s) { return s.parameter == parameter; });
        changed.settings.push_back({parameter, value + h});
        base::Diagnostics ignored;
        const auto there = prepare(model, changed, ignored);
        if (!there) return std::nullopt;
        Eigen::VectorXd state(static_cast<Eigen::Index>(n_q + n_v));
        std::copy(there->point.q.begin(), there->point.q.end(), state.begin());
        std::copy(there->point.v.begin(), there->point.v.end(),
                  state.begin() + static_cast<std::ptrdiff_t>(n_q));
        return state;
    };
    const auto difference =
        solve::extrapolated_difference(moved, 1e-3 * std::max(1e-3, std::abs(value)));
    if (!difference) return std::nullopt;
    StartDerivative result;
    const auto middle = difference->value.begin() + static_cast<std::ptrdiff_t>(n_q);
    result.q.assign(difference->value.begin(), middle);
    result.v.assign(middle, difference->value.end());
    result.error = difference->error;
    return result;
}

} // namespace liaison::prepare
