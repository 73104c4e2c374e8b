// SPDX-License-Identifier: Apache-2.0
// Singular values of the constraint rows along the motion.
#include "liaison/record/rank_watch.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

namespace liaison::record {
namespace {

constexpr std::size_t k_most_constraints = 24;
constexpr double k_dependent = 1e-10;
constexpr double k_close = 1e-3;

} // namespace

RankWatch::RankWatch(const flow::Flow& flow) {
    const std::size_t m = flow.constraints.size();
    if (m < 2 || m > k_most_constraints) return;
    const bool mechanical = flow.n_controlled > flow.n_positions;
    const auto first = static_cast<std::ptrdiff_t>(mechanical ? flow.n_positions : 0);
    const std::vector<expr::Expr> atoms(flow.states.begin() + first,
                                        flow.states.begin() +
                                            static_cast<std::ptrdiff_t>(flow.n_controlled));
    std::vector<expr::Expr> entries;
    for (const flow::HeldConstraint& held : flow.constraints) {
        const auto row = expr::gradient(held.rate ? held.rate : held.f, atoms);
        entries.insert(entries.end(), row.begin(), row.end());
    }
    rows_ = static_cast<Eigen::Index>(m);
    columns_ = static_cast<Eigen::Index>(atoms.size());
    probe_ = flow::Probe(flow, std::move(entries));
    now_.parameters = flow.parameter_values;
    now_.state.resize(flow.states.size());
    F_.resize(rows_, columns_);
}

void RankWatch::see(const motion::Piece& piece) {
    now_.mode = piece.mode;
    for (const double share : {0.0, 1.0 / 3.0, 2.0 / 3.0}) {
        piece.evaluate(share * piece.length, now_.state);
        now_.field_time = piece.field_time + share * piece.length;
        look(now_, piece.start.rounded() + share * piece.length);
    }
}

void RankWatch::look(const flow::Instant& now, double time) {
    const auto values = probe_(now);
    for (Eigen::Index i = 0; i < rows_; ++i) {
        for (Eigen::Index j = 0; j < columns_; ++j)
            F_(i, j) = values[static_cast<std::size_t>(i * columns_ + j)];
    }
    if (!F_.allFinite()) return;
    const Eigen::VectorXd sigma = solve::singular_values(F_);
    if (!(sigma(0) > 0.0)) return;
    if (rank_ == 0) {
        while (rank_ < sigma.size() && sigma(rank_) > k_dependent * sigma(0)) ++rank_;
        usual_ = sigma(rank_ - 1) / sigma(0);
    }
    const double ratio = sigma(rank_ - 1) / sigma(0);
    if (ratio < smallest_) {
        smallest_ = ratio;
        at_ = time;
    }
}

void RankWatch::finish(Run& run) const {
    if (empty() || rank_ == 0) return;
    run.rank = {static_cast<std::size_t>(rank_), smallest_, at_};
    if (smallest_ < k_close * usual_)
        run.warnings.push_back(fmt::format(
            "the constraints nearly depend on each other at t = {:.6g} (singular value ratio {:.1e}): "
            "near a singular position reactions may be large, and the motion beyond may be one of several",
            at_, smallest_));
}

} // namespace liaison::record
