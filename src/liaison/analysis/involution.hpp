// SPDX-License-Identifier: Apache-2.0
// A symmetry x ↦ J(x, p) of the states with J(J(x)) = x, by which half a period of an orbit is the image of the other.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"

#include <Eigen/Core>

#include <memory>
#include <span>
#include <vector>

namespace liaison::analysis {

class Involution {
  public:
    // `images`: by controlled state, of controlled states and parameters.
    Involution(const flow::Flow& flow, std::vector<expr::Expr> images);

    // w: controlled states, then continuous slots, which stay as they are.
    [[nodiscard]] Eigen::VectorXd image(const Eigen::VectorXd& w,
                                        std::span<const double> parameters) const;
    [[nodiscard]] Eigen::MatrixXd by_state(const Eigen::VectorXd& w,
                                           std::span<const double> parameters) const;
    [[nodiscard]] Eigen::VectorXd by_parameter(const Eigen::VectorXd& w,
                                               std::span<const double> parameters,
                                               std::size_t parameter) const;

  private:
    [[nodiscard]] std::vector<double> values(const std::vector<expr::Expr>& all,
                                             const Eigen::VectorXd& w,
                                             std::span<const double> parameters) const;

    std::vector<expr::Expr> symbols_; // controlled states, then parameters
    std::size_t n_states_;
    std::vector<expr::Expr> images_;
    std::vector<expr::Expr> derivatives_; // ∂J_i/∂x_j, row by row
};

// The symmetry that [periodic] symmetry gives for the coordinates, with the velocities it implies; empty where there
// is none, or where it is none: then a report says why.
[[nodiscard]] std::shared_ptr<const Involution>
symmetry_of(const model::Model& model, const flow::Flow& flow, base::Diagnostics& diagnostics);

} // namespace liaison::analysis
