// SPDX-License-Identifier: Apache-2.0
// A pendulum built in C++: when does it pass the lowest point, and how fast?
#include "liaison/liaison.hpp"

#include <cstdio>

int main() {
    using namespace liaison;

    model::Builder builder("pendulum");
    builder.coordinate("th");
    builder.parameter("m", 1.0, "kg");
    builder.parameter("g", 9.81, "m/s^2");
    builder.parameter("l", 1.0, "m");
    builder.kinetic_energy("m/2*(l*th')^2");
    builder.potential_energy("-m*g*l*cos(th)");
    builder.start("th", "60*deg");
    builder.event("bottom", "th");
    const model::Model pendulum = builder.build();

    for (const double length : {1.0, 2.0, 4.0}) {
        const auto motion =
            ask::run(pendulum, {.set = {{"l", length}}, .until = 3.0, .tolerance = 1e-12}).get();
        const flow::Event& first = motion.run.trajectory.events.at(0);
        std::printf("l = %g m: lowest point after %.12f s, angular velocity %.12f rad/s\n", length,
                    first.time.rounded(), first.state_minus.at(1));
    }
}
