// SPDX-License-Identifier: Apache-2.0
// liaison painleve: where is sliding paradoxical? Intervals, maps, critical friction.
#include "liaison/analysis/singular_slip.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/painleve_here.hpp"
#include "liaison/app/painleve_map.hpp"
#include "liaison/app/range.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <system_error>

namespace liaison::app {
namespace {

using analysis::SlipCase;
using analysis::SlipScan;
using analysis::Variable;
using Json = nlohmann::ordered_json;

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

std::optional<Scanned> read_over(const std::string& text, const model::Model& model,
                                 base::Diagnostics& diagnostics) {
    RangeRule rule;
    rule.most = 100'000;
    rule.example = "th=0:90*deg";
    const auto range = read_range("--over", text, diagnostics, rule);
    if (!range) return std::nullopt;
    Scanned scanned;
    Variable& variable = scanned.variable;
    variable.name = range->name;
    variable.parameter = model.parameter(range->name);
    variable.coordinate = model.coordinate(range->name);
    if (variable.parameter == model::k_none && variable.coordinate == model::k_none) {
        diagnostics.report(
            base::Code::bad_setting,
            fmt::format("--over {}: {} is neither a parameter nor a coordinate of the model", text,
                        range->name));
        return std::nullopt;
    }
    variable.from = range->from;
    variable.to = range->to;
    if (range->points) variable.points = *range->points;
    scanned.degrees = text.find("deg") != std::string::npos;
    return scanned;
}

std::string shown(double value, bool degrees) {
    return degrees ? fmt::format("{:.2f}°", value * 180.0 / std::numbers::pi)
                   : fmt::format("{:.6g}", value);
}
// Right-aligned; the degree sign is two bytes but one column.
std::string column(const std::string& text, std::size_t width) {
    const std::size_t columns = text.size() - (text.ends_with("°") ? 1 : 0);
    return std::string(width > columns ? width - columns : 0, ' ') + text;
}

std::string verdict(SlipCase c) {
    switch (c) {
    case SlipCase::regular: return "well posed";
    case SlipCase::separation: return "well posed: the contact opens";
    case SlipCase::inconsistent: return "paradoxical: no motion; resolved by a tangential impact";
    case SlipCase::indeterminate:
        return "paradoxical: several motions; resolved by a tangential impact";
    }
    return "";
}

std::vector<Slip> slips(const Arguments& arguments) {
    std::vector<Slip> list;
    if (arguments.slip != "negative") list.push_back({"positive", 1.0});
    if (arguments.slip != "positive") list.push_back({"negative", -1.0});
    return list;
}

Json intervals(const SlipScan& scan, const Scanned& range, const Slip& slip,
               const std::string& contact, std::string& text) {
    Json result = {{"slip", slip.word}, {"intervals", Json::array()}};
    text +=
        fmt::format("contact {}, sliding with slip {} 0\n", contact, slip.sign > 0.0 ? ">" : "<");
    const std::string& name = range.variable.name;
    text += fmt::format("{} {}  normal response B1'   sliding is\n", column(name + " from", 11),
                        column("to", 11));
    for (const auto& i : analysis::slip_intervals(scan, range.variable, slip.sign)) {
        result["intervals"].push_back(
            {{"from", i.from}, {"to", i.to}, {"case", analysis::name(i.slip_case)}});
        const bool positive =
            i.slip_case == SlipCase::regular || i.slip_case == SlipCase::separation;
        text += fmt::format("{} {}  {:<20} {}\n", column(shown(i.from, range.degrees), 11),
                            column(shown(i.to, range.degrees), 11),
                            positive ? "positive" : "negative", verdict(i.slip_case));
    }
    result["critical"] = nullptr;
    if (const auto c = analysis::critical_friction(scan, range.variable, slip.sign)) {
        result["critical"] = {{"friction", c->friction}, {"at", {{name, c->at}}}};
        text += fmt::format("smallest friction with a paradox: {:.6g} at {} = {}\n", c->friction,
                            name, shown(c->at, range.degrees));
    } else {
        text += "no friction makes this slip paradoxical in the range\n";
    }
    return result;
}

// The side of the contact that is asked for, or of the first with friction.
std::optional<std::size_t> find_side(const model::Model& model, const std::string& wanted,
                                     std::string& contact) {
    std::size_t side = 0;
    for (const model::Contact& c : model.contacts) {
        if (c.friction && (wanted.empty() || c.name == wanted)) {
            contact = c.name;
            return side;
        }
        side += c.sides.size();
    }
    return std::nullopt;
}

// Corners A₁ = B₁' = 0 of a map: does slip run into them?
Json corners(const SlipScan& scan, const std::vector<Scanned>& ranges, const Slip& slip,
             std::string& text) {
    Json list = Json::array();
    const Variable& x = ranges[0].variable;
    const Variable& y = ranges[1].variable;
    for (const auto& p : analysis::singular_points(scan, x, y, slip.sign)) {
        list.push_back({{x.name, p.configuration},
                        {y.name, p.rate},
                        {"kind", p.node() ? "node" : "saddle"},
                        {"exponent", p.exponent()},
                        {"reached", p.reached()}});
        text +=
            fmt::format("corner A1 = B1' = 0 at {} = {}, {} = {} ({} slip): {}\n", x.name,
                        shown(p.configuration, ranges[0].degrees), y.name,
                        shown(p.rate, ranges[1].degrees), slip.word,
                        p.reached() ? fmt::format("slip runs into it, normal force ~ B1'^{:.4g}",
                                                  p.exponent() - 1.0)
                        : p.node()  ? "slip lifts off before it"
                                    : "slip passes by");
    }
    return list;
}

Json reach(const SlipScan& scan, const std::vector<Scanned>& ranges, const Scanned& friction,
           const Slip& slip, std::string& text) {
    const Variable& x = ranges[0].variable;
    const Variable& y = ranges[1].variable;
    const auto found = analysis::reach_friction(scan, x, y, friction.variable, slip.sign);
    if (!found) {
        text += fmt::format("{} slip does not begin to run into its paradox in {} = {:g} … {:g}\n",
                            slip.word, friction.variable.name, friction.variable.from,
                            friction.variable.to);
        return nullptr;
    }
    text += fmt::format("{} slip runs into its paradox from {} = {:.9g} on, at {} = {}, {} = {}\n",
                        slip.word, friction.variable.name, found->friction, x.name,
                        shown(found->at.configuration, ranges[0].degrees), y.name,
                        shown(found->at.rate, ranges[1].degrees));
    return {{friction.variable.name, found->friction},
            {"at", {{x.name, found->at.configuration}, {y.name, found->at.rate}}}};
}

int painleve(const Arguments& arguments, const Terminal& terminal) {
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    prepare::Options options;
    options.settings = prepare::read_settings(*model, arguments.settings, diagnostics);
    const auto start = prepare::prepare(*model, options, diagnostics);
    if (!start || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    terminal.tell(diagnostics);

    std::string contact;
    const auto side = find_side(*model, arguments.contact, contact);
    if (!side) {
        terminal.complain(arguments.contact.empty()
                              ? "the model has no contact with friction"
                              : fmt::format("no contact {} with friction", arguments.contact));
        return exit_input;
    }
    const SlipScan scan(*model, options, *side);
    if (!scan.realisation().contacts) {
        terminal.complain("there is no engine for this model: " + scan.realisation().missing);
        return exit_input;
    }
    if (!arguments.output.empty()) {
        std::string wrong = is_input(arguments.output, {arguments.model});
        if (wrong.empty()) wrong = cannot_write(arguments.output);
        std::error_code none;
        if (wrong.empty() && std::filesystem::exists(arguments.output, none) &&
            record::kind_of_file(arguments.output) != record::FileKind::svg)
            wrong =
                fmt::format("{} exists and is no picture; choose another name", arguments.output);
        if (!wrong.empty()) {
            terminal.complain(wrong);
            return exit_usage;
        }
    }
    if (arguments.here || arguments.bolotov)
        return painleve_here(*model, scan, contact, arguments.bolotov, arguments.output, terminal);

    std::vector<Scanned> ranges;
    for (const std::string& text : arguments.over) {
        auto range = read_over(text, *model, diagnostics);
        if (!range) return terminal.refuse(diagnostics);
        ranges.push_back(std::move(*range));
    }
    if (ranges.empty() || ranges.size() > 2) {
        terminal.complain("say what to vary: --over NAME=FROM:TO, once for intervals, twice for a "
                          "map, or --here for the start state");
        return exit_usage;
    }
    if (!arguments.reach.empty() && ranges.size() != 2) {
        terminal.complain(
            "--reach needs a map: --over for an angle or place, and --over for a rate");
        return exit_usage;
    }
    if (model->contacts[scan.realisation().contacts->sides()[*side].contact].slip.size() == 2) {
        terminal.complain("the slip of this contact has two components: use --here --bolotov");
        return exit_usage;
    }
    Json result = {{"model", model->name}, {"contact", contact}};
    std::string text;
    if (ranges.size() == 1) {
        Json all = Json::array();
        for (const Slip& slip : slips(arguments))
            all.push_back(intervals(scan, ranges[0], slip, contact, text));
        if (all.size() == 1) {
            result["slip"] = all[0]["slip"];
            result["intervals"] = all[0]["intervals"];
            result["critical"] = all[0]["critical"];
        } else {
            result["slips"] = all;
        }
    } else {
        record::Figure figure;
        result["maps"] = Json::array();
        for (const Slip& slip : slips(arguments)) {
            SlipMap map = slip_map(scan, ranges[0], ranges[1], slip, contact);
            record::Figure& part = map.figure;
            if (figure.panels.empty()) figure.title = part.title;
            figure.caption = part.caption;
            for (record::Panel& p : part.panels) figure.panels.push_back(std::move(p));
            map.boundaries["corners"] = corners(scan, ranges, slip, text);
            result["maps"].push_back(std::move(map.boundaries));
        }
        if (!arguments.reach.empty()) {
            const auto friction = read_over(arguments.reach, *model, diagnostics);
            if (!friction) return terminal.refuse(diagnostics);
            result["reach"] = Json::array();
            for (const Slip& slip : slips(arguments))
                result["reach"].push_back(reach(scan, ranges, *friction, slip, text));
        }
        if (!arguments.output.empty()) {
            const std::string wrong = record::write_file(arguments.output, record::to_svg(figure));
            if (!wrong.empty()) {
                terminal.complain(wrong);
                return exit_stopped;
            }
            text += fmt::format("wrote {}\n", arguments.output);
        } else {
            text += "add -o FILE.svg for the map, or --json for its boundary\n";
        }
    }
    terminal.print(terminal.json ? record::json_text(result) : text);
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
