// SPDX-License-Identifier: Apache-2.0
// liaison sweep: many motions over parameters and starts; diagrams, basins, random samples.
#include "liaison/analysis/parallel.hpp"
#include "liaison/analysis/sweep_file.hpp"
#include "liaison/analysis/sweep_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/app/interrupt.hpp"
#include "liaison/app/progress.hpp"
#include "liaison/app/range.hpp"
#include "liaison/app/section_arguments.hpp"
#include "liaison/base/features.hpp"
#include "liaison/base/version.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::app {
namespace {

struct Arguments {
    SectionArguments section;
    std::vector<std::string> over;
    std::string keep = "section";
    std::string carry = "none";
    std::optional<long> random;
    std::optional<long> seed;
    std::optional<long> threads;
    std::optional<long> memory;
};

std::vector<std::string> formats() {
#if LIAISON_WITH_HDF5
    return {".csv", ".svg", ".json", ".h5"};
#else
    return {".csv", ".svg", ".json"};
#endif
}

std::string complaint_about(const Arguments& a) {
    if (a.over.empty()) return "say what to vary: --over NAME=FROM:TO:POINTS";
    if (a.random && (*a.random < 1 || *a.random > 1'000'000'000))
        return "--random must lie between 1 and 1000000000";
    if (a.seed && *a.seed < 0) return "--seed must not be negative";
    if (a.seed && !a.random) return "--seed goes with --random N";
    if (a.threads && (*a.threads < 1 || *a.threads > 1024))
        return "--threads must lie between 1 and 1024";
    if (a.memory && *a.memory < 1) return "--memory must be positive";
    if (a.carry != "none" && a.random) return "--carry goes with a grid, not with --random";
    std::string problem = a.section.complaint();
    if (!problem.empty()) return problem;
    FlowArguments files;
    files.model = a.section.model;
    files.outputs = a.section.outputs;
    files.force = a.section.force;
    return files.complaint(formats());
}

bool read_axes(const Arguments& arguments, const SectionQuestion& question,
               analysis::SweepPlan& plan, base::Diagnostics& diagnostics) {
    const flow::Flow& flow = *question.flow;
    const std::size_t n_parameters = question.model->parameters.size();
    for (const std::string& text : arguments.over) {
        const auto range = read_range("--over", text, diagnostics);
        if (!range) continue;
        analysis::SweepAxis axis;
        axis.name = range->name;
        axis.from = range->from;
        axis.to = range->to;
        constexpr std::size_t k_points = 101;
        axis.points = range->points.value_or(k_points);
        const std::size_t parameter = question.model->parameter(range->name);
        const auto states_end =
            flow.state_names.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled);
        const auto state = std::find(flow.state_names.begin(), states_end, range->name);
        if (parameter != model::k_none &&
            !occurs("--over", question.model->parameters[parameter], diagnostics))
            continue;
        if (parameter != model::k_none) {
            axis.index = parameter;
        } else if (state != states_end) {
            axis.kind = analysis::SweepAxis::Kind::state;
            axis.index = static_cast<std::size_t>(state - flow.state_names.begin());
        } else {
            std::vector<std::string> names(flow.parameter_names.begin(),
                                           flow.parameter_names.begin() +
                                               static_cast<std::ptrdiff_t>(n_parameters));
            names.insert(names.end(), flow.state_names.begin(), states_end);
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--over {}: the model has no parameter or start value of this "
                                    "name",
                                    range->name))
                .note(fmt::format("it has {}", fmt::join(names, ", ")));
            continue;
        }
        if (std::any_of(plan.axes.begin(), plan.axes.end(),
                        [&](const auto& other) { return other.name == axis.name; })) {
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--over {}: it is given twice", range->name))
                .note("each --over varies another parameter or start value");
            continue;
        }
        plan.axes.push_back(std::move(axis));
    }
    return !diagnostics.has_errors();
}

