// SPDX-License-Identifier: Apache-2.0
// One run by each realisation, compared sample by sample.
#include "liaison/ask/compare.hpp"

#include "liaison/analysis/contact_disagreement.hpp"
#include "liaison/record/execute.hpp"

#include <algorithm>
#include <utility>

namespace liaison::ask {
namespace {

std::optional<std::pair<double, std::vector<double>>> first_sliding(const analysis::Variant& v) {
    const auto& trajectory = v.run.trajectory;
    for (std::size_t i = 0; i < v.flow.modes.size(); ++i) {
        const bool relay = std::ranges::any_of(v.flow.modes[i].words,
                                               [](const auto& w) { return w.word == "sliding"; });
        if (relay && i < trajectory.start_mode.size() && trajectory.start_mode[i] == 0.0)
            return std::pair{v.flow.start_time, v.flow.start_state};
    }
    for (const flow::Event& e : trajectory.events) {
        if (e.kind == flow::EventKind::enter_sliding)
            return std::pair{e.time.rounded(), e.state_plus};
    }
    return std::nullopt;
}

std::optional<FirstSliding> where_sliding_begins(const std::vector<analysis::Variant>& variants) {
    const auto where = first_sliding(variants[0]);
    if (!where) return std::nullopt;
    FirstSliding first{where->first, {}};
    for (const analysis::Variant& v : variants) {
        flow::Flow flow = v.flow;
        flow.start_time = where->first;
        // Names lead: variants may carry further states of their own.
        for (std::size_t i = 0; i < std::min(flow.n_controlled, where->second.size()); ++i)
            flow.start_state[i] = where->second[i];
        record::ExecuteOptions options;
        options.until = where->first;
        options.at = {where->first};
        auto run = record::execute(flow, options);
        first.there.push_back({v.word, std::move(flow), std::move(run)});
    }
    return first;
}

} // namespace

Answer<Comparison> compare(const model::Model& model, const CompareQuestion& question,
                           const Control& control, base::Diagnostics diagnostics) {
    Answer<Comparison> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    if (question.with.size() < 2)
        answer.diagnostics
            .report(base::Code::bad_setting, "two realisations or more are needed to compare")
            .note("as in --with filippov,utkin");
    if (answer.refused()) return answer;
    Comparison made;
    made.sliding = analysis::sliding_agreement(model);
    double tolerance = 0.0;
    for (const std::string& word : question.with) {
        RunQuestion one = question.run;
        one.realise.push_back(word);
        auto motion = run(model, one, control, answer.diagnostics);
        if (!motion) {
            static_cast<Findings&>(answer) = std::move(motion);
            return answer;
        }
        tolerance = motion->run.provenance.tolerance;
        made.variants.push_back({word, std::move(motion->flow), std::move(motion->run)});
    }
    made.differences = analysis::compare(made.variants, tolerance);
    made.agree = std::ranges::none_of(made.differences, [](const auto& d) { return d.apart; });
    made.explanations = analysis::explain_contacts(model, made.variants, made.differences);
    made.first_sliding = where_sliding_begins(made.variants);
    answer.value = std::move(made);
    return answer;
}

} // namespace liaison::ask
