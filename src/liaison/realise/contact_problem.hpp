// SPDX-License-Identifier: Apache-2.0
// Numbers of the contact problem at one instant: gaps, gap rates, Delassus matrix, free gap accelerations.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/realise/contact_bodies.hpp"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::realise {

// Coulomb friction of a side; no slips: none. Mode symbols make slip, stick and rest one field (friction_rows.hpp).
struct SideFriction {
    std::vector<equations::RateRow> slips; // one in the plane, two in space
    expr::Expr sliding; // μ in the present mode
    expr::Expr sliding_plus, sliding_minus; // μ for slip forwards and backwards
    expr::Expr sticking; // μ at rest
    expr::Expr
        state; // the mode the user sees: 0 open, 1 stick, 2 slip forwards (or in space), 3 slip backwards
    expr::Expr stick; // 1 while sticking (in space: while the first slip is kept zero)
    expr::Expr sign; // of the slip (1 in space) while slipping, else 0
    expr::Expr answers; // 1 while it slips and no other contacts hold its gap: B₁' is its own
    // In space only. Where the slip is too small to have a direction, friction acts along a given one.
    expr::Expr stick_second; // 1 while the second slip is kept zero
    expr::Expr in_cone; // 1 while one of the two is, or forces are given: |λ_T| ≤ μ λ_N is watched
    expr::Expr lead; // 1 while the direction is given
    expr::Expr angle, turning, bend; // of the given one, and its derivatives
    expr::Expr clock; // state: the time since it was given, or since forces were
    expr::Expr lead_end; // time at which a new one is due
    // The given direction.
    [[nodiscard]] std::vector<expr::Expr> direction() const {
        const expr::Expr phi = angle + (turning + bend * clock / expr::Number(2)) * clock;
        return {expr::cos(phi), expr::sin(phi)};
    }

    // Where several contacts are spatial, or a normal force is stated: rows that depend on others hold given forces,
    // force + rate · clock, of the normal and the slips; the same in the plane where contacts hold more at rest than in slip.
    struct Given {
        expr::Expr force, rate;
    };
    std::vector<Given> given; // all or none
    // Or the normal force follows those of other sides, λ_N = Σ share λ_N of theirs (laws/self_stress.hpp).
    expr::Expr follows; // 1 then
    std::vector<expr::Expr> shares; // by side; none of its own
    expr::Expr waits; // 1 while it carries nothing because following them it would pull
    expr::Expr
        presses; // 1 while the normal force is one of the unknowns, or given: it must not be negative

    explicit operator bool() const { return !slips.empty(); }
};

// One side of a contact as the realisation sees it.
struct ContactSide {
    std::string name; // contact
    std::string side; // "", "lower", "upper"
    std::size_t contact = 0; // index of the contact in the model
    expr::Expr gap;
    equations::RateRow normal; // ġ, its gradient by velocity, drift of g̈
    expr::Expr restitution;
    // The law of impact is γ⁺ = −e γ⁻ (Newton, Moreau), also with friction; others look at impulses or at work.
    bool returns_rate = true;
    expr::Expr mask; // mode symbol: 1 closed, 0 open
    SideFriction friction;
    expr::Expr preload; // the normal force that is stated for the start; empty: none
};

// What the sides measure at one instant. Rows: the gaps of all sides, then the slips of all sides in the same order.
struct SideValues {
    Eigen::VectorXd gap;
    Eigen::VectorXd rate; // of the gaps
    Eigen::VectorXd restitution;
    Eigen::VectorXd slip; // slip velocities, by slip
    Eigen::VectorXd sliding_plus, sliding_minus, sticking; // by side; 0 without friction
};

// With A the matrix of the free system (accelerations, auxiliary and bilateral multipliers):
//   A (u̇, y, λ) = r,   response R_k = A⁻¹ (W_kᵀ, 0, 0),   D = W R,   b = W u̇_free + drift.
struct SparseContactNumbers : SideValues {
    SparseRows response; // rows × velocities v: change of v per unit impulse
    SparseRows D;
    Eigen::VectorXd b; // free accelerations of gaps and slips
    Eigen::VectorXd v_dot; // accelerations without contact forces
    bool regular = true; // the free system determines the accelerations
};

