// SPDX-License-Identifier: Apache-2.0
// The equations S u = h of an inverse question as expressions, and their numbers at places and velocities.
#pragma once

#include "liaison/analysis/inverse_problem.hpp"
#include "liaison/prepare/point.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace liaison::analysis {

// Numbers to try, the same in every run, between −1 and 1.
class TrialNumbers {
  public:
    double next() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state_ >> 11U) / 9007199254740992.0 * 2.0 - 1.0;
    }

  private:
    std::uint64_t state_ = 20261115ULL;
};

// Rows by differentiation along the motion; those that vanish whatever the state is are left out.
class InverseRows {
  public:
    struct Row {
        std::string name;
        std::vector<Expr> S;
        Expr h;
    };

    // The model must ask an inverse question and outlive this; throws std::invalid_argument where it asks none.
    InverseRows(const model::Model& model, const prepare::Point& point);

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] const ForcedMotion& motion() const { return motion_; }
    // Nothing but integrals: the forces belong to no single motion.
    [[nodiscard]] bool asks_for_integrals() const { return question_.follow.empty(); }
    [[nodiscard]] const prepare::Evaluator& evaluator() const { return evaluator_; }

    // The value of an expression; zero where rounding does not tell it from zero.
    [[nodiscard]] double number(const prepare::Point& point, Expr e) const;
    void at(const prepare::Point& point, Eigen::MatrixXd& S, Eigen::VectorXd& h) const;
    // The same place with other velocities, and a place nearby.
    [[nodiscard]] prepare::Point moving_otherwise(prepare::Point point,
                                                  TrialNumbers& numbers) const;
    [[nodiscard]] prepare::Point nearby(prepare::Point point, TrialNumbers& numbers) const;

  private:
    [[nodiscard]] bool is_position(std::size_t coordinate) const;
    [[nodiscard]] Expr rate_of(Expr e) const;
    [[nodiscard]] Expr without_forces(Expr e) const;
    [[nodiscard]] bool vanishes(const std::vector<Expr>& all) const;
    void add(const model::Named& wanted, bool follow);

    const model::Model& model_;
    const model::Invert& question_;
    ForcedMotion motion_;
    const prepare::Point& point_;
    prepare::Evaluator evaluator_;
    std::vector<Expr> none_;
    std::vector<Row> rows_;
};

} // namespace liaison::analysis
