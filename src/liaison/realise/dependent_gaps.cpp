// SPDX-License-Identifier: Apache-2.0
// The rank of the gradients of gaps, as numbers at a point.
#include "liaison/realise/dependent_gaps.hpp"

#include "liaison/solve/factor.hpp"

#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;

// Rows of expressions as numbers; not finite ones as zero.
Eigen::MatrixXd numbers(const model::Model& model, const prepare::Point& point,
                        const std::vector<const equations::Row*>& rows, std::size_t width) {
    std::vector<expr::Expr> wanted;
    for (const equations::Row* row : rows) {
        for (const auto& e : *row) wanted.push_back(e.value);
    }
    Eigen::MatrixXd W =
        Eigen::MatrixXd::Zero(static_cast<Index>(rows.size()), static_cast<Index>(width));
    if (wanted.empty()) return W;
    const auto values = prepare::Evaluator(model).at(point, wanted);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const auto& e : *rows[i]) {
            const double value = values[next++];
            if (std::isfinite(value)) W(static_cast<Index>(i), static_cast<Index>(e.index)) = value;
        }
    }
    return W;
}

Index rank(const Eigen::MatrixXd& W) {
    if (W.rows() == 0) return 0;
    solve::RankFactor factor;
    factor.factor(W, {.threshold = 1e-9});
    return factor.rank();
}

} // namespace

bool gaps_depend(const model::Model& model, const equations::Equations& equations,
                 const std::vector<ContactSide>& sides, const prepare::Point& point) {
    std::vector<const equations::Row*> rows;
    for (const auto& c : equations.constraints) rows.push_back(&c.row.W);
    const std::size_t bilateral = rows.size();
    for (std::size_t k = 0; k < sides.size(); ++k) {
        if (k > 0 && sides[k].contact == sides[k - 1].contact) continue;
        rows.push_back(&sides[k].normal.W);
    }
    const Eigen::MatrixXd all = numbers(model, point, rows, equations.frame.size());
    const Index held = rank(all.topRows(static_cast<Index>(bilateral)));
    return rank(all) < held + static_cast<Index>(rows.size() - bilateral);
}

} // namespace liaison::realise