// The same for few contacts, as dense matrices.
struct ContactNumbers : SideValues {
    Eigen::MatrixXd W; // rows × velocities u
    Eigen::MatrixXd response; // velocities v × rows
    Eigen::MatrixXd D;
    Eigen::VectorXd b;
    Eigen::VectorXd v_dot;
    bool regular = true;
};

// The probed values put in their places: a linear map, so that it serves their derivatives as well.
struct ContactParts : SideValues {
    Eigen::MatrixXd A;
    Eigen::VectorXd rhs;
    Eigen::VectorXd drift; // of gaps and slips
    Eigen::MatrixXd W;
};

// The motion cannot go on at this instant, because of `what`.
[[nodiscard]] flow::Outcome contact_failure(std::string_view what, const flow::Instant& now);

class ContactProblem {
  public:
    ContactProblem(const flow::Flow& flow, const equations::Equations& equations,
                   std::vector<ContactSide> sides, const equations::LinearSystem& free_system,
                   expr::Expr energy);

    [[nodiscard]] const std::vector<ContactSide>& sides() const { return sides_; }
    // The row of the first slip of side k.
    [[nodiscard]] Eigen::Index slip_row(Eigen::Index k) const {
        return slip_rows_[static_cast<std::size_t>(k)];
    }
    [[nodiscard]] ContactNumbers at(const flow::Instant& now) const;
    // Without matrices that grow with the square of the number of contacts.
    [[nodiscard]] SparseContactNumbers sparse_at(const flow::Instant& now) const;
    // The same into numbers of an earlier instant, whose storage is used again.
    void measure(const flow::Instant& now, SparseContactNumbers& numbers) const;
    [[nodiscard]] double energy(const flow::Instant& now) const {
        double value = 0.0;
        energy_.evaluate(now, {&value, 1});
        return value;
    }
    // |M (v⁺ − v⁻) − W Λ| of an impact with the impulses Λ by row, but for bilateral reactions, relative to the largest momentum
    // and impulse: from the matrices themselves, without the response by which impacts are computed. Nothing where that
    // would cost too much.
    [[nodiscard]] std::optional<double> momentum_residual(const flow::Instant& now,
                                                          const Eigen::VectorXd& v_minus,
                                                          const Eigen::VectorXd& v_plus,
                                                          const Eigen::VectorXd& impulse) const;
    // What is probed at an instant, and where each value belongs.
    [[nodiscard]] const std::vector<expr::Expr>& expressions() const { return expressions_; }
    [[nodiscard]] std::vector<double> values(const flow::Instant& now) const { return probe_(now); }
    // Of the free system, whose entries and right-hand side are the first of them.
    [[nodiscard]] const std::shared_ptr<const expr::Structure>& structure() const {
        return structure_;
    }
    [[nodiscard]] ContactParts parts(const std::vector<double>& values) const;
    [[nodiscard]] std::size_t velocities() const { return n_v_; }
    // q' at this instant.
    [[nodiscard]] std::vector<double> position_rates(const flow::Instant& now) const {
        return rates_(now);
    }

  private:
    // Values of the sides from the place of the first one on; the drifts of all rows.
    void read_sides(const std::vector<double>& values, SideValues& sides,
                    Eigen::VectorXd& drift) const;
    [[nodiscard]] Eigen::MatrixXd dense_rows(const std::vector<double>& values) const;
    void solve(const std::vector<double>& values, SparseContactNumbers& numbers) const;

    std::vector<ContactSide> sides_;
    std::shared_ptr<const expr::Structure> structure_;
    std::size_t n_v_ = 0; // velocities of the model
    std::size_t n_u_ = 0; // with auxiliary ones
    std::vector<expr::Expr> expressions_;
    flow::Probe probe_;
    flow::Probe energy_;
    flow::Probe rates_;
    std::size_t n_slips_ = 0; // of all sides
    std::vector<Eigen::Index> slip_rows_; // by side
    std::vector<LoadEntry> W_entries_;
    std::size_t first_W_ = 0; // place of the first of them among the values
    ContactBodies bodies_;
};

} // namespace liaison::realise
