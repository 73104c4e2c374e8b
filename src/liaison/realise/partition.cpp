// SPDX-License-Identifier: Apache-2.0
// Partitions as a transition with one guard.
#include "liaison/realise/partition.hpp"

#include "liaison/flow/probe.hpp"
#include "liaison/solve/dense.hpp"
#include "liaison/solve/vector_product.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

namespace liaison::realise {
namespace {

using Eigen::Index;
using expr::Expr;

constexpr double k_worse = 0.1;

class Partition final : public flow::Transition {
  public:
    Partition(std::size_t rows, std::vector<std::size_t> slots, std::size_t level,
              flow::Probe jacobian, flow::Probe share)
        : m_(rows), slots_(std::move(slots)), level_(level), jacobian_(std::move(jacobian)),
          share_(std::move(share)) {}

    flow::Outcome start(flow::Instant& now) const override { return choose(now); }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant& now) const override {
        return choose(now);
    }

  private:
    flow::Outcome choose(flow::Instant& now) const {
        const auto values = jacobian_(now);
        const std::size_t n = slots_.size();
        Eigen::MatrixXd S(static_cast<Index>(m_), static_cast<Index>(n));
        for (std::size_t i = 0; i < values.size(); ++i)
            S(static_cast<Index>(i / n), static_cast<Index>(i % n)) = values[i];
        const auto columns = solve::pivoted_columns(S);
        flow::Outcome outcome;
        if (!S.allFinite() || columns.rank < static_cast<Index>(m_)) {
            outcome.fail = true;
            outcome.reason = fmt::format("the constraints are dependent here (rank {} of {}): no "
                                         "choice of {} coordinates determines the others",
                                         columns.rank, m_, m_);
            return outcome;
        }
        for (const std::size_t slot : slots_) now.mode[slot] = 0.0;
        for (std::size_t k = 0; k < m_; ++k) {
            const Index column = columns.order[k];
            now.mode[slots_[static_cast<std::size_t>(column)]] = 1.0;
        }
        now.mode[level_] = k_worse * share_(now)[0];
        return outcome;
    }

    std::size_t m_;
    std::vector<std::size_t> slots_;
    std::size_t level_;
    flow::Probe jacobian_;
    flow::Probe share_;
};

} // namespace

void install_partition(const std::vector<std::vector<Expr>>& jacobian,
                       const std::vector<Expr>& dependent, Expr level, flow::Flow& flow) {
    expr::Pool& pool = *flow.pool;
    const std::size_t m = jacobian.size();
    // det(f_x E f_xᵀ)/det(f_x f_xᵀ), E the diagonal of `dependent`
    const auto gram = [&](bool masked) {
        std::vector<std::vector<Expr>> product(m, std::vector<Expr>(m));
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j) {
                Expr sum = pool.number(0);
                for (std::size_t c = 0; c < dependent.size(); ++c) {
                    const Expr term = jacobian[i][c] * jacobian[j][c];
                    sum = sum + (masked ? term * dependent[c] : term);
                }
                product[i][j] = sum;
            }
        }
        return solve::determinant(product, pool.number(1));
    };
    const Expr share = gram(true) / gram(false);

    std::vector<std::size_t> slots;
    for (const Expr symbol : dependent) slots.push_back(flow::slot_of(flow, symbol));
    std::vector<Expr> entries;
    for (const auto& row : jacobian) entries.insert(entries.end(), row.begin(), row.end());
    flow::Guard guard;
    guard.name = "partition";
    guard.value = share - level;
    guard.direction = flow::Direction::down;
    guard.owner = flow.transitions.size();
    flow.guards.push_back(std::move(guard));
    flow.transitions.push_back(
        std::make_shared<Partition>(m, std::move(slots), flow::slot_of(flow, level),
                                    flow::Probe(flow, entries), flow::Probe(flow, {share})));
}

} // namespace liaison::realise
