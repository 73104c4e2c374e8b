// SPDX-License-Identifier: Apache-2.0
// One Gauss–Newton step onto the sliding surfaces.
#include "liaison/realise/surface_projection.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::realise {

SurfaceProjection::SurfaceProjection(const flow::Flow& flow, const RelayField& field)
    : n_(flow.n_controlled), n_positions_(flow.n_positions) {
    std::vector<Expr> values;
    std::vector<Expr> gradients;
    const std::span<const Expr> states(flow.states.data(), n_);
    for (std::size_t b = 0; b < field.surfaces().size(); ++b) {
        for (const Expr s : field.surfaces()[b].lower) {
            Row row{b, {}, {}};
            const auto gradient = expr::gradient(s, states);
            const auto take = [&](std::size_t from, std::size_t to) {
                for (std::size_t i = from; i < to; ++i) {
                    if (gradient[i].is_zero()) continue;
                    row.states.push_back(i);
                    gradients.push_back(gradient[i]);
                    if (gradient[i].is_number())
                        row.constant.push_back(gradient[i].number().value());
                }
            };
            take(flow.n_positions, n_);
            if (row.states.empty()) take(0, flow.n_positions);
            values.push_back(s);
            rows_.push_back(std::move(row));
        }
    }
    values_ = flow::Probe(flow, std::move(values));
    gradients_ = flow::Probe(flow, std::move(gradients));
}

Eigen::MatrixXd SurfaceProjection::gradient(const flow::Instant& now,
                                            const std::vector<std::size_t>& sliding) const {
    const auto gradients = gradients_(now);
    std::vector<Eigen::RowVectorXd> active;
    std::size_t at = 0;
    for (const Row& row : rows_) {
        Eigen::RowVectorXd values = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(n_));
        for (const std::size_t state : row.states)
            values(static_cast<Eigen::Index>(state)) = gradients[at++];
        if (std::find(sliding.begin(), sliding.end(), row.relay) != sliding.end())
            active.push_back(std::move(values));
    }
    Eigen::MatrixXd G(static_cast<Eigen::Index>(active.size()), static_cast<Eigen::Index>(n_));
    for (std::size_t r = 0; r < active.size(); ++r) G.row(static_cast<Eigen::Index>(r)) = active[r];
    return G;
}

void SurfaceProjection::project(flow::Instant& now, const std::vector<std::size_t>& sliding) const {
    const auto values = values_(now);
    std::vector<double> active;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (std::find(sliding.begin(), sliding.end(), rows_[r].relay) != sliding.end())
            active.push_back(values[r]);
    }
    const Eigen::VectorXd s =
        Eigen::Map<const Eigen::VectorXd>(active.data(), static_cast<Eigen::Index>(active.size()));
    if (s.size() == 0 || s.cwiseAbs().maxCoeff() == 0.0) return;
    const Eigen::VectorXd step = solve::least_norm(gradient(now, sliding), s);
    if (!step.allFinite()) return;
    for (std::size_t k = 0; k < n_; ++k) now.state[k] -= step(static_cast<Eigen::Index>(k));
}

void SurfaceProjection::project(flow::Instant& now, std::size_t sliding) const {
    constexpr std::size_t k_most = 64;
    const Row* only = nullptr;
    std::size_t index = 0;
    std::size_t first = 0; // of its gradient
    std::size_t rows = 0;
    for (std::size_t r = 0, at = 0; r < rows_.size(); at += rows_[r].states.size(), ++r) {
        if (rows_[r].relay != sliding) continue;
        only = &rows_[r];
        index = r;
        first = at;
        ++rows;
    }
    if (rows != 1 || values_.size() > k_most || gradients_.size() > k_most) {
        project(now, std::vector<std::size_t>{sliding});
        return;
    }
    std::array<double, k_most> numbers;
    values_.evaluate(now, std::span(numbers.data(), values_.size()));
    const double S = numbers[index];
    if (S == 0.0) return;
    if (only->constant.size() == only->states.size()) {
        std::ranges::copy(only->constant, numbers.begin());
        first = 0;
    } else {
        gradients_.evaluate(now, std::span(numbers.data(), gradients_.size()));
    }
    double square = 0.0;
    for (std::size_t k = 0; k < only->states.size(); ++k)
        square += numbers[first + k] * numbers[first + k];
    const double share = S / square;
    if (!std::isfinite(share)) return;
    for (std::size_t k = 0; k < only->states.size(); ++k)
        now.state[only->states[k]] -= share * numbers[first + k];
}

bool SurfaceProjection::holds_all(const flow::Instant& now,
                                  const std::vector<std::size_t>& sliding) const {
    const auto n_v = static_cast<Eigen::Index>(n_ - n_positions_);
    if (n_v == 0 || static_cast<Eigen::Index>(sliding.size()) < n_v) return false;
    const Eigen::MatrixXd G = gradient(now, sliding).rightCols(n_v);
    return solve::rank_of(G) == n_v;
}

} // namespace liaison::realise
