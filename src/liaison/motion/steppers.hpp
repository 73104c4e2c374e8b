// SPDX-License-Identifier: Apache-2.0
// The methods there are, each as a stepper; and the choice among them.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/model/method.hpp"
#include "liaison/motion/field.hpp"
#include "liaison/motion/residual.hpp"
#include "liaison/motion/runge_kutta.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>

namespace liaison::motion {

using model::Method;

struct MethodOptions {
    Method method = Method::taylor;
    double tolerance = 1e-9;
    double step = 0.0; // of fixed-step methods
};

// Whether this build has the method: "stiff" and "dae" need SUNDIALS.
[[nodiscard]] bool available(Method method);

// The tableau of a method with fixed step; null for the others.
[[nodiscard]] const Tableau* tableau_of(Method method);

// The chosen method for a flow. The method must be available and a fixed-step method have a step > 0.
std::unique_ptr<Stepper> make_stepper(const flow::Flow& flow, const MethodOptions& options);
// The same for a field known by its values; not for Taylor's method, which needs expressions. `start`: the time from
// which the grid of a fixed-step method counts.
std::unique_ptr<Stepper> make_stepper(std::unique_ptr<Field> field, double start,
                                      const MethodOptions& options);

// Runge–Kutta of order 8 with adaptive steps.
std::unique_ptr<Stepper> make_rk_stepper(std::unique_ptr<Field> field, double tolerance);

// Backward differentiation formulas with Newton's method; the Jacobian of the field is used where it has one.
std::unique_ptr<Stepper> make_stiff_stepper(std::unique_ptr<Field> field, double tolerance);
// The same for F(t, x, x') = 0; null: the implicit form of the field. The field gives the guards.
std::unique_ptr<Stepper> make_dae_stepper(std::unique_ptr<Field> field,
                                          std::unique_ptr<Residual> residual, double tolerance);

} // namespace liaison::motion
