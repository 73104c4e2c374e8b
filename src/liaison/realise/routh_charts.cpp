// SPDX-License-Identifier: Apache-2.0
// Newton's step back to f = s, the projection of p, and the choice of the coordinates that the gaps replace.
#include "liaison/realise/routh_charts.hpp"

#include "liaison/solve/dense.hpp"

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;

RouthCharts::RouthCharts(const Unfolded& unfolded, std::vector<RouthPlaces> places,
                         const flow::Flow& flow)
    : places_(std::move(places)), n_(flow.n_positions) {
    std::vector<Expr> straight;
    for (const UnfoldedContact& c : unfolded.contacts) straight.push_back(c.f);
    for (const UnfoldedContact& c : unfolded.contacts) {
        for (const Expr g : c.gradient) straight.push_back(g ? g : flow.pool->number(0));
    }
    straight_ = flow::Probe(flow, std::move(straight));
}

void RouthCharts::keep_straight(Instant& now) const {
    const auto m = static_cast<Index>(places_.size());
    const auto n = static_cast<Index>(n_);
    const auto read = [&](VectorXd& miss, MatrixXd& F) {
        const auto values = straight_(now);
        for (Index k = 0; k < m; ++k) {
            miss(k) = s_of(now, places_[static_cast<std::size_t>(k)]) -
                      values[static_cast<std::size_t>(k)];
        }
        F = Eigen::Map<
            const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            values.data() + m, m, n);
    };
    VectorXd miss(m);
    MatrixXd F(m, n);
    read(miss, F);
    choose(now, F);
    const MatrixXd A = charts(now);
    const MatrixXd AF = A * F.transpose();
    const VectorXd shift = A.transpose() * solve::Elimination(AF.transpose()).solve(miss);
    Eigen::Map<VectorXd> q(now.state.data(), n);
    Eigen::Map<VectorXd> p(now.state.data() + n, n);
    if (!shift.allFinite()) return;
    q += shift;
    const VectorXd turn_p = F.transpose() * solve::Elimination(AF).solve(A * p);
    if (turn_p.allFinite()) p -= turn_p;
}

MatrixXd RouthCharts::charts(const Instant& now) const {
    MatrixXd A(static_cast<Index>(places_.size()), static_cast<Index>(n_));
    for (std::size_t k = 0; k < places_.size(); ++k) {
        for (std::size_t i = 0; i < n_; ++i) {
            A(static_cast<Index>(k), static_cast<Index>(i)) = now.mode[places_[k].chart + i];
        }
    }
    return A;
}

// A chart is kept while its slope is not below a tenth of the best one.
void RouthCharts::choose(Instant& now, const MatrixXd& F) const {
    constexpr double k_worth_changing = 0.1;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        double* chart = now.mode.data() + places_[k].chart;
        const auto row = F.row(static_cast<Index>(k)).cwiseAbs();
        Index present = 0;
        Index best = -1;
        for (Index i = 0; i < row.size(); ++i) {
            bool taken = false;
            for (std::size_t other = 0; other < places_.size(); ++other)
                taken =
                    taken || (other != k &&
                              now.mode[places_[other].chart + static_cast<std::size_t>(i)] != 0.0);
            if (chart[i] != 0.0) present = i;
            if (!taken && (best < 0 || row(i) > row(best))) best = i;
        }
        if (best < 0 || row(present) >= k_worth_changing * row(best)) continue;
        chart[present] = 0.0;
        chart[best] = 1.0;
    }
}

} // namespace liaison::realise
