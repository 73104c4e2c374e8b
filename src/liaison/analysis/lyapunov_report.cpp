// SPDX-License-Identifier: Apache-2.0
// Exponents with their errors, and the check of their sum.
#include "liaison/analysis/lyapunov_report.hpp"

#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace liaison::analysis {

nlohmann::ordered_json to_json(const Lyapunov& result, const flow::Flow& flow) {
    using Json = nlohmann::ordered_json;
    const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
    Json json = {{"liaison", base::k_version},
                 {"model", flow.model},
                 {"done", result.done},
                 {"reason", result.reason.empty() ? Json(nullptr) : Json(result.reason)}};
    if (!result.done) return json;
    json["exponents"] = Json::array();
    json["error"] = Json::array();
    for (const double x : result.exponents) json["exponents"].push_back(number(x));
    for (const double x : result.error) json["error"].push_back(number(x));
    json["time"] = number(result.time);
    json["events"] = result.events;
    json["sum"] = number(result.sum);
    json["sum_rule"] = number(result.expected_sum);
    json["autonomous"] = result.autonomous;
    if (result.interrupted) json["interrupted"] = true;
    return json;
}

std::string to_text(const Lyapunov& result, const flow::Flow& flow) {
    std::string text = fmt::format("{}   {}\n", flow.model, flow.realisation);
    if (!result.done) return text + fmt::format("no exponents: {}\n", result.reason);
    for (std::size_t i = 0; i < result.exponents.size(); ++i) {
        text += std::isfinite(result.exponents[i])
                    ? fmt::format("  {:>13.8f} ± {:.1e}\n", result.exponents[i], result.error[i])
                    : "           -inf   a direction is forgotten at events\n";
    }
    text += fmt::format("over {:.6g} time units with {} events", result.time, result.events);
    if (result.interrupted) text += ", interrupted there";
    if (std::isfinite(result.sum))
        text += fmt::format(" · sum {:.9g}, by divergence and events {:.9g}", result.sum,
                            result.expected_sum);
    if (result.autonomous)
        text +=
            " · without forcing one exponent is 0 where the motion neither comes to rest nor runs "
            "away: its value shows the error";
    return text + "\n";
}

} // namespace liaison::analysis
