// SPDX-License-Identifier: Apache-2.0
// Axes, starts for every point, and the sweep over all of them.
#include "liaison/ask/sweep.hpp"

#include "liaison/analysis/parallel.hpp"
#include "liaison/base/version.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/record/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace liaison::ask {
namespace {

// What is varied; reports names that are not there.
void read_axes(const std::vector<Range>& over, const Subject& subject, analysis::SweepPlan& plan,
               base::Diagnostics& diagnostics) {
    const flow::Flow& flow = *subject.flow;
    const std::size_t n_parameters = subject.model->parameters.size();
    for (const Range& range : over) {
        analysis::SweepAxis axis;
        axis.name = range.name;
        axis.from = range.from;
        axis.to = range.to;
        constexpr std::size_t k_points = 101;
        axis.points = range.points.value_or(k_points);
        const std::size_t parameter = subject.model->parameter(range.name);
        const auto states_end =
            flow.state_names.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled);
        const auto state = std::find(flow.state_names.begin(), states_end, range.name);
        if (parameter != model::k_none &&
            !occurs("--over", subject.model->parameters[parameter], diagnostics))
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
                                    range.name))
                .note(fmt::format("it has {}", fmt::join(names, ", ")));
            continue;
        }
        if (std::any_of(plan.axes.begin(), plan.axes.end(),
                        [&](const auto& other) { return other.name == axis.name; })) {
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--over {}: it is given twice", range.name))
                .note("each --over varies another parameter or start value");
            continue;
        }
        plan.axes.push_back(std::move(axis));
    }
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
analysis::SweepStart start_at(const Subject& subject, const analysis::SweepPlan& plan,
                              std::span<const double> values, bool depends) {
    analysis::SweepStart start;
    const flow::Flow& flow = *subject.flow;
    start.state = flow.start_state;
    start.time = flow.start_time;
    start.parameters = subject.start.point.parameters;
    for (std::size_t k = 0; k < plan.axes.size(); ++k)
        if (plan.axes[k].kind == analysis::SweepAxis::Kind::parameter)
            start.parameters[plan.axes[k].index] = values[k];
    if (depends) {
        prepare::Options options = subject.options;
        for (std::size_t k = 0; k < plan.axes.size(); ++k)
            if (plan.axes[k].kind == analysis::SweepAxis::Kind::parameter)
                options.settings.push_back({plan.axes[k].index, values[k]});
        base::Diagnostics quiet;
        const auto prepared = prepare::prepare(*subject.model, options, quiet);
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
    start.period = forcing_period(subject, start.parameters);
    if (plan.section.rule.kind == analysis::SectionRule::Kind::period && !(start.period > 0.0))
        start.problem = "the force has no period for these values";
    return start;
}

// Both ends of the ranges tried once: what is said there becomes notes, and a model that is wrong at both is refused.
// How many of the ends are wrong.
std::size_t try_ends(const Subject& subject, const analysis::SweepPlan& plan, Findings& findings) {
    std::size_t wrong = 0;
    for (const bool high : {false, true}) {
        prepare::Options options = subject.options;
        for (const auto& axis : plan.axes)
            if (axis.kind == analysis::SweepAxis::Kind::parameter)
                options.settings.push_back({axis.index, high ? axis.to : axis.from});
        base::Diagnostics here;
        const auto start = prepare::prepare(*subject.model, options, here);
        wrong += !start || here.has_errors() ? 1 : 0;
        if (wrong == 2) {
            findings.diagnostics = std::move(here);
            return wrong;
        }
        for (const auto& d : here.all())
            findings.notes.push_back(fmt::format(
                "with {} at the {} end: {}", plan.axes.size() == 1 ? plan.axes.front().name : "all",
                high ? "upper" : "lower", d.message));
    }
    return wrong;
}

// What of it does not fit into the memory that is allowed; empty: nothing.
std::string memory_complaint(const analysis::SweepPlan& plan, double limit) {
    constexpr double k_megabyte = 1e6;
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

// What decides the numbers, in words.
std::string words_of(const SweepQuestion& question, const SectionSubject& subject,
                     const analysis::SweepPlan& plan) {
    std::string options = words_of(question.section, subject, question.keep);
    for (const auto& axis : plan.axes)
        options += fmt::format(" · over {} {} {} {}", axis.name, axis.from, axis.to, axis.points);
    if (plan.random > 0) options += fmt::format(" · random {} seed {}", plan.random, plan.seed);
    if (plan.carry != analysis::Carry::none)
        options += fmt::format(" · carry {}", plan.carry == analysis::Carry::up ? "up" : "down");
    for (const auto& o : plan.section.observed) options += fmt::format(" · {}", o.label);
    return options;
}

// Opens the partial file under a key of all that decides the numbers; reports what is wrong with it.
std::shared_ptr<analysis::SweepFile> keep_partial(const SweepQuestion& question,
                                                  const SectionSubject& subject,
                                                  const SweepAnswer& made,
                                                  base::Diagnostics& diagnostics) {
    auto file = std::make_shared<analysis::SweepFile>(made.plan);
    if (question.partial.empty()) return file;
    const std::string key = record::fingerprint(fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{}", base::k_version, subject.model_hash, made.options,
        subject.flow->realisation, made.plan.section.tolerance, fmt::join(made.settings, "\n")));
    if (const std::string problem = file->keep_in(question.partial, key, question.replace);
        !problem.empty())
        diagnostics.report(base::Code::bad_setting, problem)
            .note("it holds the finished motions of a sweep that was cut short");
    return file;
}

analysis::SweepControl control_of(const SweepQuestion& question, const Control& control,
                                  std::size_t points) {
    analysis::SweepControl wanted;
    wanted.threads = question.threads.value_or(analysis::available_threads());
    wanted.interrupt = control.interrupt;
    if (control.progress)
        wanted.progress = [&control, points, told = std::size_t{0}](std::size_t done) mutable {
            constexpr std::size_t k_every = 16;
            if (done < told + k_every) return;
            told = done;
            control.progress(
                {"motion", 0.0, static_cast<double>(points), static_cast<double>(done)});
        };
    return wanted;
}

} // namespace

