// SPDX-License-Identifier: Apache-2.0
// Sections against orbits in closed form; sweeps that do not depend on threads or interruptions; labels.
#include "liaison/analysis/sweep.hpp"

#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/analysis/sweep_file.hpp"
#include "liaison/analysis/sweep_report.hpp"

#include "support/flow_of.hpp"
#include "support/impact_oscillator.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

using namespace liaison;
using analysis::MotionLabel;
using analysis::Observed;
using nlohmann::json;

namespace {

std::vector<Observed> states_of(const flow::Flow& flow) {
    std::vector<Observed> result;
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
        const auto group = flow.outputs[i].group;
        if (group == flow::OutputGroup::q || group == flow::OutputGroup::v)
            result.push_back({Observed::What::output, i,
                              flow.outputs[i].name + (group == flow::OutputGroup::v ? "'" : "")});
    }
    return result;
}

analysis::SectionResult look(const test::Loaded& loaded, analysis::SectionOptions options) {
    if (options.observed.empty()) options.observed = states_of(*loaded.flow);
    const flow::Flow& flow = *loaded.flow;
    analysis::SectionWatch watch(flow, options);
    return watch.run(flow.parameter_values, flow.start_state, flow.start_time,
                     analysis::forcing_period(flow));
}

analysis::SweepPlan plan_over(const test::Loaded& loaded, const std::string& parameter, double from,
                              double to, std::size_t points) {
    analysis::SweepPlan plan;
    plan.section.observed = states_of(*loaded.flow);
    plan.section.drop = 20;
    plan.section.keep = 10;
    const std::size_t index = test::parameter(*loaded.flow, parameter);
    plan.axes.push_back({analysis::SweepAxis::Kind::parameter, index, parameter, from, to, points});
    const auto flow = loaded.flow;
    plan.start = [flow, index](std::size_t, std::span<const double> values) {
        analysis::SweepStart start;
        start.parameters = flow->parameter_values;
        start.parameters[index] = values[0];
        start.state = flow->start_state;
        start.time = flow->start_time;
        flow::Flow copy = *flow;
        copy.parameter_values = start.parameters;
        start.period = analysis::forcing_period(copy);
        return start;
    };
    return plan;
}

std::string csv_of(const analysis::SweepPlan& plan,
                   const std::vector<analysis::SectionResult>& results) {
    analysis::SweepTable table;
    table.plan = &plan;
    table.results = &results;
    return analysis::to_csv(table);
}

// A name that no other test uses, removed at the end.
struct Temporary {
    std::string path = (std::filesystem::temp_directory_path() /
                        ("liaison-sweep-" + std::to_string(::getpid()) + ".partial"))
                           .string();
    ~Temporary() { std::filesystem::remove(path); }
};

} // namespace

TEST_CASE(
    "sections of the impact oscillator: the stable orbits of the reference, phase and speed") {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/06-impact-oscillator.json");
    const json all = json::parse(in);
    int seen = 0;
    for (const json& c : all["cases"]) {
        if (c["kind"] != "periodic_orbits" || c["parameters"]["sigma"] != 0.0) continue;
        const json* stable = nullptr;
        for (const json& orbit : c["orbits"])
            if (orbit["stable"] == true && orbit["admissible"] == true) stable = &orbit;
        if (stable == nullptr) continue;
        INFO(c["name"].get<std::string>());
        test::Values values;
        for (const auto& [name, value] : c["parameters"].items())
            if (name != "periods_per_orbit") values[name] = value;
        const auto loaded = test::load(test::k_impact_oscillator, values);
        analysis::SectionOptions options;
        options.rule.kind = analysis::SectionRule::Kind::event;
        options.rule.where = "stop";
        options.rule.before = true;
        options.drop = 400;
        options.keep = 6;
        options.until = 1e4;
        options.tolerance = 1e-13;
        options.observed = states_of(*loaded.flow);
        options.observed.push_back({Observed::What::phase, 0, "phase"});
        const auto result = look(loaded, options);
        if (result.label != MotionLabel::periodic || result.period != 1)
            continue; // another attractor
        ++seen;
        const double turns =
            (*stable)["impact_phase_omega_t"].get<double>() / (2 * std::numbers::pi);
        CHECK(std::abs(result.values[1] - (*stable)["velocity_before"].get<double>()) < 1e-9);
        CHECK(std::abs(result.values[2] - turns) < 1e-9);
    }
    CHECK(seen >= 2);
}