// Whether the start of the motion follows from what is varied.
bool start_depends(const model::Model& model, const analysis::SweepPlan& plan) {
    const model::Start& start = model.start;
    if (std::none_of(plan.axes.begin(), plan.axes.end(),
                     [](const auto& a) { return a.kind == analysis::SweepAxis::Kind::parameter; }))
        return false;
    if (!start.closed.empty() || !start.solve.empty() || !model.constraints.empty()) return true;
    std::vector<const model::Formula*> formulas{&start.time};
    for (const auto& f : start.q) formulas.push_back(&f);
    for (const auto& f : start.v) formulas.push_back(&f);
    for (const model::Formula* f : formulas) {
        if (!*f) continue;
        for (const auto& axis : plan.axes) {
            if (axis.kind == analysis::SweepAxis::Kind::parameter &&
                expr::depends_on(f->expr, model.parameters[axis.index].symbol))
                return true;
        }
    }
    return false;
}

// The start for the values of the axes; prepared anew where it follows from them.
analysis::SweepStart start_at(const SectionQuestion& question, const analysis::SweepPlan& plan,
                              std::span<const double> values, bool depends) {
    analysis::SweepStart start;
    const flow::Flow& flow = *question.flow;
    start.state = flow.start_state;
    start.time = flow.start_time;
    start.parameters = question.start.point.parameters;
    for (std::size_t k = 0; k < plan.axes.size(); ++k)
        if (plan.axes[k].kind == analysis::SweepAxis::Kind::parameter)
            start.parameters[plan.axes[k].index] = values[k];
    if (depends) {
        prepare::Options options = question.settings;
        for (std::size_t k = 0; k < plan.axes.size(); ++k)
            if (plan.axes[k].kind == analysis::SweepAxis::Kind::parameter)
                options.settings.push_back({plan.axes[k].index, values[k]});
        base::Diagnostics quiet;
        const auto prepared = prepare::prepare(*question.model, options, quiet);
        if (!prepared || quiet.has_errors()) {
            start.problem = "no start";
            for (const auto& d : quiet.all()) {
                if (d.severity != base::Severity::error) continue;
                start.problem = d.message;
                break;
            }
            return start;
        }
        std::copy(prepared->point.q.begin(), prepared->point.q.end(), start.state.begin());
        std::copy(prepared->point.v.begin(), prepared->point.v.end(),
                  start.state.begin() + static_cast<std::ptrdiff_t>(flow.n_positions));
        start.time = prepared->point.time;
    }
    for (std::size_t k = 0; k < plan.axes.size(); ++k)
        if (plan.axes[k].kind == analysis::SweepAxis::Kind::state)
            start.state[plan.axes[k].index] = values[k];
    start.period = forcing_period(question, start.parameters);
    if (plan.section.rule.kind == analysis::SectionRule::Kind::period && !(start.period > 0.0))
        start.problem = "the force has no period for these values";
    return start;
}

// Both ends of the ranges tried once: warnings are told, and a model that is wrong at both is refused. `wrong` counts
// the ends where it is.
int try_ends(const SectionQuestion& question, const analysis::SweepPlan& plan,
             const Terminal& terminal, std::size_t& wrong) {
    wrong = 0;
    for (const bool high : {false, true}) {
        prepare::Options options = question.settings;
        for (const auto& axis : plan.axes)
            if (axis.kind == analysis::SweepAxis::Kind::parameter)
                options.settings.push_back({axis.index, high ? axis.to : axis.from});
        base::Diagnostics here;
        const auto start = prepare::prepare(*question.model, options, here);
        wrong += !start || here.has_errors() ? 1 : 0;
        if (wrong == 2) return terminal.refuse(here);
        if (terminal.json) continue;
        for (const auto& d : here.all())
            terminal.say(fmt::format("note: with {} at the {} end: {}\n",
                                     plan.axes.size() == 1 ? plan.axes.front().name : "all",
                                     high ? "upper" : "lower", d.message));
    }
    return exit_ok;
}

