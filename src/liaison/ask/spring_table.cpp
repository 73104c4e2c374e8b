// SPDX-License-Identifier: Apache-2.0
// One row per side of a contact.
#include "liaison/ask/spring_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::ask {
namespace {

std::string cell(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "–";
}

std::string_view word(laws::ContactExit exit) {
    return exit == laws::ContactExit::gap ? "gap" : "force";
}

} // namespace

nlohmann::ordered_json springs_json(const std::vector<realise::SpringFacts>& springs) {
    using Json = nlohmann::ordered_json;
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json result = {{"contacts", Json::object()}};
    for (const realise::SpringFacts& s : springs) {
        result["contacts"][s.name] = {{"mass", s.mass},
                                      {"stiffness", number(s.stiffness)},
                                      {"frequency", number(s.frequency)},
                                      {"damping", number(s.damping)},
                                      {"damping_ratio", number(s.damping_ratio)},
                                      {"restitution", number(s.restitution)},
                                      {"duration", number(s.duration)},
                                      {"exit", word(s.exit)},
                                      {"written", number(s.written)}};
    }
    return result;
}

std::string springs_text(const std::vector<realise::SpringFacts>& springs) {
    std::string text =
        fmt::format("  {:<16}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>8}\n", "contact", "stiffness",
                    "frequency", "damping", "ratio", "restitution", "duration", "exit");
    for (const realise::SpringFacts& s : springs) {
        text +=
            fmt::format("  {:<16}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>8}\n", s.name,
                        cell(s.stiffness), cell(s.frequency), cell(s.damping),
                        cell(s.damping_ratio), cell(s.restitution), cell(s.duration), word(s.exit));
        if (s.written && s.restitution && !s.damped && *s.written != *s.restitution &&
            s.exit == laws::ContactExit::force)
            text += fmt::format("  {:<16}no damping gives the restitution {:g}\n", "", *s.written);
    }
    text += "stiffness N·B and damping c of the gap at the start; ratio ζ = c/(2√(N·B·μ)); an "
            "impact returns `restitution` in the limit of stiffness\n";
    return text;
}

} // namespace liaison::ask