TEST_CASE("a sweep is the same to the last byte on any number of threads and after interruptions") {
    const auto loaded = test::load(test::k_impact_oscillator);
    const auto plan = plan_over(loaded, "omega", 2.0, 4.0, 40);
    analysis::SweepFile one(plan.points());
    REQUIRE(analysis::sweep(*loaded.flow, plan, one, {}));
    const std::string expected = csv_of(plan, one.results());

    analysis::SweepFile three(plan.points());
    REQUIRE(analysis::sweep(*loaded.flow, plan, three, {.threads = 3}));
    CHECK(csv_of(plan, three.results()) == expected);

    // Cut short after some motions, with a half-written record at the end of the file.
    const Temporary file;
    {
        analysis::SweepFile begun(plan.points());
        REQUIRE(begun.keep_in(file.path, "key", false).empty());
        std::atomic<bool> stop = false;
        CHECK_FALSE(analysis::sweep(*loaded.flow, plan, begun,
                                    {.threads = 2,
                                     .interrupt = &stop,
                                     .progress = [&](std::size_t done) { stop = done >= 13; }}));
    }
    const auto size = std::filesystem::file_size(file.path);
    std::filesystem::resize_file(file.path, size - 5);
    analysis::SweepFile other(plan.points());
    CHECK(other.keep_in(file.path, "another key", false).find("--force") != std::string::npos);
    analysis::SweepFile rest(plan.points());
    REQUIRE(rest.keep_in(file.path, "key", false).empty());
    CHECK(rest.resumed() >= 12);
    CHECK(rest.resumed() < 40);
    REQUIRE(analysis::sweep(*loaded.flow, plan, rest, {.threads = 2}));
    CHECK(csv_of(plan, rest.results()) == expected);
    rest.finish();
    CHECK_FALSE(std::filesystem::exists(file.path));
}

TEST_CASE("carried on, the motion stays on its branch: hysteresis of two coexisting orbits") {
    // A Duffing oscillator near resonance: up and down jump at different frequencies.
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
w = 1.2
[energy]
T = "x'^2/2"
V = "x^2/2 + 0.1*x^4/4"
[force.damper]
x = "-0.1*x' + 0.5*cos(w*t)"
)model");
    auto plan = plan_over(loaded, "w", 1.0, 2.0, 41);
    plan.section.drop = 60;
    plan.section.keep = 2;
    const auto amplitude = [](const analysis::SectionResult& r) {
        return std::hypot(r.values[0], r.values[1] / 1.4);
    };
    std::vector<double> largest;
    for (const auto carry : {analysis::Carry::up, analysis::Carry::down}) {
        plan.carry = carry;
        analysis::SweepFile file(plan.points());
        REQUIRE(analysis::sweep(*loaded.flow, plan, file, {}));
        largest.push_back(amplitude(file.results()[12])); // w = 1.3: both orbits are stable
    }
    CHECK(largest[0] > 2.0 * largest[1]);
}

TEST_CASE("labels: rest, divergence, chattering, inadmissible starts, failures with their reason") {
    using Kind = analysis::SectionRule::Kind;
    analysis::SectionOptions end;
    end.rule.kind = Kind::end;
    end.until = 60.0;
    const std::string ball = R"model(
format = 1
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
restitution = 0.7
[start]
y = 1.0
)model";
    const auto rest = look(test::load(ball), end);
    CHECK(rest.label == MotionLabel::rest);
    CHECK(std::abs(rest.values[0]) < 1e-9);

    const auto away = look(test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "-x^2/2"
[start]
x = 0.1
)model"),
                           end);
    CHECK(away.label == MotionLabel::divergence);

    const auto broken = look(test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x"
[force.edge]
x = "-sqrt(x)"
[start]
x = 1.0
)model"),
                             end);
    CHECK(broken.label == MotionLabel::failed);
    CHECK_FALSE(broken.reason.empty());

    const auto loaded = test::load(ball);
    auto options = end;
    options.observed = states_of(*loaded.flow);
    analysis::SectionWatch watch(*loaded.flow, options);
    std::vector<double> inside = loaded.flow->start_state;
    inside[0] = -0.2;
    CHECK(watch.run(loaded.flow->parameter_values, inside, 0.0, 0.0).label ==
          MotionLabel::inadmissible);
    // And the watch is as good as new afterwards.
    CHECK(watch.run(loaded.flow->parameter_values, loaded.flow->start_state, 0.0, 0.0).values ==
          rest.values);

    // A ball on a table that throws it up once per period and lets it bounce out: its bounces accumulate each time.
    const auto table = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
