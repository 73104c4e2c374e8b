// SPDX-License-Identifier: Apache-2.0
// What is computed after every step: the same numbers to the last bit before and after machine code takes over.
#include "liaison/realise/step_program.hpp"

#include "liaison/analysis/section.hpp"
#include "liaison/base/features.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/flow/step_work.hpp"
#include "liaison/motion/lanes.hpp"
#include "liaison/motion/steppers.hpp"

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

namespace {

bool has_machine_code(const flow::Flow& flow) {
    bool all = true;
    bool any = false;
    for (const auto& transition : flow.transitions) {
        const auto* work = dynamic_cast<const flow::StepWork*>(transition.get());
        if (work == nullptr) continue;
        any = true;
        all = all && work->compiled();
    }
    REQUIRE(any);
    return all;
}

// Two steps; the first one brings the code.
void step(const flow::Flow& flow, motion::Stepper& stepper) {
    motion::SimulateOptions options;
    options.until = flow.start_time + 1e-3;
    options.tolerance = 1e-9;
    REQUIRE(motion::simulate(flow, stepper, options).status == motion::Status::done);
}

} // namespace

TEST_CASE("a stepper that begins with machine code brings the projection with it") {
    const auto model = support::prepared(support::slider_crank());
    const flow::Flow& flow = model.realised.flow;
    REQUIRE_FALSE(has_machine_code(flow));
    SUBCASE("many steps are expected") {
        const auto short_run = motion::make_taylor_stepper(flow, 1e-9);
        step(flow, *short_run);
        CHECK_FALSE(has_machine_code(flow)); // it would not pay
        const auto long_run = motion::make_taylor_stepper(flow, 1e-9, 1e9);
        step(flow, *long_run);
        CHECK(has_machine_code(flow) == static_cast<bool>(LIAISON_WITH_LLVM));
    }
    SUBCASE("motions side by side") {
        const motion::Lanes lanes(flow, 1e-9, 1e9, true);
        CHECK(has_machine_code(flow) == lanes.quick());
    }
    SUBCASE("motions of a sweep, behind the witness of their sections") {
        analysis::SectionOptions options;
        options.observed = {{analysis::Observed::What::output, 0, "phi1"}};
        options.expected_points = 1e6;
        analysis::SectionWatch watch(flow, options);
        const auto stepper = motion::make_taylor_stepper(watch.flow(), 1e-9, 1e9);
        step(watch.flow(), *stepper);
        CHECK(has_machine_code(flow) == static_cast<bool>(LIAISON_WITH_LLVM));
    }
}
