// SPDX-License-Identifier: Apache-2.0
// The fields of both sides at a start on sliding surfaces, and the projection they give.
#include "liaison/realise/relay_derivative.hpp"

#include "liaison/expr/derivative.hpp"

#include <algorithm>
#include <optional>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Passage;
using flow::ResetJacobian;

class RelayDerivative final : public flow::ResetDerivative {
  public:
    RelayDerivative(const RelayRule& rule, const std::vector<RelaySurface>& surfaces,
                    const flow::Flow& flow, std::span<const Expr> atoms)
        : rule_(rule), rows_(static_cast<Index>(flow::Atoms(flow, atoms).rows())),
          n_states_(static_cast<Index>(flow.n_controlled)),
          n_positions_(static_cast<Index>(flow.n_positions)),
          atoms_(static_cast<Index>(atoms.size())), affine_(flow.followed.empty()) {
        for (const RelaySurface& s : surfaces) {
            gradients_.emplace_back();
            for (const Expr lower : s.lower)
                gradients_.back().emplace_back(flow, expr::gradient(lower, atoms));
        }
    }

    [[nodiscard]] ResetJacobian at(const Passage& passage) const override {
        ResetJacobian result;
        result.matrix = flow::identity_reset(rows_, atoms_);
        if (passage.call == Passage::Call::start) project(passage.after, result);
        if (passage.call == Passage::Call::transit) enter(passage, result);
        return result;
    }
    [[nodiscard]] bool settles() const override { return false; }

  private:
    [[nodiscard]] Eigen::RowVectorXd gradient(const flow::Probe& probe,
                                              const flow::Instant& now) const {
        const auto values = probe(now);
        return Eigen::Map<const Eigen::RowVectorXd>(values.data(), atoms_);
    }

    void project(const flow::Instant& now, ResetJacobian& result) const {
        std::vector<std::size_t> sliding;
        for (std::size_t b = 0; b < rule_.size(); ++b) {
            if (rule_.side(now, b) == 0) sliding.push_back(b);
        }
        for (const std::size_t b : sliding) {
            const auto change = arrival(now, b, sliding.size());
            if (change) {
                result.matrix.topRows(n_states_) += *change * gradient(gradients_[b][0], now);
                continue;
            }
            for (const flow::Probe& row : gradients_[b]) {
                result.bound.conservativeResize(result.bound.rows() + 1, atoms_);
                result.bound.bottomRows(1) = gradient(row, now);
            }
        }
    }

    // The motion that begins to slide is put onto its surface, x⁺ = x − u S with u = ∇S/|∇S|² by the velocities, or by
    // the positions where S does not depend on those. It matters where S is not yet zero: in the equations of an orbit
    // that are being solved.
    void enter(const Passage& passage, ResetJacobian& result) const {
        std::optional<std::size_t> entered;
        for (std::size_t b = 0; b < rule_.size(); ++b) {
            if (rule_.side(passage.after, b) != 0) continue;
            if (entered || rule_.side(passage.before, b) == 0 || gradients_[b].size() > 1) return;
            entered = b;
        }
        if (!entered) return;
        const Eigen::RowVectorXd all = gradient(gradients_[*entered][0], passage.before);
        VectorXd u = VectorXd::Zero(n_states_);
        const Index velocities = n_states_ - n_positions_;
        u.tail(velocities) = all.segment(n_positions_, velocities).transpose();
        if (u.isZero(0.0)) u.head(n_positions_) = all.head(n_positions_).transpose();
        const double square = u.squaredNorm();
        if (square > 0.0) result.matrix.topRows(n_states_) -= u / square * all;
    }

    // (f_s − f±)/Ṡ±, the same for both sides; nothing where they differ.
    [[nodiscard]] std::optional<VectorXd> arrival(const flow::Instant& now, std::size_t relay,
                                                  std::size_t sliding) const {
        constexpr double k_same = 1e-9;
        if (gradients_[relay].size() > 1 || !rule_.follows(now, relay)) return std::nullopt;
        if (!affine_ && sliding > 1) return std::nullopt; // the other values would have to follow
        const VectorXd slides = rule_.field(now).head(n_states_);
        const auto from = [&](int side) {
            flow::Instant there = now;
            rule_.set(there, relay, side, 0.0);
            const double rate = rule_.surface_rates(there)(static_cast<Index>(relay));
            return VectorXd((slides - rule_.field(there).head(n_states_)) / rate);
        };
        VectorXd above = from(1);
        const VectorXd below = from(-1);
        const double size = 1.0 + above.cwiseAbs().maxCoeff();
        const bool same = above.allFinite() && below.allFinite() &&
                          (above - below).cwiseAbs().maxCoeff() <= k_same * size;
        if (!same) return std::nullopt;
        return above;
    }

    const RelayRule& rule_;
    Index rows_, n_states_, n_positions_, atoms_;
    bool affine_;
    std::vector<std::vector<flow::Probe>> gradients_; // by relay: of S, Ṡ, … S^(r−1) by atom
};

} // namespace

std::shared_ptr<const flow::ResetDerivative>
relay_derivative(const RelayRule& rule, const std::vector<RelaySurface>& surfaces,
                 const flow::Flow& flow, std::span<const Expr> atoms) {
    return std::make_shared<RelayDerivative>(rule, surfaces, flow, atoms);
}

} // namespace liaison::realise
