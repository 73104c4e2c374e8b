// SPDX-License-Identifier: Apache-2.0
// liaison check: is a model sound? All problems at once, with remedies.
#include "liaison/analysis/involution.hpp"
#include "liaison/analysis/program_run.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/contacts_here.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/method_choice.hpp"
#include "liaison/app/run_job.hpp"
#include "liaison/app/sliding_report.hpp"
#include "liaison/base/render.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/model/method.hpp"
#include "liaison/model/summary.hpp"
#include "liaison/prepare/nearby_rank.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/prepare/servo.hpp"
#include "liaison/prepare/start_change.hpp"
#include "liaison/realise/elastic_resolution.hpp"
#include "liaison/realise/preload_words.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/model_method.hpp"
#include "liaison/record/run_model.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace liaison::app {

namespace {

struct Arguments {
    std::vector<std::string> models;
    std::vector<std::string> settings;
    bool strict = false;
    bool contacts = false;
};

// What is known about one file.
struct Finding {
    std::optional<model::Model> model;
    std::optional<prepare::Start> start;
    std::optional<ContactsHere> contacts = {}; // when asked for
};

// Whether the tolerances of program constraints can be kept by the method of [run].
void look_at_program(const model::Model& model, const prepare::Start& start,
                     base::Diagnostics& diagnostics) {
    if (!record::finds_its_step(model) || !model::has_fixed_step(model.run.method) || !start.until)
        return;
    const auto method = choose_method({}, model, start, diagnostics);
    const auto realised = realise::realise(model, start.point);
    if (diagnostics.has_errors() || !realised.missing.empty()) return;
    (void)analysis::program_choice(model, realised.flow, method, *start.until, diagnostics);
}

// Whether rigid contacts can be pressed as the model says.
void look_at_preloads(const model::Model& model, const prepare::Start& start,
                      base::Diagnostics& diagnostics) {
    const bool stated = std::ranges::any_of(
        model.contacts, [](const model::Contact& c) { return bool(c.elastic.preload); });
    if (!stated || model.run.contact == model::ContactRealisation::elastic) return;
    const auto realised = realise::realise(model, start.point);
    if (realised.refused.empty() && realised.missing.empty())
        realise::report_preloads(model, realised, diagnostics);
}

// Whether [periodic] symmetry can be one of orbits.
void look_at_symmetry(const model::Model& model, const prepare::Start& start,
                      base::Diagnostics& diagnostics) {
    if (!model.periodic || model.periodic->symmetry.empty()) return;
    const auto realised = realise::realise(model, start.point);
    if (realised.refused.empty() && realised.missing.empty())
        (void)analysis::symmetry_of(model, realised.flow, diagnostics);
}

// Which contacts are closed at the start, and every motion that the contact problem allows there.
std::optional<ContactsHere> look_at_contacts(const model::Model& model, const prepare::Start& start,
                                             base::Diagnostics& diagnostics) {
    if (model.contacts.empty()) return {};
    const auto realised = realise::realise(model, start.point);
    if (!realised.contacts) {
        record::report_refusal(realised, diagnostics);
        return {};
    }
    const auto now = flow::start_instant(realised.flow);
    const auto numbers = realised.contacts->at(now);
    if (!numbers.regular) return {};
    return contacts_here(*realised.contacts, numbers,
                         contact_stiffness(model, realised, numbers, now));
}

Finding look_at(const std::string& path, const Arguments& arguments,
                base::Diagnostics& diagnostics) {
    Finding finding{load_model(path, diagnostics, arguments.settings), std::nullopt};
    if (!finding.model) return finding;
    prepare::Options options;
    options.settings = prepare::read_settings(*finding.model, arguments.settings, diagnostics);
    finding.start = prepare::prepare(*finding.model, options, diagnostics);
    if (!finding.start) return finding;
    const model::RunOptions& run = finding.model->run;
    if (run.contact == model::ContactRealisation::routh ||
        run.contact == model::ContactRealisation::elastic || run.location == model::Location::none)
        record::report_refusal(realise::realise(*finding.model, finding.start->point), diagnostics);
    if (run.contact == model::ContactRealisation::elastic) {
        const prepare::Start& start = *finding.start;
        realise::report_springs(*finding.model, start.point, start.tolerance,
                                start.until.value_or(start.point.time), diagnostics);
    }
    look_at_preloads(*finding.model, *finding.start, diagnostics);
    look_at_program(*finding.model, *finding.start, diagnostics);
    look_at_symmetry(*finding.model, *finding.start, diagnostics);
    if (arguments.contacts && !diagnostics.has_errors())
        finding.contacts = look_at_contacts(*finding.model, *finding.start, diagnostics);
    return finding;
}

nlohmann::json facts_of(const Finding& finding) {
    if (!finding.model) return nullptr;
    nlohmann::json facts = model::summary_json(*finding.model);
    facts["degrees_of_freedom"] = nullptr;
    if (finding.start) {
        facts["degrees_of_freedom"] = finding.start->degrees_of_freedom;
        nlohmann::json redundant = nlohmann::json::array();
        for (const std::size_t k : finding.start->redundant)
            redundant.push_back(finding.model->constraints[k].name);
        facts["redundant"] = redundant;
        facts["rank"] = finding.start->rank;
        facts["rank_ratio"] = finding.start->rank_ratio ? nlohmann::json(*finding.start->rank_ratio)
                                                        : nlohmann::json(nullptr);
        const auto away = prepare::distance_to_singular(*finding.model, finding.start->point);
        facts["singular_distance"] = away ? nlohmann::json(*away) : nlohmann::json(nullptr);
        facts["start"] = nlohmann::json::object();
        for (const auto& change : prepare::start_changes(*finding.model, finding.start->point))
            facts["start"][change.name] = {{"given", change.given}, {"found", change.found}};
        if (const auto condition = prepare::servo_condition(*finding.model, finding.start->point))
            facts["servo_condition"] = *condition;
    }
    if (const auto sliding = analysis::sliding_agreement(*finding.model))
        facts["sliding"] = to_json(*sliding);
    if (finding.contacts) facts["at_start"] = finding.contacts->json;
    return facts;
}

std::string verdict_line(const std::string& path, const Finding& finding) {
    if (!finding.model || !finding.start) return {};
    const std::size_t freedoms = finding.start->degrees_of_freedom;
    std::string line =
        fmt::format("{}: {}, {} degree{} of freedom\n", path, model::summary(*finding.model),
                    freedoms, freedoms == 1 ? "" : "s");
    const auto changes = prepare::start_changes(*finding.model, finding.start->point);
    if (!changes.empty()) line += "  consistent start: " + prepare::to_text(changes) + "\n";
    constexpr double k_close = 1e-4;
    const auto ratio = finding.start->rank_ratio;
    if (ratio && *ratio < k_close)
        line +=
            fmt::format("  near a singular position: the constraints are independent (rank {}), "
                        "but hardly (singular value ratio {:.1e})\n",
                        finding.start->rank, *ratio);
    double size = 1.0;
    for (const double q : finding.start->point.q) size = std::max(size, std::abs(q));
    if (const auto away = prepare::distance_to_singular(*finding.model, finding.start->point);
        away && *away > 0.0 && *away < k_close * size)
        line += fmt::format("  near a singular position: the gradient of {} vanishes about {:.1e} "
                            "away\n",
                            finding.model->constraints[0].name, *away);
    return line;
}

int verdict(const base::Diagnostics& diagnostics, bool strict) {
    if (diagnostics.has_errors()) return exit_input;
    return strict && diagnostics.warning_count() > 0 ? exit_no : exit_ok;
}

int check(const Arguments& arguments, const Terminal& terminal) {
    int worst = exit_ok;
    nlohmann::json told = nlohmann::json::array();
    nlohmann::json facts = nlohmann::json::array();
    nlohmann::json here =
        nlohmann::json::object(); // of a single model, as painleve --here tells it
    for (const std::string& path : arguments.models) {
        base::Diagnostics diagnostics;
        const Finding finding = look_at(path, arguments, diagnostics);
        worst = std::max(worst, verdict(diagnostics, arguments.strict));
        if (terminal.json) {
            for (auto& one : base::to_json(diagnostics)) told.push_back(std::move(one));
            if (finding.model) facts.push_back(facts_of(finding));
            if (finding.contacts && arguments.models.size() == 1) here = finding.contacts->json;
            continue;
        }
        terminal.tell(diagnostics);
        if (finding.model && finding.start && !diagnostics.has_errors()) {
            terminal.print(verdict_line(path, finding));
            if (finding.contacts) terminal.print(finding.contacts->text);
            if (const auto sliding = analysis::sliding_agreement(*finding.model))
                terminal.print(to_text(*sliding, terminal.verbose));
        }
    }
    if (terminal.json) {
        here.update({{"ok", worst == exit_ok}, {"diagnostics", told}, {"models", facts}});
        terminal.print_json(here);
    }
    return worst;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positionals("MODEL", arguments->models, "model files, - for standard input")
        .models()
        .needed();
    options.values("--set", "NAME=VALUE", arguments->settings,
                   "another value of a parameter, repeatable");
    options.flag(
        "--contacts", arguments->contacts,
        "contacts closed at the start: normal response, case, every motion that is possible");
    options.flag("--strict", arguments->strict, "warnings count: exit code 1 if there are any");
    return [arguments](Terminal& terminal) { return check(*arguments, terminal); };
}

} // namespace

Command check_command() {
    return {
        .name = "check",
        .summary = "is my model sound? all problems at once, with remedies",
        .description =
            "Reads model files, resolves every expression, checks what mechanics demands and "
            "prepares the start. Exit code 0 if all is well, 2 if there is an error, 1 with "
            "--strict if there are only warnings.",
        .examples = {{"liaison check pendulum.toml", "one model"},
                     {"liaison check --strict *.toml", "several, warnings count"},
                     {"liaison check --contacts rod.toml", "what the contacts can do at the start"},
                     {"generate | liaison check --json -", "from standard input, for scripts"}},
        .setup = setup};
}

} // namespace liaison::app