std::string memory_complaint(const analysis::SweepPlan& plan, const Arguments& arguments) {
    constexpr double k_megabyte = 1e6;
    const double limit = static_cast<double>(arguments.memory.value_or(1000));
    double n = 1.0;
    if (plan.random > 0)
        n = static_cast<double>(plan.random);
    else
        for (const auto& axis : plan.axes) n *= static_cast<double>(axis.points);
    const double each = static_cast<double>(sizeof(analysis::SectionResult)) +
                        static_cast<double>(plan.section.keep * plan.section.observed.size()) * 8.0;
    if (n * each <= limit * k_megabyte) return {};
    return fmt::format("{:.4g} motions with {} sections of {} quantities need {:.4g} MB, the limit "
                       "is {:.0f} MB; keep fewer with --points or --observe, or raise --memory",
                       n, plan.section.keep, plan.section.observed.size(), n * each / k_megabyte,
                       limit);
}

int write_files(const Arguments& arguments, const analysis::SweepTable& table,
                const Terminal& terminal) {
    std::vector<std::string> texts;
    for (const std::string& path : arguments.section.outputs) {
        if (path.ends_with(".csv"))
            texts.push_back(analysis::to_csv(table));
        else if (path.ends_with(".json"))
            texts.push_back(record::json_text(analysis::to_json(table)));
        else if (path.ends_with(".svg"))
            texts.push_back(record::to_svg(analysis::figure(table)));
#if LIAISON_WITH_HDF5
        else
            texts.push_back(analysis::to_hdf5(table));
#endif
    }
    return write_outputs(arguments.section.outputs, texts, terminal);
}

