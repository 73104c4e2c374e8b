// SPDX-License-Identifier: Apache-2.0
// Which kinds of quantities an expression contains, and to which degree in the velocities.
#pragma once

#include "liaison/expr/node_map.hpp"

namespace liaison::model {

// Kinds of quantities, joined with |.
enum Quantity : unsigned {
    k_position = 1U << 0U,
    k_velocity = 1U << 1U,
    k_time = 1U << 2U,
    k_parameter = 1U << 3U,
    k_state = 1U << 4U,         // discrete
    k_relay = 1U << 5U,
    k_acceleration = 1U << 6U,
    k_unknown = 1U << 7U,       // of the inverse problem
    k_local = 1U << 8U,         // slip, gap
    k_foreign = 1U << 9U,       // a symbol that the model does not know, given from C++
};

// Remembers what it found, so that all expressions of a model together are walked once.
class Dependence {
  public:
    void symbol(expr::Expr symbol, Quantity quantity);
    [[nodiscard]] unsigned of(expr::Expr e);

    // Degree of a polynomial in the velocities, an upper bound; k_not_polynomial where a velocity
    // stands inside another function.
    static constexpr double k_not_polynomial = 1e9;
    [[nodiscard]] double velocity_degree(expr::Expr e);

  private:
    expr::NodeMap<unsigned> quantities_;
    expr::NodeMap<double> degrees_;
};

} // namespace liaison::model
