// SPDX-License-Identifier: Apache-2.0
// From options and a model file to a flow and where it is looked at.
#include "liaison/app/section_arguments.hpp"

#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/app/load.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/flow/output_label.hpp"
#include "liaison/model/read.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison::app {
namespace {

constexpr std::string_view k_event = "event:";

bool is_expression(const std::string& section) {
    return !section.empty() && section != "period" && !section.starts_with(k_event);
}

// A surface of the user's becomes an event of the model: it is read, checked and located like every other.
std::string with_event(const std::string& text, const std::string& name, const std::string& when,
                       const std::string& direction) {
    return text + fmt::format("\n[event.{}]\nwhen = \"{}\" # --section\ndirection = \"{}\"\n", name,
                              when, direction);
}

std::string unused_event(const std::string& text) {
    std::string name = "section";
    while (text.find("[event." + name + "]") != std::string::npos) name += "_";
    return name;
}

bool knows_event(const model::Model& model, const std::string& where) {
    for (int k = 0; k <= static_cast<int>(flow::EventKind::terminal); ++k)
        if (flow::name(static_cast<flow::EventKind>(k)) == where) return true;
    const auto named = [&](const auto& all) {
        return std::any_of(all.begin(), all.end(), [&](const auto& x) { return x.name == where; });
    };
    return named(model.contacts) || named(model.relays) || named(model.events) ||
           named(model.constraints);
}

// As in tables: x' is the rate of a coordinate, a quasi-velocity has a name of its own.
std::string column_label(const flow::Flow& flow, const flow::Output& o) {
    return record::Column{o.group, o.name, o.part, {}, {}, flow::is_quasi(flow, o)}.label();
}

// The quantities to write down: those named, or all positions and velocities.
bool read_observed(const std::vector<std::string>& wanted, const flow::Flow& flow,
                   std::vector<analysis::Observed>& observed, base::Diagnostics& diagnostics) {
    const std::vector<std::string> names = listed(wanted);
    using What = analysis::Observed::What;
    if (names.empty()) {
        for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
            const auto group = flow.outputs[i].group;
            if (group == flow::OutputGroup::q ||
                (group == flow::OutputGroup::v && flow.n_positions < flow.n_controlled))
                observed.push_back({What::output, i, column_label(flow, flow.outputs[i])});
        }
        return true;
    }
    for (const std::string& name : names) {
        // Named twice, it is written down once: columns have names of their own.
        if (std::ranges::find(observed, name, &analysis::Observed::label) != observed.end())
            continue;
        if (name == "t" || name == "phase") {
            observed.push_back({name == "t" ? What::time : What::phase, 0, name});
            continue;
        }
        const auto found =
            std::find_if(flow.outputs.begin(), flow.outputs.end(),
                         [&](const auto& o) { return column_label(flow, o) == name; });
        if (found == flow.outputs.end()) {
            std::vector<std::string> known{"t", "phase"};
            for (const flow::Output& o : flow.outputs) known.push_back(column_label(flow, o));
            constexpr std::size_t k_most = 40;
            if (known.size() > k_most) known.resize(k_most);
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--observe {}: the model has no quantity of this name", name))
                .note(fmt::format("it has {}", fmt::join(known, ", ")));
            continue;
        }
        observed.push_back(
            {What::output, static_cast<std::size_t>(found - flow.outputs.begin()), name});
    }
    return !diagnostics.has_errors();
}

} // namespace

void SectionArguments::declare(Options& options) {
    options.positional("MODEL", model, "model file, - for standard input").models().needed();
    options.value(
        "--section", "WHERE", section,
        "period (the default with forcing), event:NAME, or an expression that crosses zero");
    options.value("--direction", "WAY", direction, "in which the expression crosses (default up)")
        .one_of({"up", "down", "both"});
    options.flag("--before", before, "at events: the state just before, not just after");
    options.value("--phase", "X", phase, "where in the period, from 0 to 1 (default 0)");
    options.value("--drop", "N", drop, "sections before the first that is kept (default 200)");
    options.value("--points", "N", points, "sections kept (default 100)");
    options.value("--until", "T", until,
                  "longest time of a motion without forcing sections (default 10000)");
    options.values(
        "--observe", "NAME,…", observe,
        "what is written down: x, x', observed names, t, phase (default: x and x' of all)");
    options.values("--set", "NAME=VALUE", settings, "another value of a parameter, repeatable");
    options.value("--tolerance", "X", tolerance, "of the integration (default: as [run] says)");
    options.values("-o,--output", "FILE", outputs, "write .csv, .svg, .json or .h5, repeatable")
        .files();
    options.flag("--force", force, "overwrite files");
}

std::string SectionArguments::complaint() const {
    if (drop && (*drop < 0 || *drop > 100'000'000))
        return "--drop must lie between 0 and 100000000";
    if (points && (*points < 1 || *points > 100'000'000))
        return "--points must lie between 1 and 100000000";
    if (phase && !(*phase >= 0.0 && *phase <= 1.0)) return "--phase must lie between 0 and 1";
    if (until && !(*until > 0.0 && std::isfinite(*until))) return "--until must be positive";
    if (tolerance && !(*tolerance >= 1e-16 && *tolerance < 1.0))
        return "--tolerance must lie between 1e-16, where double precision ends, and 1";
    if (section.find('"') != std::string::npos || section.find('\n') != std::string::npos ||
        section.find('\\') != std::string::npos)
        return "--section: an expression has no quotes and is one line";
    if (before && !section.starts_with(k_event)) return "--before goes with --section event:NAME";
    return {};
}

