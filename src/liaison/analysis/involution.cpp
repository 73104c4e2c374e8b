// SPDX-License-Identifier: Apache-2.0
// Images of coordinates, d/dt of them for velocities, and the test that twice the symmetry is nothing.
#include "liaison/analysis/involution.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Positions are the coordinates of the model and velocities their rates: what an image can be told for.
bool plain(const model::Model& model, const flow::Flow& flow) {
    const std::size_t n = model.coordinates.size();
    if (flow.n_positions != n || model.quasi || !model.bodies.empty()) return false;
    for (std::size_t i = 0; i < n; ++i) {
        if (!(flow.states[i] == model.coordinates[i].q)) return false;
    }
    if (flow.n_controlled == n) return true;
    if (flow.n_controlled != 2 * n || model.velocities.size() != n) return false;
    for (std::size_t i = 0; i < n; ++i) {
        if (model.velocities[i].coordinate != i || !(flow.states[n + i] == model.velocities[i].v))
            return false;
    }
    return true;
}

// A state in general position: no two entries alike, none zero.
VectorXd somewhere(const flow::Flow& flow, int which) {
    VectorXd x(static_cast<Index>(flow.n_controlled));
    for (Index i = 0; i < x.size(); ++i)
        x(i) = flow.start_state[static_cast<std::size_t>(i)] +
               std::sin(1.0 + 0.7 * static_cast<double>(i) + 1.9 * which);
    return x;
}

} // namespace

Involution::Involution(const flow::Flow& flow, std::vector<expr::Expr> images)
    : symbols_(flow.states.begin(),
               flow.states.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled)),
      n_states_(flow.n_controlled), images_(std::move(images)) {
    symbols_.insert(symbols_.end(), flow.parameters.begin(), flow.parameters.end());
    for (const expr::Expr& image : images_) {
        for (std::size_t j = 0; j < n_states_; ++j)
            derivatives_.push_back(expr::differentiate(image, symbols_[j]));
    }
}

std::vector<double> Involution::values(const std::vector<expr::Expr>& all, const VectorXd& w,
                                       std::span<const double> parameters) const {
    std::vector<double> at(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(n_states_));
    at.insert(at.end(), parameters.begin(), parameters.end());
    return expr::evaluate(all, symbols_, at);
}

VectorXd Involution::image(const VectorXd& w, std::span<const double> parameters) const {
    VectorXd result = w;
    const std::vector<double> v = values(images_, w, parameters);
    std::copy(v.begin(), v.end(), result.begin());
    return result;
}

MatrixXd Involution::by_state(const VectorXd& w, std::span<const double> parameters) const {
    MatrixXd result = MatrixXd::Identity(w.size(), w.size());
    const std::vector<double> v = values(derivatives_, w, parameters);
    for (std::size_t i = 0; i < n_states_; ++i) {
        for (std::size_t j = 0; j < n_states_; ++j)
            result(static_cast<Index>(i), static_cast<Index>(j)) = v[i * n_states_ + j];
    }
    return result;
}

VectorXd Involution::by_parameter(const VectorXd& w, std::span<const double> parameters,
                                  std::size_t parameter) const {
    std::vector<expr::Expr> rates;
    for (const expr::Expr& image : images_)
        rates.push_back(expr::differentiate(image, symbols_[n_states_ + parameter]));
    VectorXd result = VectorXd::Zero(w.size());
    const std::vector<double> v = values(rates, w, parameters);
    std::copy(v.begin(), v.end(), result.begin());
    return result;
}

std::shared_ptr<const Involution> symmetry_of(const model::Model& model, const flow::Flow& flow,
                                              base::Diagnostics& diagnostics) {
    if (!model.periodic || model.periodic->symmetry.empty()) return nullptr;
    const auto refuse = [&](const base::Span& span, const std::string& what,
                            const std::string& note) {
        diagnostics.report(base::Code::bad_symmetry, what).at(span).note(note);
        return nullptr;
    };
    if (!plain(model, flow))
        return refuse(model.periodic->span,
                      "[periodic] symmetry needs coordinates and their velocities as states",
                      fmt::format("quasi-velocities, bodies and the realisation {} have others; "
                                  "without symmetry the whole orbit is solved",
                                  flow.realisation));
    const std::size_t n = flow.n_positions;
    const std::vector<expr::Expr> q(flow.states.begin(),
                                    flow.states.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<expr::Expr> images = q;
    for (const model::Periodic::Image& image : model.periodic->symmetry) {
        const expr::Expr value = image.value.expr;
        const bool moves = expr::depends_on(value, flow.time) ||
                           std::any_of(flow.modes.begin(), flow.modes.end(), [&](const auto& m) {
                               return expr::depends_on(value, m.symbol);
                           });
        if (moves)
            return refuse(image.value.span,
                          "an image under [periodic] symmetry depends on time or on a discrete "
                          "state",
                          "it may depend on coordinates and parameters: the shift by half a period "
                          "is understood");
        images[image.coordinate] = value;
    }
    if (flow.n_controlled > n) {
        const std::vector<expr::Expr> rates(flow.states.begin() + static_cast<std::ptrdiff_t>(n),
                                            flow.states.begin() +
                                                static_cast<std::ptrdiff_t>(2 * n));
        const auto velocities = expr::differentiate_along(images, q, rates);
        images.insert(images.end(), velocities.begin(), velocities.end());
    }
    auto result = std::make_shared<const Involution>(flow, std::move(images));
    double moved = 0.0;
    constexpr int k_tried = 3;
    for (int k = 0; k < k_tried; ++k) {
        const VectorXd x = somewhere(flow, k);
        const VectorXd once = result->image(x, flow.parameter_values);
        const VectorXd twice = result->image(once, flow.parameter_values);
        if (!once.allFinite() || !twice.allFinite()) continue;
        moved = std::max(moved, (once - x).cwiseAbs().maxCoeff());
        Index worst = 0;
        const double apart = (twice - x).cwiseAbs().maxCoeff(&worst);
        if (apart > 1e-9 * std::max(1.0, x.cwiseAbs().maxCoeff()))
            return refuse(model.periodic->span,
                          "[periodic] symmetry, applied twice, does not lead back",
                          fmt::format("{} = {:.6g} becomes {:.6g}: the images must undo "
                                      "themselves, as x = \"-x\" does",
                                      flow.state_names[static_cast<std::size_t>(worst)], x(worst),
                                      twice(worst)));
    }
    if (moved == 0.0)
        return refuse(model.periodic->span, "[periodic] symmetry moves nothing",
                      "an orbit equal to itself after half its period is one of half the period");
    return result;
}

} // namespace liaison::analysis
