// SPDX-License-Identifier: Apache-2.0
// A ball above a floor built in C++: contacts, events, samples, and a model that is wrong.
#include "liaison/liaison.hpp"

#include <cstdio>

using namespace liaison;

namespace {

model::Builder ball(const char* gap) {
    model::Builder builder("bouncing ball");
    builder.coordinate("y");
    builder.parameter("m", 1.0, "kg");
    builder.parameter("g", 9.81, "m/s^2");
    builder.parameter("e", 0.5);
    builder.kinetic_energy("m/2*y'^2");
    builder.potential_energy("m*g*y");
    auto& floor = builder.contact("floor");
    floor.gap = gap;
    floor.restitution = "e";
    builder.start("y", "1");
    return builder;
}

} // namespace

int main() {
    const model::Model model = ball("y").build();
    const auto motion =
        ask::run(model, {.until = 3.0, .tolerance = 1e-12, .at = {0.4, 1.0, 3.0}}).get();

    for (const flow::Event& event : motion.run.trajectory.events) {
        if (event.kind == flow::EventKind::impact && event.impulse.value_or(0.0) > 0.5)
            std::printf("impact at %.12f s, impulse %.12f N s\n", event.time.rounded(),
                        *event.impulse);
    }
    for (std::size_t i = 0; i < motion.run.samples.size(); ++i)
        std::printf("t = %g s: y = %.12f m, floor pushes with %.6f N\n", motion.run.samples[i].time,
                    ask::value(motion, i, "y"), ask::value(motion, i, "floor.reaction"));

    // Wrong input is thrown once, with everything that is wrong.
    try {
        (void)ball("height - 1").build();
    } catch (const base::ModelError& error) {
        std::printf("%s", base::render(error.diagnostics(), {}).c_str());
    }
}
