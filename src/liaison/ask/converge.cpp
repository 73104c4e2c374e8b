// SPDX-License-Identifier: Apache-2.0
// Which limit is meant decides which study is made.
#include "liaison/ask/converge.hpp"

#include "liaison/analysis/approach_study.hpp"
#include "liaison/analysis/layer_study.hpp"
#include "liaison/analysis/step_study.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/spring_facts.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::ask {
namespace {

std::vector<double> spread(double from, double to, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        values.push_back(from * std::pow(to / from, share));
    }
    return values;
}

// `stiffness` itself, or a parameter that is the stiffness of every contact.
bool means_stiffness(const model::Model& model, const std::string& name) {
    if (name == "stiffness") return true;
    const std::size_t index = model.parameter(name);
    return index != model::k_none && !model.contacts.empty() &&
           std::ranges::all_of(model.contacts, [&](const model::Contact& c) {
               return c.elastic.stiffness &&
                      c.elastic.stiffness.expr == model.parameters[index].symbol;
           });
}

enum class Limit { stiffness, layer, approach, step, parameter };

Limit limit_of(const model::Model& model, const std::string& name) {
    if (means_stiffness(model, name)) return Limit::stiffness;
    if (name == "layer") return Limit::layer;
    if (name == "approach") return Limit::approach;
    if (name == "step") return Limit::step;
    return Limit::parameter;
}

analysis::Convergence study(const model::Model& model, const prepare::Start& start,
                            const prepare::Options& options, Limit limit, std::size_t parameter,
                            const ConvergeQuestion& question, base::Interrupt interrupt) {
    const Range& range = question.over;
    const double low = std::min(range.from, range.to);
    const double high = std::max(range.from, range.to);
    switch (limit) {
    case Limit::step:
        return analysis::study_step(model, start, question.method.value_or(model.run.method),
                                    spread(high, low, range.points.value_or(5)), question.samples,
                                    interrupt);
    case Limit::layer:
        return analysis::study_layer(model, start, spread(high, low, range.points.value_or(7)),
                                     question.samples, interrupt);
    case Limit::approach:
        return analysis::study_approach(model, start, spread(high, low, range.points.value_or(7)),
                                        question.samples, interrupt);
    case Limit::parameter:
        return analysis::study_parameter(model, start, options, parameter,
                                         spread(range.from, range.to, range.points.value_or(7)),
                                         question.samples, interrupt);
    case Limit::stiffness: break;
    }
    analysis::StiffnessStudy wanted;
    wanted.from = low;
    wanted.to = high;
    if (range.points) wanted.stiffness = spread(low, high, *range.points);
    wanted.start = question.start;
    wanted.samples = question.samples;
    wanted.interrupt = interrupt;
    return analysis::study_stiffness(model, start, wanted);
}

} // namespace

Answer<analysis::Convergence> converge(const model::Model& given, const ConvergeQuestion& question,
                                       const Control& control, base::Diagnostics found) {
    Answer<analysis::Convergence> answer{{std::move(found), {}, {}, {}}, {}};
    base::Diagnostics& diagnostics = answer.diagnostics;
    model::Model model = given;
    for (const std::string& text : question.realise)
        model::read_realisations(model.run, text, diagnostics);
    const Limit limit = limit_of(model, question.over.name);
    if (limit == Limit::stiffness && model.contacts.empty())
        diagnostics
            .report(base::Code::bad_setting, "the model has no contact whose stiffness could grow")
            .note("vary what it has: layer, approach, step or a parameter");
    // The limit of elastic contacts is the rigid one: the start is that of events.
    if (limit == Limit::stiffness) model.run.contact = model::ContactRealisation::events;
    const std::size_t parameter =
        limit == Limit::parameter ? prepare::find_parameter(model, question.over.name, diagnostics)
                                  : model::k_none;
    prepare::Options wanted;
    wanted.settings = read(question.set, model, diagnostics);
    wanted.until = question.until;
    wanted.tolerance = question.tolerance;
    const auto start = prepare::prepare(model, wanted, diagnostics);
    if (!start || diagnostics.has_errors()) return answer;
    if (!start->until)
        diagnostics.report(base::Code::missing_key, "how long? nothing says when the run ends")
            .note("give [run] until in the model, or --until T");
    else if (limit == Limit::stiffness)
        realise::report_contradiction(model, realise::spring_facts(model, start->point),
                                      diagnostics);
    if (diagnostics.has_errors()) return answer;
    control.begin(diagnostics);
    auto result = study(model, *start, wanted, limit, parameter, question, control.interrupt);
    if (control.interrupted())
        answer.end_early();
    else
        answer.value = std::move(result);
    return answer;
}

} // namespace liaison::ask
