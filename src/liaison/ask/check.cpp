// SPDX-License-Identifier: Apache-2.0
// The start is prepared, the realisation tried, and what [run] promises looked at.
#include "liaison/ask/check.hpp"

#include "liaison/analysis/involution.hpp"
#include "liaison/analysis/program_run.hpp"
#include "liaison/ask/realised.hpp"
#include "liaison/ask/sliding_report.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/model/method.hpp"
#include "liaison/model/summary.hpp"
#include "liaison/prepare/nearby_rank.hpp"
#include "liaison/prepare/servo.hpp"
#include "liaison/prepare/start_change.hpp"
#include "liaison/record/model_method.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace liaison::ask {
namespace {

// Whether what a check looks at needs the flow: most models are judged without it.
bool needs_flow(const model::Model& model, const CheckQuestion& question) {
    const model::RunOptions& run = model.run;
    const bool preloaded = std::ranges::any_of(
        model.contacts, [](const model::Contact& c) { return bool(c.elastic.preload); });
    return run.contact == model::ContactRealisation::routh ||
           run.contact == model::ContactRealisation::elastic ||
           run.location == model::Location::none || preloaded ||
           (record::finds_its_step(model) && model::has_fixed_step(run.method)) ||
           (model.periodic && !model.periodic->symmetry.empty()) ||
           (question.contacts && !model.contacts.empty());
}

// Whether the tolerances of program constraints can be kept by the method of [run], and [periodic] symmetry can be one
// of orbits.
void look_at_flow(const model::Model& model, const prepare::Start& start, const flow::Flow& flow,
                  base::Diagnostics& diagnostics) {
    if (record::finds_its_step(model) && model::has_fixed_step(model.run.method) && start.until) {
        const auto method = record::method_of(model, start, diagnostics);
        if (!diagnostics.has_errors())
            (void)analysis::program_choice(model, flow, method, *start.until, diagnostics);
    }
    if (model.periodic && !model.periodic->symmetry.empty())
        (void)analysis::symmetry_of(model, flow, diagnostics);
}

// Which contacts are closed at the start, and every motion that the contact problem allows there.
std::optional<ContactsHere> look_at_contacts(const model::Model& model,
                                             const realise::Realisation& realised) {
    if (!realised.contacts) return {};
    const auto now = flow::start_instant(realised.flow);
    const auto numbers = realised.contacts->at(now);
    if (!numbers.regular) return {};
    return contacts_here(*realised.contacts, numbers,
                         contact_stiffness(model, realised, numbers, now));
}

} // namespace

Answer<Check> check(const model::Model& model, const CheckQuestion& question,
                    base::Diagnostics diagnostics) {
    Answer<Check> answer{{std::move(diagnostics), {}, {}, {}}, Check{}};
    prepare::Options options;
    options.settings = read(question.set, model, answer.diagnostics);
    answer->start = prepare::prepare(model, options, answer.diagnostics);
    answer->sliding = analysis::sliding_agreement(model);
    if (!answer->start || !needs_flow(model, question)) return answer;
    Findings findings; // an engine that is missing makes no model unsound
    const auto made = realised(model, *answer->start, findings);
    answer.diagnostics.append(findings.diagnostics);
    if (!made) return answer;
    look_at_flow(model, *answer->start, made->flow, answer.diagnostics);
    if (question.contacts && !answer.diagnostics.has_errors())
        answer->contacts = look_at_contacts(model, *made);
    return answer;
}

nlohmann::json to_json(const Check& check, const model::Model& model) {
    nlohmann::json facts = model::summary_json(model);
    facts["degrees_of_freedom"] = nullptr;
    if (check.start) {
        facts["degrees_of_freedom"] = check.start->degrees_of_freedom;
        nlohmann::json redundant = nlohmann::json::array();
        for (const std::size_t k : check.start->redundant)
            redundant.push_back(model.constraints[k].name);
        facts["redundant"] = redundant;
        facts["rank"] = check.start->rank;
        facts["rank_ratio"] = check.start->rank_ratio ? nlohmann::json(*check.start->rank_ratio)
                                                      : nlohmann::json(nullptr);
        const auto away = prepare::distance_to_singular(model, check.start->point);
        facts["singular_distance"] = away ? nlohmann::json(*away) : nlohmann::json(nullptr);
        facts["start"] = nlohmann::json::object();
        for (const auto& change : prepare::start_changes(model, check.start->point))
            facts["start"][change.name] = {{"given", change.given}, {"found", change.found}};
        if (const auto condition = prepare::servo_condition(model, check.start->point))
            facts["servo_condition"] = *condition;
    }
    if (check.sliding) facts["sliding"] = to_json(*check.sliding);
    if (check.contacts) facts["at_start"] = check.contacts->json;
    return facts;
}

std::string to_text(const Check& check, const model::Model& model, const std::string& path) {
    if (!check.start) return {};
    const std::size_t freedoms = check.start->degrees_of_freedom;
    std::string line = fmt::format("{}: {}, {} degree{} of freedom\n", path, model::summary(model),
                                   freedoms, freedoms == 1 ? "" : "s");
    const auto changes = prepare::start_changes(model, check.start->point);
    if (!changes.empty()) line += "  consistent start: " + prepare::to_text(changes) + "\n";
    constexpr double k_close = 1e-4;
    const auto ratio = check.start->rank_ratio;
    if (ratio && *ratio < k_close)
        line +=
            fmt::format("  near a singular position: the constraints are independent (rank {}), "
                        "but hardly (singular value ratio {:.1e})\n",
                        check.start->rank, *ratio);
    double size = 1.0;
    for (const double q : check.start->point.q) size = std::max(size, std::abs(q));
    if (const auto away = prepare::distance_to_singular(model, check.start->point);
        away && *away > 0.0 && *away < k_close * size)
        line += fmt::format("  near a singular position: the gradient of {} vanishes about {:.1e} "
                            "away\n",
                            model.constraints[0].name, *away);
    return line;
}

} // namespace liaison::ask
