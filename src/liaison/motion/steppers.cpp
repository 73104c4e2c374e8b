// SPDX-License-Identifier: Apache-2.0
// The choice among the methods.
#include "liaison/motion/steppers.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/base/features.hpp"
#include "liaison/motion/fixed_stepper.hpp"
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/singular_passage.hpp"

namespace liaison::motion {
namespace {

bool implicit(Method method) { return method == Method::stiff || method == Method::dae; }

} // namespace

const Tableau* tableau_of(Method method) {
    switch (method) {
    case Method::euler: return &euler;
    case Method::heun: return &heun;
    case Method::rk3: return &rk3;
    case Method::rk4: return &rk4;
    case Method::dopri5: return &dopri5;
    default: return nullptr;
    }
}

bool available(Method method) {
#if LIAISON_WITH_SUNDIALS
    (void)method;
    return true;
#else
    return !implicit(method);
#endif
}

std::unique_ptr<Stepper> make_stepper(std::unique_ptr<Field> field, double start,
                                      const MethodOptions& options) {
    if (const Tableau* t = tableau_of(options.method)) {
        LIAISON_ASSERT(options.step > 0.0, "a fixed-step method has a step");
        return std::make_unique<FixedStepper>(std::move(field), *t, start, options.step,
                                              options.tolerance);
    }
#if LIAISON_WITH_SUNDIALS
    if (options.method == Method::stiff)
        return make_stiff_stepper(std::move(field), options.tolerance);
    if (options.method == Method::dae)
        return make_dae_stepper(std::move(field), nullptr, options.tolerance);
#endif
    LIAISON_ASSERT(options.method == Method::rk, "the method works on values of a field");
    return make_rk_stepper(std::move(field), options.tolerance);
}

std::unique_ptr<Stepper> make_stepper(const flow::Flow& flow, const MethodOptions& options) {
    if (options.method == Method::taylor) return make_taylor_stepper(flow, options.tolerance);
#if LIAISON_WITH_SUNDIALS
    if (!flow.algebraic.empty()) {
        LIAISON_ASSERT(options.method == Method::dae, "algebraic states need the method dae");
        return make_dae_stepper(make_flow_field(flow), make_flow_residual(flow), options.tolerance);
    }
#endif
    // Derived Jacobians pay as long as their n² entries are cheaper than n evaluations of the field.
    constexpr std::size_t k_most_states = 40;
    const FlowFieldOptions field{.jacobian = implicit(options.method) &&
                                             flow.states.size() <= k_most_states};
    auto stepper = make_stepper(make_flow_field(flow, field), flow.start_time, options);
    // A fixed step keeps its grid.
    if (tableau_of(options.method) != nullptr) return stepper;
    return through_singular_positions(flow, std::move(stepper), options.tolerance);
}

} // namespace liaison::motion
