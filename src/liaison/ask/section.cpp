// SPDX-License-Identifier: Apache-2.0
// The surface becomes an event, the names become columns.
#include "liaison/ask/section.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/model/read.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

namespace liaison::ask {
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

// The quantities to write down: those named, or all positions and velocities.
bool read_observed(const std::vector<std::string>& names, const flow::Flow& flow,
                   std::vector<analysis::Observed>& observed, base::Diagnostics& diagnostics) {
    using What = analysis::Observed::What;
    const std::vector<std::string> labels = record::column_labels(flow);
    if (names.empty()) {
        for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
            const auto group = flow.outputs[i].group;
            if (group == flow::OutputGroup::q ||
                (group == flow::OutputGroup::v && flow.n_positions < flow.n_controlled))
                observed.push_back({What::output, i, labels[i]});
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
        const auto found = std::ranges::find(labels, name);
        if (found == labels.end()) {
            std::vector<std::string> known{"t", "phase"};
            known.insert(known.end(), labels.begin(), labels.end());
            constexpr std::size_t k_most = 40;
            if (known.size() > k_most) known.resize(k_most);
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--observe {}: the model has no quantity of this name", name))
                .note(fmt::format("it has {}", fmt::join(known, ", ")));
            continue;
        }
        observed.push_back({What::output, static_cast<std::size_t>(found - labels.begin()), name});
    }
    return !diagnostics.has_errors();
}

// The expression that crosses zero where the motion is looked at, and its direction; empty where it is none.
struct Surface {
    std::string expression;
    std::string direction;
};

std::optional<Surface> surface_of(const SectionQuestion& question, Keep keep,
                                  base::Diagnostics& diagnostics) {
    const auto wrong = [&](const char* what) -> std::optional<Surface> {
        diagnostics.report(base::Code::bad_setting, what).note("as in --observe x");
        return std::nullopt;
    };
    if (keep != Keep::extrema)
        return Surface{is_expression(question.section) ? question.section : "", question.direction};
    // Where the rate of the first observed coordinate vanishes.
    if (question.observe.empty()) return wrong("--keep extrema: say of which coordinate");
    if (question.observe.front().ends_with("'")) return wrong("--keep extrema is for coordinates");
    return Surface{question.observe.front() + "'", "both"};
}

// The model with the surface as an event of this name.
std::optional<model::Model> with_surface(const model::Model& model, const std::string& event,
                                         const Surface& surface, base::Diagnostics& diagnostics) {
    if (!model.source) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--section {}: the model was built, not read, and an expression "
                                "has nowhere to be read",
                                surface.expression))
            .note("build the surface as an event, and ask for event:NAME");
        return std::nullopt;
    }
    // What is to be said about the model itself has been said.
    base::Diagnostics found;
    auto source = base::SourceFile::make(model.source->name(),
                                         with_event(std::string(model.source->text()), event,
                                                    surface.expression, surface.direction));
    found.keep(source);
    auto read = model::read_model(std::move(source), found);
    if (!read) diagnostics.append(found);
    return read;
}

// When a motion is looked at; reports where that cannot be said.
bool read_rule(const SectionQuestion& question, const std::string& surface_event, Keep keep,
               SectionSubject& subject, base::Diagnostics& diagnostics) {
    analysis::SectionRule& rule = subject.look.rule;
    using Kind = analysis::SectionRule::Kind;
    if (!surface_event.empty()) {
        rule.kind = Kind::event;
        rule.where = surface_event;
    } else if (question.section.starts_with(k_event)) {
        rule.kind = Kind::event;
        rule.where = question.section.substr(k_event.size());
        rule.before = question.before;
        if (!knows_event(*subject.model, rule.where)) {
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--section {}: nothing in the model has this name",
                                    question.section))
                .note("contacts, relays, events and constraints have events, and so have kinds: "
                      "event:impact");
            return false;
        }
    } else if (keep == Keep::final) {
        rule.kind = Kind::end;
    } else if (!(forcing_period(subject, subject.start.point.parameters) > 0.0)) {
        diagnostics
            .report(base::Code::bad_setting,
                    "where is the motion to be looked at? it has no forcing period")
            .note("give --section with an expression that crosses zero, or event:NAME; or --keep "
                  "final in a sweep");
        return false;
    }
    rule.phase = question.phase.value_or(0.0);
    return true;
}

std::string word(Keep keep) {
    return keep == Keep::section ? "section" : keep == Keep::final ? "final" : "extrema";
}

} // namespace

