// SPDX-License-Identifier: Apache-2.0
// The rigid motion first; its reactions and impact speeds decide.
#include "liaison/ask/stiffness.hpp"

#include "liaison/prepare/prepare.hpp"

namespace liaison::ask {
namespace {

// The start of the rigid motion; nothing and reports where there is none.
std::optional<prepare::Start> rigid_start(model::Model& model, const StiffnessQuestion& question,
                                          base::Diagnostics& diagnostics) {
    model.run.contact = model::ContactRealisation::events;
    prepare::Options wanted;
    wanted.settings = read(question.set, model, diagnostics);
    wanted.until = question.until;
    wanted.tolerance = question.tolerance;
    auto start = prepare::prepare(model, wanted, diagnostics);
    if (model.contacts.empty())
        diagnostics.report(base::Code::bad_setting, "the model has no contact")
            .note("give it a [contact.NAME] with gap = …");
    if (diagnostics.has_errors()) return std::nullopt;
    return start;
}

} // namespace

Answer<analysis::StiffnessAnswer> stiffness(const model::Model& given,
                                            const StiffnessQuestion& question,
                                            const Control& control, base::Diagnostics found) {
    Answer<analysis::StiffnessAnswer> answer{{std::move(found), {}, {}, {}}, {}};
    base::Diagnostics& diagnostics = answer.diagnostics;
    model::Model model = given;
    const auto start = rigid_start(model, question, diagnostics);
    if (!start) return answer;
    if (!start->until)
        diagnostics.report(base::Code::missing_key, "how long? nothing says when the run ends")
            .note("give [run] until in the model, or --until T");
    else
        realise::report_contradiction(model, realise::spring_facts(model, start->point),
                                      diagnostics);
    if (diagnostics.has_errors()) return answer;
    control.begin(diagnostics);
    auto chosen = analysis::choose_stiffness(model, *start, question.wish, control.interrupt);
    if (control.interrupted())
        answer.end_early();
    else
        answer.value = std::move(chosen);
    return answer;
}

Answer<std::vector<realise::SpringFacts>>
springs(const model::Model& given, const std::vector<Setting>& set, base::Diagnostics found) {
    Answer<std::vector<realise::SpringFacts>> answer{{std::move(found), {}, {}, {}}, {}};
    model::Model model = given;
    const auto start = rigid_start(model, {.set = set}, answer.diagnostics);
    if (start) answer.value = realise::spring_facts(model, start->point);
    return answer;
}

} // namespace liaison::ask
