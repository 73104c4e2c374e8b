// SPDX-License-Identifier: Apache-2.0
// A chosen stiffness as text and JSON.
#include "liaison/analysis/choose_stiffness.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace liaison::analysis {

nlohmann::ordered_json to_json(const StiffnessAnswer& answer) {
    using Json = nlohmann::ordered_json;
    const bool known = answer.failed.empty() && answer.asked();
    Json result = {{"stiffness", answer.asked() ? Json(answer.stiffness) : Json(nullptr)},
                   {"frequency", known ? Json(answer.frequency) : Json(nullptr)},
                   {"contact_step", known ? Json(answer.contact_step) : Json(nullptr)},
                   {"steps", answer.steps > 0 ? Json(answer.steps) : Json(nullptr)},
                   {"reached", known ? Json(answer.reached()) : Json(nullptr)},
                   {"choices", Json::array()},
                   {"reason", answer.failed.empty() ? Json(nullptr) : Json(answer.failed)}};
    for (const StiffnessChoice& c : answer.choices) {
        result["choices"].push_back(
            {{"quantity", c.quantity},
             {"wanted", c.wanted},
             {"stiffness", c.stiffness > 0.0 ? Json(c.stiffness) : Json(nullptr)},
             {"measured", c.measured ? Json(*c.measured) : Json(nullptr)},
             {"note", c.note.empty() ? Json(nullptr) : Json(c.note)}});
    }
    return result;
}

std::string to_text(const StiffnessAnswer& answer) {
    std::string text =
        fmt::format("  {:<16}{:>12}{:>14}{:>14}\n", "quantity", "wanted", "stiffness", "measured");
    for (const StiffnessChoice& c : answer.choices) {
        text += fmt::format("  {:<16}{:>12.4g}{:>14}{:>14}{}\n", c.quantity, c.wanted,
                            c.stiffness > 0.0 ? fmt::format("{:.6g}", c.stiffness) : "–",
                            c.measured ? fmt::format("{:.6g}", *c.measured) : "–",
                            c.note.empty() ? "" : "   " + c.note);
    }
    if (!answer.asked()) return text + "nothing in the motion asks for a stiffness\n";
    const bool all = std::ranges::all_of(answer.choices, [](const StiffnessChoice& c) {
        return c.measured.has_value() || !(c.stiffness > 0.0);
    });
    std::string_view serves = all ? "serves all" : "serves what could be measured";
    if (!answer.reached()) serves = "does not serve all";
    text += fmt::format("stiffness {:.6g} {}: contact frequency {:.4g}, a fixed step would "
                        "be {:.3g}; {}\n",
                        answer.stiffness, serves, answer.frequency, answer.contact_step,
                        answer.steps > 0 ? fmt::format("the run took {} steps", answer.steps)
                                         : "no run was made with it");
    return text;
}

} // namespace liaison::analysis
