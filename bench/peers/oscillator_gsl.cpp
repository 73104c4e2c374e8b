// SPDX-License-Identifier: Apache-2.0
// The forced impact oscillator by GSL: rk8pd; without dense output the impact is found by repeating the step.
#include "oscillator.hpp"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

namespace {

int field(double t, const double* x, double* d, void* data) {
    const auto& o = *static_cast<peers::Oscillator*>(data);
    d[0] = x[1];
    d[1] = std::sin(o.w * t) - o.h * x[1] - x[0];
    return GSL_SUCCESS;
}

} // namespace

int main(int argc, char** argv) {
    const long periods = peers::periods_of(argc, argv, 20'000);
    peers::Oscillator o;
    const auto truth = peers::reference(o, periods);
    for (const double tolerance : {1e-9, 1e-12}) {
        gsl_odeiv2_system system{field, nullptr, 2, &o};
        auto* step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 2);
        auto* control = gsl_odeiv2_control_y_new(tolerance, tolerance);
        auto* evolve = gsl_odeiv2_evolve_alloc(2);
        std::vector<peers::State> states;
        long steps = 0, impacts = 0;
        double t = 0.0, h = 0.05, x[2] = {o.s0, o.v0}, error[2];
        const double begin = peers::cpu_seconds();
        for (long k = 1; k <= periods; ++k) {
            const double until = static_cast<double>(k) * o.period();
            while (t < until) {
                const double t0 = t, x0[2] = {x[0], x[1]};
                gsl_odeiv2_evolve_apply(evolve, control, step, &system, &t, until, &h, x);
                ++steps;
                if (!(x[0] > o.delta)) continue;
                double a = 0, b = t - t0, z[2];
                double to = b * (o.delta - x0[0]) / (x[0] - x0[0]);
                for (int i = 0; i < 60; ++i) { // Newton inside a bracket, on the length of the step
                    z[0] = x0[0];
                    z[1] = x0[1];
                    gsl_odeiv2_step_reset(step);
                    gsl_odeiv2_step_apply(step, t0, to, z, error, nullptr, nullptr, &system);
                    (z[0] > o.delta ? b : a) = to;
                    double next = to - (z[0] - o.delta) / z[1];
                    if (!(next > a && next < b)) next = 0.5 * (a + b);
                    const double change = std::fabs(next - to);
                    to = next;
                    if (change < 1e-14) break;
                }
                t = t0 + to;
                x[0] = o.delta;
                x[1] = -o.e * z[1];
                ++impacts;
                gsl_odeiv2_evolve_reset(evolve);
                gsl_odeiv2_step_reset(step);
            }
            states.push_back({x[0], x[1]});
        }
        peers::print_result("GSL rk8pd", tolerance, periods, peers::cpu_seconds() - begin, steps,
                            impacts, peers::final_error(states, truth));
        gsl_odeiv2_evolve_free(evolve);
        gsl_odeiv2_control_free(control);
        gsl_odeiv2_step_free(step);
    }
}
