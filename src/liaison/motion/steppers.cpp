// SPDX-License-Identifier: Apache-2.0
// The choice among the methods.
#include "liaison/motion/steppers.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/motion/fixed_stepper.hpp"
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/simulate.hpp"

namespace liaison::motion {
namespace {

const Tableau* tableau(Method method) {
    switch (method) {
    case Method::euler: return &euler;
    case Method::heun: return &heun;
    case Method::rk3: return &rk3;
    case Method::rk4: return &rk4;
    case Method::dopri5: return &dopri5;
    default: return nullptr;
    }
}

} // namespace

bool available(Method method) { return method != Method::stiff && method != Method::dae; }

std::unique_ptr<Stepper> make_stepper(std::unique_ptr<Field> field, double start,
                                      const MethodOptions& options) {
    if (const Tableau* t = tableau(options.method)) {
        LIAISON_ASSERT(options.step > 0.0, "a fixed-step method has a step");
        return std::make_unique<FixedStepper>(std::move(field), *t, start, options.step,
                                              options.tolerance);
    }
    LIAISON_ASSERT(options.method == Method::rk, "the method works on values of a field");
    return make_rk_stepper(std::move(field), options.tolerance);
}

std::unique_ptr<Stepper> make_stepper(const flow::Flow& flow, const MethodOptions& options) {
    if (options.method == Method::taylor) return make_taylor_stepper(flow, options.tolerance);
    return make_stepper(make_flow_field(flow), flow.start_time, options);
}

} // namespace liaison::motion
