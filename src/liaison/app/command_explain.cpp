// SPDX-License-Identifier: Apache-2.0
// liaison explain: what a code means.
#include "liaison/app/command.hpp"
#include "liaison/base/codes.hpp"
#include "liaison/base/nearest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {

namespace {

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

int unknown(const std::string& target, const Terminal& terminal) {
    std::vector<std::string> codes;
    for (const auto& row : base::all_codes()) codes.emplace_back(row.text);
    const auto near = base::nearest(target, codes);
    terminal.complain(fmt::format("explain: `{}` is not a code", target));
    if (near) terminal.complain(fmt::format("did you mean {}?", *near));
    return exit_usage;
}

Action setup(Options& options) {
    auto target = std::make_shared<std::string>();
    Option& what = options.positional("CODE", *target, "a code such as E0204");
    what.complete = Complete::code;
    what.required = true;
    return [target](Terminal& terminal) -> int {
        if (const auto code = base::find_code(*target)) return explain_code(*code, terminal);
        return unknown(*target, terminal);
    };
}

} // namespace

Command explain_command() {
    return {.name = "explain",
            .summary = "what does this error mean?",
            .description = "Every error and warning carries a code. explain prints its cause, its "
                           "remedy, and a wrong and a right example.",
            .examples = {{"liaison explain E0204", "what an unknown name is and what to do"}},
            .setup = setup};
}

} // namespace liaison::app
