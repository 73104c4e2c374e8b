// SPDX-License-Identifier: Apache-2.0
// The coordinates and velocities in which equations are written, auxiliary ones included.
#pragma once

#include "liaison/equations/input.hpp"
#include "liaison/equations/row.hpp"
#include "liaison/expr/node_map.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace liaison::equations {

// A named position p = P(q, p_<, t) kept as a coordinate, with its velocity w = dp/dt, a named node too.
struct Auxiliary {
    Expr p;
    Expr w;
};

// The velocities are u = (v, w). Everything else is an expression of the coordinates x = (q, p), of u and
// of t; named nodes that are not auxiliaries are looked through.
//
//   q' = K(q, t) v + k(q, t),   p' = w
class Frame {
  public:
    // `roots`: every expression that will be differentiated in this frame.
    Frame(const LagrangianInput& input, std::span<const Expr> roots,
          std::vector<Auxiliary> auxiliaries);

    [[nodiscard]] Pool& pool() const { return *pool_; }
    [[nodiscard]] std::size_t n_velocities() const { return n_v_; }
    [[nodiscard]] std::size_t size() const { return u_.size(); }
    [[nodiscard]] const std::vector<Expr>& q() const { return q_; }
    [[nodiscard]] const std::vector<Expr>& u() const { return u_; }
    [[nodiscard]] const std::vector<Expr>& rates() const { return rates_; }
    [[nodiscard]] Expr t() const { return t_; }
    [[nodiscard]] const std::vector<Auxiliary>& auxiliaries() const { return auxiliaries_; }
    // K: row i holds ∂q'_i/∂v.
    [[nodiscard]] const std::vector<Row>& K() const { return K_; }
    [[nodiscard]] bool has_quasi_velocities() const { return quasi_; }

    // ∂e/∂u at fixed coordinates.
    [[nodiscard]] Row velocity_gradient(Expr e) const;
    // ∂e/∂x along the velocities: Σ_i ∂e/∂q_i K_ia for v_a, ∂e/∂p_k for w_k; so that
    // de/dt = Σ row_a u_a + drift(e) for e(q, t) with k = 0.
    [[nodiscard]] Row position_gradient(Expr e) const;
    // The parts of one reverse sweep over e: ∂e/∂u and ∂e/∂x along the velocities.
    struct Gradients {
        std::vector<Expr> by_velocity;
        std::vector<Expr> by_position;
    };
    [[nodiscard]] Gradients gradients(Expr e) const;
    // de/dt with u̇ = 0: the velocity of e(q, t), the drift of e(q, v, t).
    [[nodiscard]] std::vector<Expr> drift(std::span<const Expr> expressions) const;
    [[nodiscard]] Expr drift(Expr e) const { return drift(std::span<const Expr>(&e, 1))[0]; }

  private:
    struct Occurring {
        std::vector<std::uint32_t> velocities; // indices into u
        std::vector<std::uint32_t> coordinates; // indices into (q, p)
    };
    [[nodiscard]] Occurring atoms_of(Expr e) const;
    [[nodiscard]] Expr coordinate(std::size_t i) const {
        return i < q_.size() ? q_[i] : auxiliaries_[i - q_.size()].p;
    }
    void along_velocities(std::size_t coordinate, Expr derivative, RowBuilder& into) const;

    Pool* pool_;
    Expr t_;
    std::size_t n_v_;
    std::vector<Expr> q_;
    std::vector<Expr> u_;
    std::vector<Expr> rates_;
    std::vector<Auxiliary> auxiliaries_;
    std::vector<Row> K_;
    bool quasi_ = false;
    expr::NodeMap<std::uint32_t> velocity_index_;
    expr::NodeMap<std::uint32_t> coordinate_index_;
    std::vector<Expr> moving_; // nodes with known rates: q, t, named positions
    std::vector<Expr> moving_rates_;
};

// Named positions whose total derivative, as a named node, occurs in the kinetic energy or Lagrangian; an
// auxiliary depends on earlier ones only.
std::vector<Auxiliary> find_auxiliaries(const LagrangianInput& input);

// All expressions of the input.
std::vector<Expr> roots_of(const LagrangianInput& input);

} // namespace liaison::equations
