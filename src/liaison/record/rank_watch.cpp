// SPDX-License-Identifier: Apache-2.0
// Singular values of the constraint rows along the motion.
#include "liaison/record/rank_watch.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::record {
namespace {

constexpr std::size_t k_most_constraints = 24;
constexpr double k_dependent = 1e-10;
constexpr double k_close = 1e-3;
constexpr double k_suspect =
    0.5; // share of the usual ratio below which the least one is looked for

} // namespace

RankWatch::RankWatch(const flow::Flow& flow) {
    const std::size_t m = flow.constraints.size();
    if (m == 0 || m > k_most_constraints) return;
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
    double least = 1.0;
    double where = 0.0;
    for (const double share : {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0}) {
        const double ratio = look(piece, share);
        if (ratio < least) {
            least = ratio;
            where = share;
        }
    }
    if (least < k_suspect * usual_ && rank_ > 0) follow(piece, where);
}

// The smallest ratio about this share of the piece: it falls to zero and rises again within steps that pass a singular
// position. Golden section.
void RankWatch::follow(const motion::Piece& piece, double share) {
    constexpr double k_golden = 0.6180339887498949;
    constexpr int k_cuts = 40;
    double a = std::max(0.0, share - 1.0 / 3.0);
    double b = std::min(1.0, share + 1.0 / 3.0);
    double c = b - k_golden * (b - a);
    double d = a + k_golden * (b - a);
    double at_c = look(piece, c);
    double at_d = look(piece, d);
    for (int i = 0; i < k_cuts; ++i) {
        if (at_c < at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - k_golden * (b - a);
            at_c = look(piece, c);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + k_golden * (b - a);
            at_d = look(piece, d);
        }
    }
}

// σ_ρ relative to the largest singular value so far.
double RankWatch::look(const motion::Piece& piece, double share) {
    piece.evaluate(share * piece.length, now_.state);
    now_.field_time = piece.field_time + share * piece.length;
    const auto values = probe_(now_);
    for (Eigen::Index i = 0; i < rows_; ++i) {
        for (Eigen::Index j = 0; j < columns_; ++j)
            F_(i, j) = values[static_cast<std::size_t>(i * columns_ + j)];
    }
    if (!F_.allFinite()) return 1.0;
    const Eigen::VectorXd sigma = solve::singular_values(F_);
    if (!(sigma(0) > 0.0) && rank_ == 0) return 1.0;
    scale_ = std::max(scale_, sigma(0));
    if (rank_ == 0) {
        while (rank_ < sigma.size() && sigma(rank_) > k_dependent * sigma(0)) ++rank_;
        usual_ = sigma(rank_ - 1) / scale_;
    }
    const double ratio = sigma(rank_ - 1) / scale_;
    if (ratio < smallest_) {
        smallest_ = ratio;
        at_ = piece.start.rounded() + share * piece.length;
    }
    return ratio;
}

void RankWatch::finish(Run& run) const {
    if (empty() || rank_ == 0) return;
    if (rows_ > 1) run.rank = {static_cast<std::size_t>(rank_), smallest_, at_};
    if (!(smallest_ < k_close * usual_)) return;
    run.warnings.push_back(fmt::format(
        "{} at t = {:.6g} (singular value ratio {:.1e}): near a singular position reactions may be "
        "large, and the motion beyond may be one of several",
        rows_ > 1 ? "the constraints nearly depend on each other"
                  : "the gradient of the constraint nearly vanishes",
        at_, smallest_));
}

} // namespace liaison::record
