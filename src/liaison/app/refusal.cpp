// SPDX-License-Identifier: Apache-2.0
// Diagnostics where the input is wrong, else the reason.
#include "liaison/app/refusal.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/app/interrupt.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {

int refuse(const ask::Findings& findings, const model::Model& model, const Terminal& terminal) {
    if (findings.diagnostics.has_errors()) return terminal.refuse(findings.diagnostics);
    const int code = base::raised(&interrupt_flag()) ? exit_interrupted : exit_stopped;
    if (terminal.json) {
        nlohmann::json json = {{"liaison", base::k_version},
                               {"model", model.name},
                               {"status", "stopped"},
                               {"reason", findings.reason}};
        if (!findings.missing.empty()) json["missing"] = findings.missing;
        terminal.print_json(json);
        return code;
    }
    terminal.complain(findings.missing.empty()
                          ? findings.reason
                          : fmt::format("{}: {}; the model is sound, it cannot be run",
                                        model.source->name(), findings.reason));
    return code;
}

void tell_notes(const ask::Findings& findings, const Terminal& terminal) {
    for (const std::string& note : findings.notes) terminal.say(fmt::format("note: {}\n", note));
}

} // namespace liaison::app
