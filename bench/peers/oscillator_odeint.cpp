// SPDX-License-Identifier: Apache-2.0
// The forced impact oscillator by Boost.odeint: dopri5 with dense output, the impact by bisection on it.
#include "oscillator.hpp"

#include <boost/numeric/odeint.hpp>

#include <array>

namespace odeint = boost::numeric::odeint;
using State2 = std::array<double, 2>;

int main(int argc, char** argv) {
    const long periods = peers::periods_of(argc, argv, 20'000);
    const peers::Oscillator o;
    const auto truth = peers::reference(o, periods);
    const auto field = [&](const State2& x, State2& d, double t) {
        d[0] = x[1];
        d[1] = std::sin(o.w * t) - o.h * x[1] - x[0];
    };
    for (const double tolerance : {1e-9, 1e-12}) {
        auto stepper =
            odeint::make_dense_output(tolerance, tolerance, odeint::runge_kutta_dopri5<State2>());
        std::vector<peers::State> states;
        long steps = 0, impacts = 0, k = 1;
        const double T = o.period();
        const double begin = peers::cpu_seconds();
        stepper.initialize(State2{o.s0, o.v0}, 0.0, 0.05);
        double start = 0.0;
        State2 z;
        while (k <= periods) {
            stepper.do_step(field);
            ++steps;
            const double from = std::max(stepper.previous_time(), start);
            const double to = stepper.current_time();
            bool hit = stepper.current_state()[0] > o.delta;
            double upper = to;
            for (int i = 1; i < 4 && !hit; ++i) {
                const double t = from + (to - from) * i / 4;
                stepper.calc_state(t, z);
                if (z[0] > o.delta) {
                    hit = true;
                    upper = t;
                }
            }
            double end = to;
            if (hit) {
                double a = from, b = upper;
                for (int i = 0; i < 52 && b - a > 1e-15 * b; ++i) {
                    const double m = 0.5 * (a + b);
                    stepper.calc_state(m, z);
                    (z[0] > o.delta ? b : a) = m;
                }
                end = a;
            }
            while (k <= periods && static_cast<double>(k) * T <= end) {
                stepper.calc_state(static_cast<double>(k++) * T, z);
                states.push_back({z[0], z[1]});
            }
            if (hit) {
                stepper.calc_state(end, z);
                ++impacts;
                z[0] = o.delta;
                z[1] *= -o.e;
                const double step = stepper.current_time_step();
                stepper.initialize(z, end, step);
                start = end;
            }
        }
        peers::print_result("odeint dopri5", tolerance, periods, peers::cpu_seconds() - begin,
                            steps, impacts, peers::final_error(states, truth));
    }
}
