// SPDX-License-Identifier: Apache-2.0
// liaison explain: what equations were made of a model, and what a code means.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/ask/explain.hpp"
#include "liaison/base/codes.hpp"
#include "liaison/base/nearest.hpp"
#include "liaison/base/render.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace liaison::app {

namespace {

struct Arguments {
    std::string target;
    std::string level = "1";
    bool latex = false;
};

int explain_code(base::Code code, const Terminal& terminal) {
    if (terminal.json) {
        const base::CodeRow& row = base::row(code);
        terminal.print_json(nlohmann::json{{"code", row.text},
                                           {"name", row.name},
                                           {"title", row.title},
                                           {"explanation", row.explanation},
                                           {"wrong", row.wrong},
                                           {"right", row.right}});
    } else {
        terminal.print(base::explain(code));
    }
    return exit_ok;
}

int unknown_code(const std::string& target, const Terminal& terminal) {
    std::vector<std::string> codes;
    for (const auto& row : base::all_codes()) codes.emplace_back(row.text);
    const auto near = base::nearest(target, codes);
    terminal.complain(fmt::format("explain: `{}` is not a code", target));
    if (near) terminal.complain(fmt::format("did you mean {}?", *near));
    return exit_usage;
}

// One letter and digits: meant as a code, not as a file.
bool looks_like_code(const std::string& target) {
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    return target.size() > 1 && std::isalpha(static_cast<unsigned char>(target[0])) != 0 &&
           std::all_of(target.begin() + 1, target.end(), digit);
}

int explain_model(const Arguments& arguments, const Terminal& terminal) {
    base::Diagnostics found;
    const auto model = load_model(arguments.target, found);
    if (!model) return terminal.refuse(found);
    const auto answer =
        ask::explain(*model, {.level = arguments.level == "2" ? 2 : 1}, std::move(found));
    const base::Diagnostics& diagnostics = answer.diagnostics;
    terminal.tell(diagnostics);
    if (terminal.json) {
        nlohmann::json result = equations::to_json(*answer);
        result["ok"] = !diagnostics.has_errors();
        result["diagnostics"] = base::to_json(diagnostics);
        if (arguments.latex) result["latex"] = equations::to_latex(*answer);
        terminal.print_json(result);
    } else {
        terminal.print(arguments.latex ? equations::to_latex(*answer)
                                       : equations::to_text(*answer));
    }
    return diagnostics.has_errors() ? exit_input : exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    Option& what =
        options.positional("MODEL|CODE", arguments->target,
                           "a model file (- for standard input), or a code such as E0204");
    what.complete = Complete::model;
    what.required = true;
    options.flag("--latex", arguments->latex, "formulas as LaTeX");
    options
        .value("--level", "N", arguments->level,
               "1: equations; 2: momenta, energy balance, drift terms and structure too")
        .one_of({"1", "2"});
    return [arguments](Terminal& terminal) -> int {
        if (const auto code = base::find_code(arguments->target))
            return explain_code(*code, terminal);
        if (looks_like_code(arguments->target)) return unknown_code(arguments->target, terminal);
        return explain_model(*arguments, terminal);
    };
}

} // namespace

Command explain_command() {
    return {.name = "explain",
            .summary = "what equations did you make of it? what does this error mean?",
            .description =
                "For a model file: coordinates, energies, mass matrix, equations of motion, "
                "constraints, contacts, relays and switching surfaces. For a code of an error or "
                "warning: its cause, its remedy, and a wrong and a right example. Exit code 2 "
                "where something is wrong with the model or its numbers, as with check.",
            .examples = {{"liaison explain pendulum.toml", "the equations of motion"},
                         {"liaison explain --latex pendulum.toml", "the same for a paper"},
                         {"liaison explain E0204", "what an unknown name is and what to do"}},
            .setup = setup};
}

} // namespace liaison::app
