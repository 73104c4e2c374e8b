// SPDX-License-Identifier: Apache-2.0
// liaison painleve: where is sliding paradoxical? Intervals, maps, critical friction.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/painleve.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <system_error>

namespace liaison::app {
namespace {

struct Arguments {
    std::string model;
    std::vector<std::string> settings;
    std::vector<std::string> over;
    std::string slip = "both";
    std::string contact;
    std::string output;
    std::string reach;
    bool here = false;
    bool bolotov = false;
};

std::optional<ask::SlipRange> read_over(const std::string& text, base::Diagnostics& diagnostics) {
    ask::RangeRule rule;
    rule.most = 100'000;
    rule.example = "th=0:90*deg";
    const auto range = ask::read_range("--over", text, diagnostics, rule);
    if (!range) return std::nullopt;
    return ask::SlipRange{*range, text.find("deg") != std::string::npos};
}

// What cannot be right whatever the model says; empty if nothing is wrong.
std::string anything_wrong(const Arguments& arguments) {
    const bool here = arguments.here || arguments.bolotov;
    if (!here && (arguments.over.empty() || arguments.over.size() > 2))
        return "say what to vary: --over NAME=FROM:TO, once for intervals, twice for a map, or "
               "--here for the start state";
    if (!arguments.reach.empty() && arguments.over.size() != 2)
        return "--reach needs a map: --over for an angle or place, and --over for a rate";
    if (arguments.output.empty()) return {};
    std::string wrong = is_input(arguments.output, {arguments.model});
    if (wrong.empty()) wrong = cannot_write(arguments.output);
    std::error_code none;
    if (wrong.empty() && std::filesystem::exists(arguments.output, none) &&
        record::kind_of_file(arguments.output) != record::FileKind::svg)
        wrong = fmt::format("{} exists and is no picture; choose another name", arguments.output);
    return wrong;
}

int painleve(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string wrong = anything_wrong(arguments); !wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics, arguments.settings);
    if (!model) return terminal.refuse(diagnostics);
    ask::PainleveQuestion question;
    question.set.assign(arguments.settings.begin(), arguments.settings.end());
    question.contact = arguments.contact;
    question.positive = arguments.slip != "negative";
    question.negative = arguments.slip != "positive";
    question.bolotov = arguments.bolotov;
    if (!arguments.here && !arguments.bolotov)
        for (const std::string& text : arguments.over)
            if (const auto range = read_over(text, diagnostics)) question.over.push_back(*range);
    if (!arguments.reach.empty()) question.reach = read_over(arguments.reach, diagnostics);
    if (diagnostics.has_errors()) return terminal.refuse(diagnostics);
    Watch watch(terminal);
    const auto answer = ask::painleve(*model, question, watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    std::string text = answer->text;
    if (answer->figure && !arguments.output.empty()) {
        const std::string wrong =
            record::write_file(arguments.output, record::to_svg(*answer->figure));
        if (!wrong.empty()) {
            terminal.complain(wrong);
            return exit_stopped;
        }
        text += fmt::format("wrote {}\n", arguments.output);
    } else if (question.over.size() == 2) {
        text += "add -o FILE.svg for the map, or --json for its boundary\n";
    }
    terminal.print(terminal.json ? record::json_text(answer->json) : text);
    return exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->model, "model file, - for standard input")
        .models()
        .needed();
    options.values("--over", "NAME=FROM:TO", arguments->over,
                   "parameter or coordinate to vary; twice for a map");
    options.value(
        "--reach", "NAME=FROM:TO", arguments->reach,
        "friction from which on slip runs into its paradox; with a map over place and rate");
    options.value("--slip", "SIGN", arguments->slip, "direction of the slip")
        .one_of({"positive", "negative", "both"});
    options.value("--contact", "NAME", arguments->contact,
                  "which contact; the first with friction if not given");
    options.flag("--here", arguments->here,
                 "the contact problem of the start state with all its solutions");
    options.flag("--bolotov", arguments->bolotov,
                 "Bolotov's plane of the contact at the start, for slips with two components");
    options.values("--set", "NAME=VALUE", arguments->settings,
                   "another value of a parameter, repeatable");
    options.value("-o,--output", "FILE", arguments->output, "write the map or plane as .svg")
        .files();
    return [arguments](Terminal& terminal) { return painleve(*arguments, terminal); };
}

} // namespace

Command painleve_command() {
    return {
        .name = "painleve",
        .summary = "where is sliding paradoxical? intervals, map, critical friction",
        .description =
            "Looks at a contact that slips: where its normal response B1' is negative the "
            "rigid model has no motion or several (paradoxes of Painlevé). Boundaries and the "
            "smallest friction with a paradox are found as roots and minima, not by pixel.",
        .examples = {{"liaison painleve rod.toml --over \"th=0:90*deg\" --slip negative",
                      "intervals of an angle"},
                     {"liaison painleve rod.toml --over \"th=0:90*deg\" --over mu=0:3 -o map.svg",
                      "map with the four regions"},
                     {"liaison painleve rod.toml --here",
                      "all solutions of the contact problem at the start"}},
        .setup = setup};
}

} // namespace liaison::app
