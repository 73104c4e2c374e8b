// SPDX-License-Identifier: Apache-2.0
// The projection as the settling part of a transition.
#include "liaison/realise/projection.hpp"

#include "liaison/flow/probe.hpp"

#include <Eigen/Dense>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Projection final : public flow::Transition {
  public:
    Projection(std::shared_ptr<const expr::Structure> structure, std::vector<KeptRow> rows,
               std::vector<std::size_t> slots, std::vector<equations::Row> K,
               std::size_t n_positions, std::size_t n_v, std::size_t n_u, flow::Probe probe)
        : structure_(std::move(structure)), rows_(std::move(rows)), slots_(std::move(slots)),
          K_(std::move(K)), n_positions_(n_positions), n_v_(n_v), n_u_(n_u),
          probe_(std::move(probe)) {}

    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }

    void settle(flow::Instant& now) const override {
        bool any = false;
        for (const std::size_t slot : slots_)
            any = any || slot == k_always || now.mode[slot] != 0.0;
        if (any) project(now);
    }

  private:
    static constexpr std::size_t k_always = ~std::size_t{0};

    void project(flow::Instant& now) const {
        const auto values = probe_(now);
        const auto n = static_cast<Index>(structure_->n);
        std::size_t at = 0;
        MatrixXd A = MatrixXd::Zero(n, n);
        for (const auto& entry : structure_->entries) {
            A(entry.row, entry.col) = values[at];
            A(entry.col, entry.row) = values[at++];
        }
        std::vector<Index> active;
        MatrixXd W = MatrixXd::Zero(static_cast<Index>(rows_.size()), static_cast<Index>(n_u_));
        VectorXd f(static_cast<Index>(rows_.size()));
        VectorXd s(static_cast<Index>(rows_.size()));
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const auto i = static_cast<Index>(r);
            f(i) = rows_[r].violation ? values[at++] : 0.0;
            s(i) = values[at++];
            for (const auto& e : rows_[r].W) W(i, e.index) = values[at++];
            if (slots_[r] == k_always || now.mode[slots_[r]] != 0.0) active.push_back(i);
        }
        const MatrixXd Wa = W(active, Eigen::all);
        MatrixXd right = MatrixXd::Zero(n, static_cast<Index>(active.size()));
        right.topRows(static_cast<Index>(n_u_)) = Wa.transpose();
        const MatrixXd R = A.partialPivLu().solve(right).topRows(static_cast<Index>(n_u_));
        const auto G = (Wa * R).eval().completeOrthogonalDecomposition();
        const VectorXd shift = -R * G.solve(VectorXd(f(active)));
        const VectorXd kick = -R * G.solve(VectorXd(s(active)));
        if (!shift.allFinite() || !kick.allFinite()) return;
        move_positions(now, shift, values, at);
        for (std::size_t i = 0; i < n_v_; ++i)
            now.state[n_positions_ + i] += kick(static_cast<Index>(i));
    }

    void move_positions(flow::Instant& now, const VectorXd& shift,
                        const std::vector<double>& values, std::size_t at) const {
        for (std::size_t i = 0; i < n_positions_; ++i) {
            for (const auto& e : K_[i]) now.state[i] += values[at++] * shift(e.index);
        }
    }

    std::shared_ptr<const expr::Structure> structure_;
    std::vector<KeptRow> rows_;
    std::vector<std::size_t> slots_;
    std::vector<equations::Row> K_;
    std::size_t n_positions_, n_v_, n_u_;
    flow::Probe probe_;

    friend void liaison::realise::install_projection(const equations::Equations&,
                                                     const equations::LinearSystem&,
                                                     std::vector<KeptRow>, flow::Flow&);
};

} // namespace

void install_projection(const equations::Equations& equations,
                        const equations::LinearSystem& mass_system, std::vector<KeptRow> rows,
                        flow::Flow& flow) {
    if (rows.empty()) return;
    std::vector<expr::Expr> values = mass_system.entries;
    std::vector<std::size_t> slots;
    for (const KeptRow& row : rows) {
        if (row.violation) values.push_back(row.violation);
        values.push_back(row.rate);
        for (const auto& e : row.W) values.push_back(e.value);
        slots.push_back(row.mask ? flow::slot_of(flow, *row.mask) : Projection::k_always);
    }
    for (const auto& row : equations.frame.K()) {
        for (const auto& e : row) values.push_back(e.value);
    }
    flow.transitions.push_back(std::make_shared<Projection>(
        mass_system.structure, std::move(rows), std::move(slots), equations.frame.K(),
        flow.n_positions, equations.frame.n_velocities(), equations.frame.size(),
        flow::Probe(flow, std::move(values))));
}

} // namespace liaison::realise
