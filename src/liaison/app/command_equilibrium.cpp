// SPDX-License-Identifier: Apache-2.0
// liaison equilibrium: rest positions, what holds them, small vibrations, stability.
#include "liaison/analysis/equilibrium_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/range.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::app {
namespace {

struct Arguments {
    FlowArguments common; // model, settings, outputs
    std::vector<std::string> box;
    std::optional<long> starts;
    std::string over;
};

std::string complaint_about(const Arguments& arguments) {
    if (arguments.starts && (*arguments.starts < 1 || *arguments.starts > 100000))
        return "--starts must lie between 1 and 100000";
    if (arguments.starts && arguments.box.empty())
        return "--starts spreads over a box: say which with --box NAME=FROM:TO";
    return arguments.common.complaint(arguments.over.empty()
                                          ? std::vector<std::string>{".svg", ".json"}
                                          : std::vector<std::string>{".svg", ".json", ".csv"});
}

bool read_box(const Arguments& arguments, const model::Model& model,
              analysis::EquilibriumOptions& wanted, base::Diagnostics& diagnostics) {
    for (const std::string& text : arguments.box) {
        const auto range = read_range("--box", text, diagnostics);
        if (!range) continue;
        const std::size_t i = model.coordinate(range->name);
        if (i == model::k_none) {
            std::vector<std::string> names;
            for (const auto& c : model.coordinates) names.push_back(c.name);
            diagnostics
                .report(
                    base::Code::bad_setting,
                    fmt::format("--box {}: the model has no coordinate of this name", range->name))
                .note(fmt::format("it has {}", fmt::join(names, ", ")));
            continue;
        }
        wanted.box.push_back({i, range->from, range->to});
    }
    constexpr std::size_t k_starts = 64;
    wanted.starts = arguments.starts ? static_cast<std::size_t>(*arguments.starts) : k_starts;
    return !diagnostics.has_errors();
}

int write_and_tell(const Arguments& arguments, const Terminal& terminal,
                   const nlohmann::ordered_json& json, const std::string& text,
                   const std::string& csv, const record::Figure& figure) {
    std::vector<std::string> texts;
    for (const std::string& path : arguments.common.outputs)
        texts.push_back(path.ends_with(".json")  ? record::json_text(json)
                        : path.ends_with(".csv") ? csv
                                                 : record::to_svg(figure));
    if (const int code = write_outputs(arguments.common.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(record::json_text(json));
        return exit_ok;
    }
    terminal.print(text);
    for (const std::string& path : arguments.common.outputs)
        terminal.say(fmt::format("      wrote {}\n", path));
    return exit_ok;
}

// Rest positions for every value of a parameter; those of one value are starts for the next.
int over(const Arguments& arguments, const model::Model& model, const prepare::Point& start,
         const analysis::EquilibriumOptions& wanted, const Terminal& terminal) {
    base::Diagnostics diagnostics;
    const auto range = read_range("--over", arguments.over, diagnostics);
    if (!range) return terminal.refuse(diagnostics);
    const std::size_t parameter = prepare::find_parameter(model, range->name, diagnostics);
    if (parameter == model::k_none) return terminal.refuse(diagnostics);
    constexpr std::size_t k_points = 101;
    const std::size_t n = range->points.value_or(k_points);
    // A parameter at zero may hide a drive: time is looked for with the value of the middle.
    prepare::Point middle = start;
    middle.parameters[parameter] = 0.5 * (range->from + range->to);
    analysis::EquilibriumSearch search(model, middle);
    std::vector<analysis::EquilibriaAt> all;
    std::vector<std::vector<double>> also;
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
        auto values = start.parameters;
        values[parameter] = range->from + (range->to - range->from) * static_cast<double>(i) /
                                              static_cast<double>(n - 1);
        search.set_parameters(values);
        all.push_back({values[parameter], search.find(wanted, also)});
        also.clear();
        for (const auto& e : all.back().equilibria.found) also.push_back(e.q);
        any = any || !also.empty();
        if (!search.rest().refused().empty()) break;
    }
    const auto& model_name = range->name;
    const int code = write_and_tell(
        arguments, terminal, analysis::to_json(all, search.rest(), model, model_name),
        any ? analysis::to_text(all, model, model_name)
            : fmt::format("{}   rest positions over {}\nnone: {}\n", model.name, model_name,
                          all.back().equilibria.reason),
        analysis::to_csv(all, model, model_name), analysis::figure(all, model, model_name));
    return code != exit_ok ? code : any ? exit_ok : exit_no;
}

int equilibrium(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.common.model, diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    prepare::Options options;
    options.settings = prepare::read_settings(*model, arguments.common.settings, diagnostics);
    const auto start = prepare::prepare(*model, options, diagnostics);
    analysis::EquilibriumOptions wanted;
    const bool read = read_box(arguments, *model, wanted, diagnostics);
    if (!start || !read) return terminal.refuse(diagnostics);
    terminal.tell(diagnostics);
    constexpr std::size_t k_largest = 300; // coordinates: the equations are dense
    if (model->coordinates.size() > k_largest) {
        terminal.complain(fmt::format("{} coordinates: rest positions are looked for in models of "
                                      "at most {}",
                                      model->coordinates.size(), k_largest));
        return exit_stopped;
    }
    if (!arguments.over.empty()) return over(arguments, *model, start->point, wanted, terminal);
    const analysis::EquilibriumSearch search(*model, start->point);
    const analysis::Equilibria found = search.find(wanted);
    const int code = write_and_tell(
        arguments, terminal, analysis::to_json(found, search.rest(), *model),
        analysis::to_text(found, search.rest(), *model), {}, analysis::figure(found, *model));
    return code != exit_ok ? code : found.found.empty() ? exit_no : exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    FlowArguments& common = arguments->common;
    options.positional("MODEL", common.model, "model file, - for standard input").models().needed();
    options.values("--box", "NAME=FROM:TO", arguments->box,
                   "search this range of a coordinate too, repeatable (default: from [start])");
    options.value("--starts", "N", arguments->starts, "starts in the box (default 64)");
    options.value("--over", "NAME=FROM:TO:N", arguments->over,
                  "rest positions for every value of a parameter (default 101 values)");
    options.values("--set", "NAME=VALUE", common.settings,
                   "another value of a parameter, repeatable");
    options
        .values("-o,--output", "FILE", common.outputs,
                "write the result: .svg or .json, with --over also .csv, repeatable")
        .files();
    options.flag("--force", common.force, "overwrite files");
    return [arguments](Terminal& terminal) { return equilibrium(*arguments, terminal); };
}

} // namespace

Command equilibrium_command() {
    return {
        .name = "equilibrium",
        .summary = "rest positions, what holds them, small vibrations, stability",
        .description =
            "Solves the balance of forces from [start], or from many starts in a box, for every "
            "choice of closed contacts and relay sides. Tells reactions, contact forces and the "
            "sets of rest positions that friction allows, the eigenvalues and modes of small "
            "motions, and whether the position is stable and by which argument; where no argument "
            "decides it says so. Exit code 1: no rest position was found.",
        .examples = {{"liaison equilibrium double_pendulum.toml",
                      "the rest position near [start] and its vibrations"},
                     {"liaison equilibrium pendulum.toml --box \"th=-pi:pi\"",
                      "all rest positions of a pendulum"},
                     {"liaison equilibrium governor.toml --over w=0:8:81 -o fork.svg",
                      "rest positions over a parameter, with a picture"}},
        .setup = setup};
}

} // namespace liaison::app
