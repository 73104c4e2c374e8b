// SPDX-License-Identifier: Apache-2.0
// liaison check: is a model sound? All problems at once, with remedies.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/ask/check.hpp"
#include "liaison/ask/sliding_report.hpp"
#include "liaison/base/render.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::app {

namespace {

struct Arguments {
    std::vector<std::string> models;
    std::vector<std::string> settings;
    bool strict = false;
    bool contacts = false;
};

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
        base::Diagnostics found;
        const auto model = load_model(path, found, arguments.settings);
        ask::Answer<ask::Check> answer;
        if (model)
            answer = ask::check(
                *model,
                {{arguments.settings.begin(), arguments.settings.end()}, arguments.contacts},
                std::move(found));
        else
            answer.diagnostics = std::move(found);
        const base::Diagnostics& diagnostics = answer.diagnostics;
        worst = std::max(worst, verdict(diagnostics, arguments.strict));
        if (terminal.json) {
            for (auto& one : base::to_json(diagnostics)) told.push_back(std::move(one));
            if (model) facts.push_back(ask::to_json(*answer, *model));
            if (model && answer->contacts && arguments.models.size() == 1)
                here = answer->contacts->json;
            continue;
        }
        terminal.tell(diagnostics);
        if (model && answer->start && !diagnostics.has_errors()) {
            terminal.print(ask::to_text(*answer, *model, path));
            if (answer->contacts) terminal.print(answer->contacts->text);
            if (answer->sliding) terminal.print(ask::to_text(*answer->sliding, terminal.verbose));
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
