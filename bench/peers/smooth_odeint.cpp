// SPDX-License-Identifier: Apache-2.0
// Smooth problems by Boost.odeint: Runge-Kutta-Fehlberg 7(8) with its own step control.
#include "smooth.hpp"

#include <boost/numeric/odeint.hpp>

namespace odeint = boost::numeric::odeint;

int main() {
    using State = std::vector<double>;
    for (const peers::Problem& p : peers::smooth_problems()) {
        const auto truth = peers::exact_end(p);
        const auto field = [&](const State& x, State& d, double t) {
            p.field(t, x.data(), d.data());
        };
        for (const double tolerance : peers::k_tolerances) {
            State x;
            const double seconds = peers::time_of([&] {
                x = p.start;
                odeint::integrate_adaptive(
                    odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(tolerance,
                                                                                   tolerance),
                    field, x, 0.0, p.until, 1e-3);
            });
            peers::print_smooth(p, "odeint Fehlberg 7(8)", tolerance, seconds,
                                peers::distance(x, truth));
        }
    }
}