analysis::SweepTable SweepAnswer::table() const {
    auto table = SectionAnswer::table();
    table.attractor = attractor;
    return table;
}

Answer<SweepAnswer> sweep(const model::Model& model, const SweepQuestion& question,
                          const Control& control, base::Diagnostics diagnostics) {
    Answer<SweepAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const auto subject = section_subject(model, question.section, question.keep, answer);
    if (!subject || answer.refused()) return answer;
    SweepAnswer made;
    made.flow = subject->flow;
    made.model_hash = subject->model_hash;
    analysis::SweepPlan& plan = made.plan;
    plan.section = subject->look;
    read_axes(question.over, *subject, plan, answer.diagnostics);
    plan.random = question.random;
    plan.seed = question.seed;
    plan.carry = question.carry;
    if (const std::string problem = memory_complaint(plan, question.memory); !problem.empty())
        answer.diagnostics.report(base::Code::bad_setting, problem);
    if (answer.refused()) return answer;
    const std::size_t wrong_ends = try_ends(*subject, plan, answer);
    if (answer.refused()) return answer;
    made.options = words_of(question, *subject, plan);
    std::vector<std::string> varied;
    for (const auto& axis : plan.axes) varied.push_back(axis.name);
    made.settings = settings_of(*subject, varied);
    made.kept = keep_partial(question, *subject, made, answer.diagnostics);
    if (answer.refused()) return answer;
    made.resumed = made.kept->resumed();
    if (made.resumed > 0)
        answer.notes.push_back(
            fmt::format("{} of {} motions were finished before", made.resumed, plan.points()));

    // Starts that must be prepared, or values that may be wrong: all of them before the threads begin, because
    // preparing writes expressions.
    const bool depends = wrong_ends > 0 || start_depends(*subject->model, plan);
    std::vector<analysis::SweepStart> prepared;
    if (depends) {
        for (std::size_t i = 0; i < plan.points(); ++i)
            prepared.push_back(start_at(*subject, plan, plan.values(i), true));
    }
    plan.start = [&](std::size_t point, std::span<const double> values) {
        return depends ? prepared[point] : start_at(*subject, plan, values, false);
    };
    control.begin(answer.diagnostics);
    made.complete = analysis::sweep(*subject->flow, plan, *made.kept,
                                    control_of(question, control, plan.points()));
    plan.start = {}; // it refers to what ends here
    if (!made.kept->problem().empty()) {
        answer.reason = made.kept->problem();
        return answer;
    }
    made.results = std::move(made.kept->results());
    if (made.complete && std::all_of(plan.axes.begin(), plan.axes.end(), [](const auto& axis) {
            return axis.kind == analysis::SweepAxis::Kind::state;
        }))
        made.attractor = analysis::attractors(made.results, plan.section);
    answer.value = std::move(made);
    return answer;
}

} // namespace liaison::ask
