// SPDX-License-Identifier: Apache-2.0
// A vector field with guards, known by its values: what methods that are not compiled from expressions need.
#pragma once

#include <cstddef>
#include <span>

namespace liaison::motion {

enum class FieldStatus {
    ok,
    not_finite, // a value is not a number
    singular, // a matrix lost rank: the rates are not determined
};

// x' = f(t, x) and guards g_k(t, x) for fixed parameters and mode. Evaluations may use memory of the field: one
// field belongs to one stepper.
class Field {
  public:
    Field() = default;
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;
    virtual ~Field() = default;

    [[nodiscard]] virtual std::size_t n_states() const = 0;
    // The first so many states are the motion; the others are carried along.
    [[nodiscard]] virtual std::size_t n_controlled() const { return n_states(); }
    [[nodiscard]] virtual std::size_t n_guards() const = 0;

    // Parameters and mode hold until the next call.
    virtual void bind(std::span<const double> parameters, std::span<const double> mode) = 0;
    virtual FieldStatus rates(double time, std::span<const double> state,
                              std::span<double> rates) = 0;
    // Values of guards that are not watched may be anything.
    virtual void guards(double time, std::span<const double> state, std::span<double> values) = 0;

    // ∂f/∂x, column by column (entry i, j at j·n + i). A field without one answers false and is differenced.
    [[nodiscard]] virtual bool has_jacobian() const { return false; }
    virtual FieldStatus jacobian(double time, std::span<const double> state,
                                 std::span<double> columns) {
        (void)time, (void)state, (void)columns;
        return FieldStatus::not_finite;
    }
};

} // namespace liaison::motion
