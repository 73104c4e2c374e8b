// SPDX-License-Identifier: Apache-2.0
// liaison doctor: what is installed, what this machine can do, and which bounds hold.
#include "liaison/app/command.hpp"
#include "liaison/app/cpu.hpp"
#include "liaison/app/limits.hpp"
#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace liaison::app {

namespace {

nlohmann::json as_json() {
    const base::BuildFacts facts = base::build_facts();
    const Cpu cpu = this_cpu();
    nlohmann::json parts = nlohmann::json::object();
    for (const auto& part : facts.parts) parts[std::string(part.name)] = part.present;
    nlohmann::json bounds = nlohmann::json::object();
    for (const Limit& limit : limits()) bounds[std::string(limit.key)] = limit.value;
    return {{"liaison", facts.version},
            {"format", base::k_model_format},
            {"compiler", facts.compiler},
            {"target", facts.target},
            {"optimised", facts.optimised},
            {"sanitised", facts.sanitised},
            {"parts", parts},
            {"cpu", {{"name", cpu.name}, {"features", cpu.features}, {"threads", cpu.threads}}},
            {"limits", bounds}};
}

std::string as_text() {
    const base::BuildFacts facts = base::build_facts();
    const Cpu cpu = this_cpu();
    std::string text =
        fmt::format("liaison {} · model format {}\n\n", facts.version, base::k_model_format);
    text += fmt::format("built with   {}{}{} for {}\n", facts.compiler,
                        facts.optimised ? ", optimised" : ", not optimised",
                        facts.sanitised ? ", with sanitizers" : "", facts.target);
    text += fmt::format("processor    {} · {} threads\n", cpu.name, cpu.threads);
    text += fmt::format("             {}\n\noptional parts\n", fmt::join(cpu.features, " "));
    for (const auto& part : facts.parts) {
        text += fmt::format("  {:<12} {:<4} {}\n", part.name, part.present ? "yes" : "no",
                            part.purpose);
    }
    text += "\nbounds\n";
    for (const Limit& limit : limits())
        text += fmt::format("  {:>12}  {}\n", limit.value, limit.meaning);
    return text;
}

Action setup(Options&) {
    return [](Terminal& terminal) -> int {
        if (terminal.json)
            terminal.print_json(as_json());
        else
            terminal.print(as_text());
        return exit_ok;
    };
}

} // namespace

Command doctor_command() {
    return {.name = "doctor",
            .summary = "what is installed, what can this machine do, which bounds hold?",
            .description = {},
            .examples = {{"liaison doctor", "the whole list"},
                         {"liaison doctor --json", "the same for scripts"}},
            .setup = setup};
}

} // namespace liaison::app
