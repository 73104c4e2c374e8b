// SPDX-License-Identifier: Apache-2.0
// Conditions of the start as equations for some of its values, solved by Newton from the values given.
#pragma once

#include "liaison/expr/derivative.hpp"
#include "liaison/prepare/work.hpp"
#include "liaison/solve/newton.hpp"

#include <utility>
#include <vector>

namespace liaison::prepare {

// r_i = expressions_i as functions of the entries `unknowns` of `values`.
class StartSystem {
  public:
    StartSystem(Work& work, std::vector<expr::Expr> expressions,
                const std::vector<expr::Expr>& symbols, std::vector<double>& values,
                std::vector<std::size_t> unknowns)
        : work_(work), expressions_(std::move(expressions)), values_(values),
          unknowns_(std::move(unknowns)) {
        std::vector<expr::Expr> atoms;
        for (const std::size_t k : unknowns_) atoms.push_back(symbols[k]);
        for (const expr::Expr e : expressions_) {
            const auto row = expr::gradient(e, atoms);
            gradients_.insert(gradients_.end(), row.begin(), row.end());
        }
    }

    void operator()(const solve::Vector& x, solve::Vector& r, solve::Matrix* J) {
        put(x);
        const auto values = work_.evaluator.at(work_.start.point, expressions_);
        r = Eigen::Map<const solve::Vector>(values.data(),
                                            static_cast<Eigen::Index>(values.size()));
        if (J == nullptr) return;
        const auto slopes = work_.evaluator.at(work_.start.point, gradients_);
        using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        *J = Eigen::Map<const Rows>(slopes.data(), r.size(),
                                    static_cast<Eigen::Index>(unknowns_.size()));
    }

    // Starts from the values given and leaves the solution in their place.
    solve::NewtonReport run(double tolerance, const solve::Matrix& metric) {
        solve::Vector x(static_cast<Eigen::Index>(unknowns_.size()));
        for (std::size_t k = 0; k < unknowns_.size(); ++k)
            x[static_cast<Eigen::Index>(k)] = values_[unknowns_[k]];
        solve::NewtonWorkspace workspace;
        const auto report = solve::newton(*this, x, workspace, {.tolerance = tolerance}, metric);
        put(x);
        return report;
    }

  private:
    void put(const solve::Vector& x) {
        for (std::size_t k = 0; k < unknowns_.size(); ++k)
            values_[unknowns_[k]] = x[static_cast<Eigen::Index>(k)];
    }

    Work& work_;
    std::vector<expr::Expr> expressions_;
    std::vector<double>& values_;
    std::vector<std::size_t> unknowns_;
    std::vector<expr::Expr> gradients_;
};

} // namespace liaison::prepare
