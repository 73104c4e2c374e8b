// SPDX-License-Identifier: Apache-2.0
// The equations of rest of a model: balance of forces, and what holds each reaction, friction force or relay.
//
//   0 = −h(q, 0) + Q(q, 0, u) + Fᵀλ + W_Nᵀ λ_N + W_Tᵀ λ_T,     one more equation per force Λ = (λ, λ_N, λ_T, u).
// Which equation that is says the state of its support: a closed gap is zero, an open one carries nothing, a sliding
// contact rubs at its bound, a sticking one has no equation at all. So rest by friction is a set, not a point.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace liaison::analysis {

enum class SupportKind { constraint, normal, tangential, relay };

enum class SupportState {
    absent, // Λ = 0: an open contact
    holds, // f = 0, gap = 0, S = 0; nothing where the surface is one of velocities (stick)
    slides, // friction opposes a slip that goes on at rest: a moving belt
    below, // relay
    above,
    at_lower, // at the end of what it can hold
    at_upper,
};

// A force that rest may need, and the surface it belongs to.
struct Support {
    SupportKind kind{};
    std::string name; // constraint, contact, relay
    std::string side; // "lower", "upper" of a two-sided contact
    std::size_t owner = model::k_none; // of a friction force: the support it leans on
    std::size_t contact = model::k_none; // in the model
    std::size_t sibling = model::k_none; // the other side of a two-sided contact
    bool holonomic = true; // the surface is one of positions
    bool planar = true; // a friction force with one slip
    bool slips_at_rest = false; // the other body moves

    expr::Expr force; // Λ
    expr::Expr position; // f, gap, S at rest; empty: no equation
    expr::Expr rate; // of the surface: G v
    expr::Expr lower, upper; // what it can hold, where bounded
    expr::Expr below, above; // relay values off the surface
    expr::Expr slide; // zero where friction opposes the slip
    expr::Expr kinetic; // friction of the slowest slip
};

using SupportStates = std::vector<SupportState>;

// The equations linearised at rest. Rows of `balance` and columns of velocities: the velocities of the model; all of
// it at v = 0.
struct RestDerivatives {
    Eigen::MatrixXd M; // mass matrix; empty in first-order systems
    Eigen::MatrixXd K; // rates of positions by velocities
    Eigen::MatrixXd by_q, by_v, by_force; // of the balance
    Eigen::MatrixXd surface_q,
        surface_v; // of the rates' surfaces by support: ∂position/∂q, ∂rate/∂v
    Eigen::MatrixXd relation_q, relation_v,
        relation_force; // of what each state demands, by support
};

// What is known of the forces as formulas: decides which theorem applies.
struct ForceClass {
    bool positional_forces_have_potential = true;
    bool velocity_forces = false; // some force depends on velocities
    bool velocity_forces_linear = true; // with constant coefficients
};

class RestEquations {
  public:
    RestEquations(const model::Model& model, const prepare::Point& start);

    // Why the model has no rest positions at all; empty otherwise.
    [[nodiscard]] const std::string& refused() const { return refused_; }
    [[nodiscard]] const std::vector<Support>& supports() const { return supports_; }
    [[nodiscard]] std::size_t n_positions() const { return q_.size(); }
    [[nodiscard]] std::size_t n_balance() const { return balance_.size(); }
    [[nodiscard]] bool first_order() const { return first_order_; }
    [[nodiscard]] const ForceClass& forces() const { return class_; }
    [[nodiscard]] std::string balance_name(std::size_t row) const { return balance_names_[row]; }

    void set_parameters(const std::vector<double>& values) { point_.parameters = values; }

    // Residual and Jacobian by X = (q, Λ) in the given states.
    void evaluate(const SupportStates& states, const Eigen::VectorXd& X, Eigen::VectorXd& r,
                  Eigen::MatrixXd* J) const;
    [[nodiscard]] double value(expr::Expr e, const Eigen::VectorXd& X) const;
    // Balance, then its derivatives by (q, v) row by row, at velocities that need not be zero.
    [[nodiscard]] std::vector<double> balance_near(const Eigen::VectorXd& X,
                                                   const std::vector<double>& v) const;
    // ∂e/∂q, then ∂e/∂v, at rest.
    [[nodiscard]] std::vector<double> slopes(expr::Expr e, const Eigen::VectorXd& X) const;
    // Whether the force of a relay off its surface is the same at all positions and velocities.
    [[nodiscard]] bool pushes_constantly(std::size_t relay) const;
    [[nodiscard]] std::vector<double> values(const std::vector<expr::Expr>& all,
                                             const Eigen::VectorXd& X) const;
    [[nodiscard]] RestDerivatives derivatives(const SupportStates& states,
                                              const Eigen::VectorXd& X) const;
    // V − T₀ where the model has energies.
    [[nodiscard]] bool has_energy() const { return static_cast<bool>(energy_); }
    [[nodiscard]] double energy(const Eigen::VectorXd& X) const { return value(energy_, X); }

  private:
    [[nodiscard]] std::vector<double> values(const std::vector<expr::Expr>& all,
                                             const Eigen::VectorXd& X,
                                             const std::vector<double>& v) const;
    [[nodiscard]] std::vector<expr::Expr> motion() const; // q, v
    void derive_mechanics(const model::Model& model);
    void derive_system(const model::Model& model);
    void add_relay(std::string name, expr::Expr u, expr::Expr surface, expr::Expr above,
                   expr::Expr below, expr::Expr holding);
    void add_signs(const model::Model& model);
    void refuse_time(const model::Model& model);
    void classify(const model::Model& model, const std::vector<expr::Expr>& Q);
    void differentiate_all(const model::Model& model);
    [[nodiscard]] std::vector<expr::Expr> relations(const SupportStates& states) const;

    bool first_order_ = false;
    std::string refused_;
    prepare::Point point_;
    std::vector<expr::Expr> q_, v_, lambda_; // unknowns: q, Λ
    std::vector<expr::Expr> symbols_; // all that have values: t, q, v, parameters, states, Λ
    std::vector<expr::Expr> balance_;
    std::vector<std::string> balance_names_;
    std::vector<expr::Expr> norms_; // of bodies, less 1
    std::vector<Support> supports_;
    std::vector<expr::Expr> mass_, rates_; // M by rows; q' by coordinate
    std::vector<expr::Expr> jacobian_; // of balance and norms by (q, Λ), by rows
    ForceClass class_;
    expr::Expr energy_;
};

} // namespace liaison::analysis