SectionQuestion ask_about_section(const SectionArguments& arguments, const std::string& keep,
                                  const Terminal& terminal) {
    SectionQuestion question;
    base::Diagnostics diagnostics;
    const auto refuse = [&] {
        question.refused = terminal.refuse(diagnostics);
        return std::move(question);
    };
    const auto wrong = [&](const std::string& what, const std::string& remedy) {
        diagnostics.report(base::Code::bad_setting, what).note(remedy);
        return refuse();
    };
    auto source = load_source(arguments.model, diagnostics);
    if (!source) return refuse();
    const std::string text(source->text());
    question.model_hash = record::fingerprint(text);
    std::string surface = is_expression(arguments.section) ? arguments.section : "";
    std::string direction = arguments.direction;
    if (keep == "extrema") {
        // Where the rate of the first observed coordinate vanishes.
        if (arguments.observe.empty())
            return wrong("--keep extrema: say of which coordinate", "as in --observe x");
        surface = arguments.observe.front().substr(0, arguments.observe.front().find(',')) + "'";
        if (surface.ends_with("''"))
            return wrong("--keep extrema is for coordinates", "as in --observe x");
        direction = "both";
    }
    const std::string event = unused_event(text);
    if (!surface.empty())
        source =
            base::SourceFile::make(source->name(), with_event(text, event, surface, direction));
    auto model = load_model(source, diagnostics);
    if (!model) return refuse();
    question.settings.settings = prepare::read_settings(*model, arguments.settings, diagnostics);
    question.settings.tolerance = arguments.tolerance;
    const auto start = prepare::prepare(*model, question.settings, diagnostics);
    if (!start || diagnostics.has_errors()) return refuse();
    question.flow = flow_of(*model, start->point, arguments.model, "sections are not looked for",
                            terminal, diagnostics, question.refused);
    if (!question.flow) return question;
    question.start = *start;
    question.model = std::make_shared<const model::Model>(std::move(*model));

    analysis::SectionOptions& wanted = question.options;
    using Kind = analysis::SectionRule::Kind;
    if (!surface.empty()) {
        wanted.rule.kind = Kind::event;
        wanted.rule.where = event;
    } else if (arguments.section.starts_with(k_event)) {
        wanted.rule.kind = Kind::event;
        wanted.rule.where = arguments.section.substr(k_event.size());
        wanted.rule.before = arguments.before;
        if (!knows_event(*question.model, wanted.rule.where))
            return wrong(
                fmt::format("--section {}: nothing in the model has this name", arguments.section),
                "contacts, relays, events and constraints have events, and so have kinds: "
                "event:impact");
    } else if (keep == "final") {
        wanted.rule.kind = Kind::end;
    } else if (!(forcing_period(question, start->point.parameters) > 0.0)) {
        return wrong("where is the motion to be looked at? it has no forcing period",
                     "give --section with an expression that crosses zero, or event:NAME; or "
                     "--keep final in a sweep");
    }
    wanted.rule.phase = arguments.phase.value_or(0.0);
    constexpr std::size_t k_drop = 200, k_keep = 100;
    wanted.drop = arguments.drop ? static_cast<std::size_t>(*arguments.drop) : k_drop;
    wanted.keep = arguments.points ? static_cast<std::size_t>(*arguments.points) : k_keep;
    constexpr double k_until = 1e4;
    wanted.until = arguments.until.value_or(wanted.rule.kind == Kind::end && start->until
                                                ? *start->until - start->point.time
                                                : k_until);
    if (wanted.rule.kind == Kind::end) {
        wanted.drop = 0;
        wanted.keep = 1;
        if (!(wanted.until > 0.0))
            return wrong("the motion ends before it begins", "give --until T");
    }
    wanted.tolerance = start->tolerance;
    if (!read_observed(arguments.observe, *question.flow, wanted.observed, diagnostics))
        return refuse();
    terminal.tell(diagnostics);
    return question;
}

double forcing_period(const SectionQuestion& question, const std::vector<double>& parameters) {
    const auto& periodic = question.model->periodic;
    if (periodic && periodic->period) {
        prepare::Point point = question.start.point;
        point.parameters = parameters;
        return prepare::Evaluator(*question.model).at(point, periodic->period.expr);
    }
    const flow::Flow& flow = *question.flow;
    if (!flow.frequency) return 0.0;
    auto values = flow.parameter_values; // the flow may have parameters of its own behind
    std::copy(parameters.begin(), parameters.end(), values.begin());
    const double w = std::abs(expr::evaluate(flow.frequency, flow.parameters, values));
    return w > 0.0 && std::isfinite(w) ? 2.0 * std::numbers::pi / w : 0.0;
}

std::vector<std::string> settings_of(const SectionQuestion& question,
                                     const std::vector<std::string>& varied) {
    std::vector<std::string> result;
    const flow::Flow& flow = *question.flow;
    for (std::size_t i = 0; i < flow.parameter_names.size(); ++i) {
        if (std::find(varied.begin(), varied.end(), flow.parameter_names[i]) != varied.end())
            continue;
        result.push_back(fmt::format("{} = {}", flow.parameter_names[i], flow.parameter_values[i]));
    }
    return result;
}

std::string options_text(const SectionArguments& arguments, const SectionQuestion& question,
                         const std::string& keep) {
    const analysis::SectionOptions& o = question.options;
    return fmt::format("keep {} · section {} {}{} · phase {} · drop {} · points {} · until {}",
                       keep, arguments.section.empty() ? "period" : arguments.section,
                       arguments.direction, arguments.before ? " before" : "", o.rule.phase, o.drop,
                       o.keep, o.until);
}

} // namespace liaison::app