A = 1.2
[energy]
T = "y'^2/2"
V = "y"
[contact.table]
gap = "y - A*sin(t)"
restitution = 0.3
[start]
y = 1.0
)model");
    analysis::SectionOptions strobe;
    strobe.drop = 20;
    strobe.keep = 10;
    const auto chatter = look(table, strobe);
    CHECK(chatter.label == MotionLabel::chattering);
    CHECK(chatter.period == 1);
}

TEST_CASE("basins of two wells: mirror images, told apart and counted") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^4/4 - x^2/2"
[force.damper]
x = "-0.5*x'"
)model");
    analysis::SweepPlan plan;
    plan.section.observed = states_of(*loaded.flow);
    plan.section.rule.kind = analysis::SectionRule::Kind::end;
    plan.section.until = 120.0;
    plan.section.drop = 0;
    plan.section.keep = 1;
    plan.axes = {{analysis::SweepAxis::Kind::state, 0, "x", -2.0, 2.0, 12},
                 {analysis::SweepAxis::Kind::state, 1, "x'", -2.0, 2.0, 12}};
    const auto flow = loaded.flow;
    plan.start = [flow](std::size_t, std::span<const double> values) {
        analysis::SweepStart start;
        start.state = flow->start_state;
        start.state[0] = values[0];
        start.state[1] = values[1];
        return start;
    };
    analysis::SweepFile file(plan.points());
    REQUIRE(analysis::sweep(*flow, plan, file, {.threads = 2}));
    const auto numbers = analysis::attractors(file.results(), plan.section);
    std::size_t left = 0, right = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE(file.results()[i].label == MotionLabel::rest);
        CHECK(std::abs(std::abs(file.results()[i].values[0]) - 1.0) < 1e-6);
        // The mirror image of a start ends in the mirror image of its rest.
        CHECK(numbers[i] != numbers[numbers.size() - 1 - i]);
        (file.results()[i].values[0] < 0.0 ? left : right) += 1;
    }
    CHECK(left == right);
    CHECK(*std::max_element(numbers.begin(), numbers.end()) == 2);
}

TEST_CASE("random samples lie in their ranges and depend on the seed alone") {
    analysis::SweepPlan plan;
    plan.axes = {{analysis::SweepAxis::Kind::parameter, 0, "a", -1.0, 3.0, 2},
                 {analysis::SweepAxis::Kind::parameter, 1, "b", 10.0, 11.0, 2}};
    plan.random = 4000;
    plan.seed = 7;
    double mean = 0.0, square = 0.0, mixed = 0.0;
    for (std::size_t i = 0; i < plan.points(); ++i) {
        const auto v = plan.values(i);
        REQUIRE(v[0] >= -1.0);
        REQUIRE(v[0] < 3.0);
        REQUIRE(v[1] >= 10.0);
        REQUIRE(v[1] < 11.0);
        mean += v[0] / 4000;
        square += v[0] * v[0] / 4000;
        mixed += (v[0] - 1.0) * (v[1] - 10.5) / 4000;
    }
    // Uniform on [-1, 3): mean 1, variance 4/3; within five standard errors.
    CHECK(std::abs(mean - 1.0) < 5 * std::sqrt(4.0 / 3 / 4000));
    CHECK(std::abs(square - 1.0 - 4.0 / 3) < 0.2);
    CHECK(std::abs(mixed) < 5 * std::sqrt(4.0 / 3 / 12 / 4000));
    const auto first = plan.values(17);
    plan.random = 5000;
    CHECK(plan.values(17) == first);
    plan.seed = 8;
    CHECK(plan.values(17) != first);
}