std::optional<SectionSubject> section_subject(const model::Model& model,
                                              const SectionQuestion& question, Keep keep,
                                              Findings& findings) {
    base::Diagnostics& diagnostics = findings.diagnostics;
    const auto surface = surface_of(question, keep, diagnostics);
    if (!surface) return std::nullopt;
    const bool crosses = !surface->expression.empty();
    const std::string text = model.source ? std::string(model.source->text()) : std::string();
    const std::string event = unused_event(text);
    auto looked_at = crosses ? with_surface(model, event, *surface, diagnostics)
                             : std::optional<model::Model>(model);
    if (!looked_at) return std::nullopt;
    auto made = subject_of(std::move(*looked_at), question.set, question.tolerance,
                           "sections are not looked for", findings);
    if (!made) return std::nullopt;
    SectionSubject subject{std::move(*made), {}, record::fingerprint(text)};
    if (!read_rule(question, crosses ? event : "", keep, subject, diagnostics)) return std::nullopt;
    analysis::SectionOptions& look = subject.look;
    constexpr std::size_t k_drop = 200, k_keep = 100;
    look.drop = question.drop.value_or(k_drop);
    look.keep = question.points.value_or(k_keep);
    const bool at_end = look.rule.kind == analysis::SectionRule::Kind::end;
    constexpr double k_until = 1e4;
    look.until = question.until.value_or(
        at_end && subject.start.until ? *subject.start.until - subject.start.point.time : k_until);
    if (at_end) {
        look.drop = 0;
        look.keep = 1;
        if (!(look.until > 0.0)) {
            diagnostics.report(base::Code::bad_setting, "the motion ends before it begins")
                .note("give --until T");
            return std::nullopt;
        }
    }
    look.tolerance = subject.start.tolerance;
    if (!read_observed(question.observe, *subject.flow, look.observed, diagnostics))
        return std::nullopt;
    return subject;
}

double forcing_period(const Subject& subject, std::span<const double> parameters) {
    const auto& periodic = subject.model->periodic;
    if (periodic && periodic->period) {
        prepare::Point point = subject.start.point;
        point.parameters.assign(parameters.begin(), parameters.end());
        return prepare::Evaluator(*subject.model).at(point, periodic->period.expr);
    }
    const flow::Flow& flow = *subject.flow;
    if (!flow.frequency) return 0.0;
    auto values = flow.parameter_values; // the flow may have parameters of its own behind
    std::copy(parameters.begin(), parameters.end(), values.begin());
    const double w = std::abs(expr::evaluate(flow.frequency, flow.parameters, values));
    return w > 0.0 && std::isfinite(w) ? 2.0 * std::numbers::pi / w : 0.0;
}

std::vector<std::string> settings_of(const Subject& subject,
                                     const std::vector<std::string>& varied) {
    std::vector<std::string> result;
    const flow::Flow& flow = *subject.flow;
    for (std::size_t i = 0; i < flow.parameter_names.size(); ++i) {
        if (std::find(varied.begin(), varied.end(), flow.parameter_names[i]) != varied.end())
            continue;
        result.push_back(fmt::format("{} = {}", flow.parameter_names[i], flow.parameter_values[i]));
    }
    return result;
}

std::string words_of(const SectionQuestion& question, const SectionSubject& subject, Keep keep) {
    const analysis::SectionOptions& o = subject.look;
    return fmt::format("keep {} · section {} {}{} · phase {} · drop {} · points {} · until {}",
                       word(keep), question.section.empty() ? "period" : question.section,
                       question.direction, question.before ? " before" : "", o.rule.phase, o.drop,
                       o.keep, o.until);
}

analysis::SweepTable SectionAnswer::table() const {
    analysis::SweepTable table;
    table.plan = &plan;
    table.results = &results;
    table.model = flow->model;
    table.realisation = flow->realisation;
    table.model_hash = model_hash;
    table.settings = settings;
    table.options = options;
    return table;
}

Answer<SectionAnswer> section(const model::Model& model, const SectionQuestion& question,
                              const Control& control, base::Diagnostics diagnostics) {
    Answer<SectionAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const auto subject = section_subject(model, question, Keep::section, answer);
    if (!subject || answer.refused()) return answer;
    const flow::Flow& flow = *subject->flow;
    SectionAnswer made;
    made.flow = subject->flow;
    made.plan.section = subject->look;
    made.model_hash = subject->model_hash;
    made.settings = settings_of(*subject, {});
    made.options = words_of(question, *subject, Keep::section);
    analysis::SectionWatch watch(flow, subject->look);
    const auto& parameters = subject->start.point.parameters;
    control.begin(answer.diagnostics);
    made.results.push_back(watch.run(parameters, flow.start_state, flow.start_time,
                                     forcing_period(*subject, parameters), control.interrupt));
    answer.value = std::move(made);
    return answer;
}

} // namespace liaison::ask
