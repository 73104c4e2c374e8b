// SPDX-License-Identifier: Apache-2.0
// What is computed after every step: the same numbers to the last bit before and after machine code takes over.
#include "liaison/realise/step_program.hpp"

#include "liaison/flow/start_instant.hpp"

#include "support/program_models.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

using namespace liaison;

TEST_CASE("machine code takes over after many steps without changing a bit") {
    const auto model = support::prepared(support::slider_crank("", ""));
    const flow::Flow& flow = model.realised.flow;
    const realise::StepProgram program(flow, flow.rates);
    const flow::Probe probe(flow, flow.rates);
    flow::Instant now = flow::start_instant(flow);
    std::vector<double> values(program.size());
    bool same = true;
    for (int i = 0; i < 20'100; ++i) {
        now.state[0] = 0.001 * i;
        now.state[4] = std::sin(0.01 * i);
        program.evaluate(now, values);
        if (i % 100 != 0 && i < 19'990) continue;
        const auto wanted = probe(now);
        for (std::size_t k = 0; k < values.size(); ++k) {
            same = same && std::bit_cast<std::uint64_t>(values[k]) ==
                               std::bit_cast<std::uint64_t>(wanted[k]);
        }
    }
    CHECK(same);
}
