// SPDX-License-Identifier: Apache-2.0
// Models printed as files and read again: the same flow, to the last bit.
#include "liaison/expr/print.hpp"
#include "liaison/liaison.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace liaison;

namespace {

std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string printed(expr::Expr e) { return e ? expr::print(e) : std::string("nothing"); }

// Everything that decides the motion, in words.
std::vector<std::string> flow_of(const model::Model& model) {
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    if (!start) return {"no start"};
    const auto made = realise::realise(model, start->point);
    const flow::Flow& flow = made.flow;
    std::vector<std::string> words{flow.model, flow.realisation, made.missing, made.refused};
    words.insert(words.end(), flow.state_names.begin(), flow.state_names.end());
    words.insert(words.end(), flow.parameter_names.begin(), flow.parameter_names.end());
    for (const double x : flow.start_state) words.push_back(fmt::format("{}", x));
    for (const double x : flow.parameter_values) words.push_back(fmt::format("{}", x));
    for (const expr::Expr e : flow.rates) words.push_back(printed(e));
    for (const flow::Guard& g : flow.guards) words.push_back(g.name + ": " + printed(g.value));
    for (const flow::Output& o : flow.outputs)
        words.push_back(o.name + " " + o.part + ": " + printed(o.value));
    for (const flow::ModeSlot& m : flow.modes)
        words.push_back(fmt::format("{} {}", m.name, m.initial));
    words.push_back(start->until ? fmt::format("{}", *start->until) : "no end");
    words.push_back(fmt::format("{}", start->tolerance));
    return words;
}

} // namespace

TEST_CASE("every model of the gallery is the same model when it is printed and read again") {
    std::size_t models = 0;
    std::vector<std::filesystem::path> folders;
    for (const auto& folder : std::filesystem::directory_iterator(LIAISON_EXAMPLES))
        if (std::filesystem::exists(folder.path() / "model.toml")) folders.push_back(folder.path());
    std::ranges::sort(folders);
    for (const auto& folder : folders) {
        CAPTURE(folder.string());
        const std::string text = read(folder / "model.toml");
        base::Diagnostics diagnostics;
        const auto draft =
            model::read_draft(base::SourceFile::make("model.toml", text), diagnostics);
        REQUIRE(draft);
        const std::string again = model::to_toml(*draft);
        const auto second =
            model::read_draft(base::SourceFile::make("again.toml", again), diagnostics);
        REQUIRE(second);
        CHECK(model::to_toml(*second) == again);
        const auto one = model::read_model("model.toml", text);
        const auto other = model::read_model("again.toml", again);
        if (one.invert) continue; // its forces are unknown
        CHECK(flow_of(one) == flow_of(other));
        ++models;
    }
    CHECK(models > 60);
}

TEST_CASE("a model that was built has a text, and the text has the same motion") {
    model::Builder builder("a \"quoted\" name");
    const auto x = builder.coordinate("x");
    builder.coordinate("y");
    const auto k = builder.parameter("k", 0.1 + 0.2, "N/m");
    builder.parameters("m", {1.0, 2.5e-3});
    builder.state("n", 0.0);
    builder.kinetic_energy("m[0]*x'^2/2 + y'^2/2");
    builder.potential_energy(k * x * x / 2.0 + 9.81 * builder.symbol("y"));
    builder.force("push").components.push_back({"x", "-0.1*x'"});
    auto& floor = builder.contact("floor");
    floor.gap = "y";
    floor.slip = {"x'"};
    floor.friction.sticking = "0.4";
    floor.friction.sliding = "0.3";
    floor.restitution = 0.5;
    floor.law = model::RestitutionLaw::poisson;
    auto& count = builder.event("count", "x - 0.1");
    count.direction = model::Event::Direction::down;
    count.set_state.push_back({"n", "n + 1"});
    builder.start("x", 1);
    builder.start("y", "0.3");
    builder.draft.run.until = 2.0;
    const auto built = builder.build();
    REQUIRE(built.source);
    const auto read_again = model::read_model("again.toml", std::string(built.source->text()));
    CHECK(flow_of(built) == flow_of(read_again));
    const auto one = ask::run(built).get();
    const auto other = ask::run(read_again).get();
    CHECK(one.run.trajectory.state == other.run.trajectory.state);
    CHECK(one.run.trajectory.events.size() == other.run.trajectory.events.size());
    CHECK(one.run.trajectory.events.size() > 3);
    CHECK(one.run.provenance.model_hash == other.run.provenance.model_hash);
}
