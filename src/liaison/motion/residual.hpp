// SPDX-License-Identifier: Apache-2.0
// A motion in implicit form, F(t, x, x') = 0, with differential and algebraic states.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/field.hpp"

#include <memory>
#include <span>

namespace liaison::motion {

// Differential states have a rate in F; algebraic ones (multipliers, say) have none and follow from the others. The index
// of the system must be 1, or 2 in a form whose algebraic states are kept out of the error test.
class Residual {
  public:
    Residual() = default;
    Residual(const Residual&) = delete;
    Residual& operator=(const Residual&) = delete;
    virtual ~Residual() = default;

    [[nodiscard]] virtual std::size_t n_states() const = 0;
    [[nodiscard]] virtual bool is_differential(std::size_t i) const {
        (void)i;
        return true;
    }
    virtual FieldStatus residual(double time, std::span<const double> state,
                                 std::span<const double> rates, std::span<double> out) = 0;
    // Parameters and mode hold until the next call.
    virtual void bind(std::span<const double> parameters, std::span<const double> mode) {
        (void)parameters, (void)mode;
    }
    // Puts in algebraic states that are consistent with the others; false where it cannot, and the solver looks for them.
    virtual bool complete(double time, std::span<double> state) {
        (void)time, (void)state;
        return false;
    }
    // Rates to begin with; those of algebraic states count for nothing.
    virtual FieldStatus rates(double time, std::span<const double> state,
                              std::span<double> rates) = 0;
    // ∂F/∂x + c ∂F/∂x', entry i, j at j·n + i. A residual without one answers false and is differenced.
    [[nodiscard]] virtual bool has_jacobian() const { return false; }
    virtual FieldStatus jacobian(double time, std::span<const double> state,
                                 std::span<const double> rates, double c,
                                 std::span<double> columns) {
        (void)time, (void)state, (void)rates, (void)c, (void)columns;
        return FieldStatus::not_finite;
    }
};

// x' − f(t, x) for the states with a rate, the equations of the others: the implicit form of a flow with algebraic states.
std::unique_ptr<Residual> make_flow_residual(const flow::Flow& flow);

// x' − f(t, x): a field in implicit form. The field must outlive it.
std::unique_ptr<Residual> make_implicit_form(Field& field);

} // namespace liaison::motion