int sweep(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    const SectionQuestion question = ask_about_section(arguments.section, arguments.keep, terminal);
    if (question.refused != exit_ok) return question.refused;
    analysis::SweepPlan plan;
    plan.section = question.options;
    base::Diagnostics diagnostics;
    if (!read_axes(arguments, question, plan, diagnostics)) return terminal.refuse(diagnostics);
    plan.random = arguments.random ? static_cast<std::size_t>(*arguments.random) : 0;
    plan.seed = static_cast<std::uint64_t>(arguments.seed.value_or(1));
    plan.carry = arguments.carry == "up"     ? analysis::Carry::up
                 : arguments.carry == "down" ? analysis::Carry::down
                                             : analysis::Carry::none;
    if (const std::string problem = memory_complaint(plan, arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_input;
    }
    std::size_t wrong_ends = 0;
    if (const int code = try_ends(question, plan, terminal, wrong_ends); code != exit_ok)
        return code;

    // What decides the numbers: a partial file with the same words goes on.
    std::string options = options_text(arguments.section, question, arguments.keep);
    for (const auto& axis : plan.axes)
        options += fmt::format(" · over {} {} {} {}", axis.name, axis.from, axis.to, axis.points);
    if (plan.random > 0) options += fmt::format(" · random {} seed {}", plan.random, plan.seed);
    if (arguments.carry != "none") options += fmt::format(" · carry {}", arguments.carry);
    for (const auto& o : plan.section.observed) options += fmt::format(" · {}", o.label);
    std::vector<std::string> varied;
    for (const auto& axis : plan.axes) varied.push_back(axis.name);
    const auto settings = settings_of(question, varied);
    const std::string key = record::fingerprint(
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", base::k_version, question.model_hash, options,
                    question.flow->realisation, plan.section.tolerance, fmt::join(settings, "\n")));

    analysis::SweepFile file(plan);
    if (!arguments.section.outputs.empty()) {
        const std::string partial = arguments.section.outputs.front() + ".partial";
        if (const std::string problem = file.keep_in(partial, key, arguments.section.force);
            !problem.empty()) {
            terminal.complain(problem);
            return exit_input;
        }
        if (file.resumed() > 0)
            terminal.say(fmt::format("{} of {} motions were finished before\n", file.resumed(),
                                     plan.points()));
    }

    // Starts that must be prepared, or values that may be wrong: all of them before the threads begin, because
    // preparing writes expressions.
    const bool depends = wrong_ends > 0 || start_depends(*question.model, plan);
    std::vector<analysis::SweepStart> prepared;
    if (depends) {
        for (std::size_t i = 0; i < plan.points(); ++i)
            prepared.push_back(start_at(question, plan, plan.values(i), true));
    }
    plan.start = [&](std::size_t point, std::span<const double> values) {
        return depends ? prepared[point] : start_at(question, plan, values, false);
    };
    analysis::SweepControl control;
    control.threads = arguments.threads ? static_cast<std::size_t>(*arguments.threads)
                                        : analysis::available_threads();
    control.interrupt = &interrupt_flag(); // what is finished is kept
    Progress progress(0.0, static_cast<double>(plan.points()), "motion");
    std::size_t told = 0;
    if (terminal.watched())
        control.progress = [&](std::size_t done) {
            constexpr std::size_t k_every = 16;
            if (done < told + k_every) return;
            told = done;
            progress.show(static_cast<double>(done));
        };
    listen_for_interrupts();
    const bool complete = analysis::sweep(*question.flow, plan, file, control);
    progress.clear();
    if (!file.problem().empty()) {
        terminal.complain(file.problem());
        return exit_stopped;
    }
    if (!complete) {
        terminal.complain(arguments.section.outputs.empty()
                              ? "interrupted; nothing was to be written"
                              : fmt::format("interrupted; the same command goes on from {}.partial",
                                            arguments.section.outputs.front()));
        return exit_interrupted;
    }

    analysis::SweepTable table;
    table.plan = &plan;
    table.results = &file.results();
    table.model = question.flow->model;
    table.realisation = question.flow->realisation;
    table.model_hash = question.model_hash;
    table.settings = settings;
    table.options = options;
    if (std::all_of(plan.axes.begin(), plan.axes.end(),
                    [](const auto& axis) { return axis.kind == analysis::SweepAxis::Kind::state; }))
        table.attractor = analysis::attractors(file.results(), plan.section);
    if (const int code = write_files(arguments, table, terminal); code != exit_ok) return code;
    file.finish();
    if (terminal.json) {
        auto json = analysis::to_json(table);
        json["file"] = arguments.section.outputs.empty()
                           ? nlohmann::ordered_json(nullptr)
                           : nlohmann::ordered_json(arguments.section.outputs.front());
        json["resumed"] = file.resumed();
        terminal.print(record::json_text(json));
    } else {
        terminal.print(analysis::to_text(table));
        for (const std::string& path : arguments.section.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options
        .values("--over", "NAME=FROM:TO:N", arguments->over,
                "a parameter or start value (x, x') and its range, repeatable (default 101 values)")
        .needed();
    arguments->section.declare(options);
    options
        .value("--keep", "WHAT", arguments->keep,
               "sections, the end of the motion, or extrema of the first observed coordinate")
        .one_of({"section", "final", "extrema"});
    options.value("--random", "N", arguments->random,
                  "a random sample of this size in the ranges instead of the grid");
    options.value("--seed", "N", arguments->seed, "of the random sample (default 1)");
    options
        .value("--carry", "WAY", arguments->carry,
               "along the first --over, begin where the last motion ended: up, down or none")
        .one_of({"none", "up", "down"});
    options.value("--threads", "N", arguments->threads,
                  "default: as many as there are cores; the result is the same");
    options.value("--memory", "MB", arguments->memory, "largest result (default 1000)");
    return [arguments](Terminal& terminal) { return sweep(*arguments, terminal); };
}

} // namespace

Command sweep_command() {
    return {
        .name = "sweep",
        .summary = "bifurcation diagrams, basins, random samples, on all cores",
        .description =
            "Simulates the motion for every value of some parameters or start values, drops a "
            "transient and writes down its sections. Every motion gets a label: periodic with its "
            "period, irregular, rest, chattering, divergence, failed with the reason; over start "
            "values the attractors are told apart and their shares given. The result does not "
            "depend on the number of threads; a sweep that was cut short goes on when the same "
            "command is given again.",
        .examples =
            {{"liaison sweep oscillator.toml --over w=2:4:2000 -o diagram.svg -o diagram.h5",
              "bifurcation diagram"},
             {"liaison sweep oscillator.toml --over \"x=-2:0:300\" --over \"x'=-3:3:300\" -o "
              "basins.svg",
              "basins of attraction"},
             {"liaison sweep ball.toml --over e=0.7:0.9 --over h=0.5:1.5 --random 10000 "
              "--keep final -o all.csv",
              "random sample of parameters"}},
        .setup = setup};
}

} // namespace liaison::app
