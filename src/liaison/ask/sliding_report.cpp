// SPDX-License-Identifier: Apache-2.0
// Words for the conditions of agreement.
#include "liaison/ask/sliding_report.hpp"

#include "liaison/expr/print.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::ask {
namespace {

using analysis::SlidingAgreement;
using laws::Certainty;

const char* word(Certainty certainty) {
    switch (certainty) {
    case Certainty::exact: return "exact";
    case Certainty::doubtful: return "doubtful";
    case Certainty::undecided: return "undecided";
    }
    return "";
}

nlohmann::json to_json(const laws::Condition& c, const std::vector<std::string>& velocities) {
    nlohmann::json result = {{"condition", c.name}, {"says", c.says},
                             {"holds", c.holds},    {"certainty", word(c.certainty)},
                             {"pair", nullptr},     {"left", nullptr},
                             {"right", nullptr}};
    if (c.pair) {
        result["pair"] = {velocities[c.pair->first], velocities[c.pair->second]};
        result["left"] = expr::print(c.left);
        result["right"] = expr::print(c.right);
    }
    return result;
}

} // namespace

nlohmann::json to_json(const SlidingAgreement& agreement) {
    nlohmann::json relays = nlohmann::json::object();
    for (const auto& one : agreement.relays) {
        nlohmann::json conditions = nlohmann::json::array();
        for (const auto& c : one.agreement.conditions)
            conditions.push_back(to_json(c, agreement.velocities));
        relays[one.relay] = {{"linear", one.agreement.linear},
                             {"class", one.agreement.class_name()},
                             {"explanation", one.agreement.explanation()},
                             {"certainty", word(one.agreement.certainty)},
                             {"stick_rule", one.holding},
                             {"conditions", conditions}};
    }
    nlohmann::json result = {{"relays", relays}, {"together", nullptr}};
    if (agreement.together && agreement.together->applies) {
        const auto& t = *agreement.together;
        result["together"] = {{"agrees", t.agrees},
                              {"certainty", word(t.certainty)},
                              {"rank_surfaces", t.rank_l},
                              {"rank_forces", t.rank_b},
                              {"rank_together", t.rank_together}};
    }
    return result;
}

std::string to_text(const SlidingAgreement& agreement, bool conditions) {
    std::string text;
    for (const auto& one : agreement.relays) {
        const auto& a = one.agreement;
        text += fmt::format(
            "relay {}: {}{}\n", one.relay, a.class_name(),
            a.certainty == Certainty::exact ? "" : fmt::format(" ({})", word(a.certainty)));
        if (one.holding)
            text += "   has a level of its own at rest, which is no Filippov system: sticks while "
                    "the force needed stays below `static` (the stick rule), slides by the level "
                    "in motion otherwise\n";
        if (!conditions) continue;
        text += fmt::format("   {}\n", a.explanation());
        for (const auto& c : a.conditions) {
            text +=
                fmt::format("   {:<13}{:<44}{}\n", c.name, c.says, c.holds ? "holds" : "violated");
            if (c.pair)
                text += fmt::format("{:16}{}, {}: {} against {}\n", "",
                                    agreement.velocities[c.pair->first],
                                    agreement.velocities[c.pair->second], expr::print(c.left),
                                    expr::print(c.right));
        }
    }
    if (agreement.together && agreement.together->applies && conditions) {
        const auto& t = *agreement.together;
        text += fmt::format("all surfaces together: forces {} the covectors of the surfaces; "
                            "Lagrange {} while all slide\n",
                            t.agrees ? "span the same space as" : "do not span the same space as",
                            t.agrees ? "agrees" : "differs");
    }
    return text;
}

} // namespace liaison::ask
