// SPDX-License-Identifier: Apache-2.0
// The oscillator is split from what is small; each resonance is studied by itself.
#include "liaison/ask/average.hpp"

#include <numbers>
#include <utility>

namespace liaison::ask {
namespace {

struct Asked {
    std::vector<std::size_t> small;
    analysis::ResonanceOptions options;
};

std::optional<Asked> read(const AverageQuestion& question, const flow::Flow& flow,
                          base::Diagnostics& diagnostics) {
    Asked asked;
    if (const auto at = parameter_named("--over", question.over.name, flow, diagnostics))
        asked.options.parameter = *at;
    asked.options.low = question.over.from;
    asked.options.high = question.over.to;
    for (const std::string& name : question.small) {
        if (const auto at = parameter_named("--small", name, flow, diagnostics))
            asked.small.push_back(*at);
    }
    if (question.exact) asked.options.exact = *question.exact;
    if (question.tolerance) asked.options.tolerance = *question.tolerance;
    if (diagnostics.has_errors()) return {};
    return asked;
}

analysis::OscillatorSplit split(const Subject& subject, const std::vector<std::size_t>& small) {
    expr::Expr frequency = subject.flow->frequency;
    if (const auto& periodic = subject.model->periodic; periodic && periodic->period)
        frequency = 2.0 * std::numbers::pi / periodic->period.expr;
    if (frequency) return analysis::split_oscillator(*subject.model, small, frequency);
    analysis::OscillatorSplit none;
    none.refused = "the model has no force of one frequency";
    none.instead = "write it as sin or cos of a frequency times t, or give [periodic] period";
    return none;
}

} // namespace

Answer<analysis::ResonanceStudy> average(const model::Model& model, const AverageQuestion& question,
                                         const Control& control, base::Diagnostics diagnostics) {
    Answer<analysis::ResonanceStudy> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const auto subject = subject_of(model, question.set, {}, "motions are not averaged", answer);
    if (!subject) return answer;
    const flow::Flow& flow = *subject->flow;
    auto asked = read(question, flow, answer.diagnostics);
    if (!asked) return answer;
    const auto parts = split(*subject, asked->small);
    if (!parts.oscillator) {
        auto& report = answer.diagnostics.report(base::Code::bad_setting, parts.refused);
        if (parts.span) report.at(*parts.span);
        if (!parts.instead.empty()) report.note(parts.instead);
        return answer;
    }
    control.begin(answer.diagnostics);
    analysis::ResonanceStudy study;
    study.model = flow.model;
    study.realisation = flow.realisation;
    study.over = flow.parameter_names[asked->options.parameter];
    for (const std::size_t i : asked->small) study.small.push_back(flow.parameter_names[i]);
    study.oscillator = *parts.oscillator;
    std::vector<std::pair<int, int>> wanted;
    for (const analysis::Ratio& ratio : question.resonances)
        wanted.push_back(analysis::folded(ratio, study.oscillator));
    if (wanted.empty()) wanted.emplace_back(1, analysis::nearest_resonance(study.oscillator, flow));
    for (const auto& [n, k] : wanted) {
        asked->options.n = n;
        asked->options.k = k;
        asked->options.interrupt = control.interrupt;
        study.resonances.push_back(
            analysis::find_resonance(study.oscillator, subject->flow, asked->options));
    }
    if (control.interrupted())
        answer.end_early();
    else
        answer.value = std::move(study);
    return answer;
}

} // namespace liaison::ask
