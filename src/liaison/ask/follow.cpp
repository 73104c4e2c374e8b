// SPDX-License-Identifier: Apache-2.0
// A first orbit, the branch through it, and curves of its special points.
#include "liaison/ask/follow.hpp"

#include "liaison/analysis/branch_report.hpp"
#include "liaison/analysis/special_curve_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::ask {
namespace {

std::string words(const Range& range) {
    return fmt::format("{}={:.9g}:{:.9g}", range.name, range.from, range.to);
}

// The second parameter, or nothing and a report.
std::optional<analysis::SecondParameter> read_second(const Range& range, const Subject& subject,
                                                     std::size_t first,
                                                     base::Diagnostics& diagnostics) {
    const flow::Flow& flow = *subject.flow;
    const auto parameter = parameter_named("--and", range.name, flow, diagnostics);
    if (!parameter) return std::nullopt;
    const double start = flow.parameter_values[*parameter];
    if (*parameter == first) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--and {}: the parameter of --over once more", words(range)))
            .note("the special points move over a second parameter");
        return std::nullopt;
    }
    if (!(start > range.from && start < range.to)) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--and {}: the branch has {} = {:.9g}, outside this range",
                                words(range), range.name, start))
            .note(fmt::format("--set {}=VALUE chooses where the branch is", range.name));
        return std::nullopt;
    }
    if (!sound_over("--and", range, *parameter, subject, diagnostics)) return std::nullopt;
    analysis::SecondParameter second;
    second.parameter = *parameter;
    second.low = range.from;
    second.high = range.to;
    return second;
}

// Where the branch goes; nothing and reports where it cannot begin.
std::optional<analysis::BranchOptions> read_branch(const FollowQuestion& question,
                                                   const OrbitSubject& subject,
                                                   base::Diagnostics& diagnostics) {
    const Range& range = question.over;
    const auto parameter = parameter_named("--over", range.name, *subject.flow, diagnostics);
    if (!parameter) return std::nullopt;
    analysis::BranchOptions wanted;
    wanted.orbit = subject.options_of_orbit;
    wanted.parameter = *parameter;
    wanted.low = range.from;
    wanted.high = range.to;
    if (const auto& periodic = subject.model->periodic; periodic && periodic->period)
        wanted.period = periodic->period.expr;
    if (question.step) wanted.largest_step = *question.step;
    if (question.points) wanted.most_points = *question.points;
    wanted.doublings = question.doublings;
    wanted.beyond = question.beyond;
    const double start = subject.flow->parameter_values[*parameter];
    if (!(start >= range.from && start <= range.to)) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--over {}: the first orbit has {} = {:.9g}, outside this range",
                                words(range), range.name, start))
            .note(fmt::format("--set {}=VALUE chooses where the first orbit is looked for",
                              range.name));
        return std::nullopt;
    }
    return wanted;
}

} // namespace

Answer<FollowAnswer> follow(const model::Model& model, const FollowQuestion& question,
                            const Control& control, base::Diagnostics diagnostics) {
    Answer<FollowAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const auto subject = orbit_subject(model, question.orbit, control, answer);
    if (!subject) return answer;
    const auto wanted = read_branch(question, *subject, answer.diagnostics);
    if (!wanted) return answer;
    std::optional<analysis::SecondParameter> second;
    if (question.second) {
        second = read_second(*question.second, *subject, wanted->parameter, answer.diagnostics);
        if (!second) return answer;
    }
    if (!sound_over("--over", question.over, wanted->parameter, *subject, answer.diagnostics))
        return answer;
    control.begin(answer.diagnostics);
    FollowAnswer made{subject->flow, wanted->parameter, {}, {}, {}};
    made.branch = analysis::follow_orbit(subject->flow, *wanted);
    if (second) {
        made.second = second->parameter;
        made.curves = analysis::follow_special_points(subject->flow, *wanted, made.branch, *second);
    }
    answer.value = std::move(made);
    return answer;
}

nlohmann::ordered_json to_json(const FollowAnswer& a) {
    auto json = analysis::to_json(a.branch, *a.flow, a.parameter);
    if (a.second) {
        json["and"] = a.flow->parameter_names[*a.second];
        json["curves"] = analysis::to_json(a.curves);
    }
    return json;
}

std::string to_text(const FollowAnswer& a) {
    std::string text = analysis::to_text(a.branch, *a.flow, a.parameter);
    if (a.second && !a.branch.points.empty())
        text += analysis::to_text(a.curves, *a.flow, a.parameter, *a.second);
    return text;
}

std::string to_csv(const FollowAnswer& a) {
    analysis::CurvesOver over;
    if (a.second) over = {*a.second, &a.curves};
    return analysis::to_csv(a.branch, *a.flow, a.parameter, over);
}

record::Figure figure(const FollowAnswer& a) {
    auto figure = analysis::figure(a.branch, *a.flow, a.parameter);
    if (a.second)
        figure.panels.insert(figure.panels.begin(),
                             analysis::panel(a.curves, *a.flow, a.parameter, *a.second));
    return figure;
}

} // namespace liaison::ask
