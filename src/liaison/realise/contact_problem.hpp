// SPDX-License-Identifier: Apache-2.0
// Numbers of the contact problem at one instant: gaps, gap rates, Delassus matrix, free gap accelerations.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/flow/probe.hpp"

#include <Eigen/Dense>

#include <string>
#include <vector>

namespace liaison::realise {

// One side of a contact as the realisation sees it.
struct ContactSide {
    std::string name; // contact
    std::string side; // "", "lower", "upper"
    std::size_t contact = 0; // index of the contact in the model
    expr::Expr gap;
    equations::RateRow normal; // ġ, its gradient by velocity, drift of g̈
    expr::Expr restitution;
    expr::Expr mask; // mode symbol: 1 closed, 0 open
};

// With A the matrix of the free system (accelerations, auxiliary and bilateral multipliers):
//   A (u̇, y, λ) = r,   response R_k = A⁻¹ (W_kᵀ, 0, 0),   D = W R,   b = W u̇_free + drift.
struct ContactNumbers {
    Eigen::VectorXd gap;
    Eigen::VectorXd rate;
    Eigen::VectorXd restitution;
    Eigen::MatrixXd W; // contacts × velocities u
    Eigen::MatrixXd response; // velocities v × contacts: change of v per unit impulse
    Eigen::MatrixXd D;
    Eigen::VectorXd b; // free gap accelerations
    Eigen::VectorXd v_dot; // accelerations without contact forces
    bool regular = true; // the free system determines the accelerations
};

class ContactProblem {
  public:
    ContactProblem(const flow::Flow& flow, const equations::Equations& equations,
                   std::vector<ContactSide> sides, const equations::LinearSystem& free_system,
                   expr::Expr energy);

    [[nodiscard]] const std::vector<ContactSide>& sides() const { return sides_; }
    [[nodiscard]] ContactNumbers at(const flow::Instant& now) const;
    [[nodiscard]] double energy(const flow::Instant& now) const { return energy_(now)[0]; }
    // q' at this instant.
    [[nodiscard]] std::vector<double> position_rates(const flow::Instant& now) const {
        return rates_(now);
    }

  private:
    std::vector<ContactSide> sides_;
    std::shared_ptr<const expr::Structure> structure_;
    std::size_t n_v_ = 0; // velocities of the model
    std::size_t n_u_ = 0; // with auxiliary ones
    flow::Probe probe_;
    flow::Probe energy_;
    flow::Probe rates_;
    struct Entry {
        std::size_t contact;
        std::size_t column;
    };
    std::vector<Entry> W_entries_;
};

} // namespace liaison::realise
