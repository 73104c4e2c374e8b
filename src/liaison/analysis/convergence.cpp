// SPDX-License-Identifier: Apache-2.0
// Judgement and presentation of a convergence study.
#include "liaison/analysis/convergence.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

constexpr double k_agreement = 0.05;
constexpr double k_envelope_agreement = 0.08;

// What a factor log(1/parameter) takes from the order that is fitted over these values.
double order_of_logarithm(const Convergence& study) {
    constexpr double k_largest = 0.3; // log(1/parameter) is a logarithm and no zero
    ErrorRow row;
    for (const double p : study.parameter) {
        if (p > k_largest) return 0.0;
        row.parameter.push_back(p);
        row.error.push_back(std::log(1.0 / p));
    }
    return fit_order(row, 0.0, false).order.value_or(0.0);
}

// An error that stays below what the integrator leaves has no order.
bool nothing_but_rounding(const Quantity& quantity, double floor) {
    constexpr auto k_fewest = 3; // points of a slope
    const auto above = std::ranges::count_if(quantity.error, [&](double e) { return e > floor; });
    return above < k_fewest;
}

} // namespace

bool Convergence::agrees() const {
    return failed.empty() && std::ranges::all_of(quantities, [](const Quantity& q) {
               return !q.theorem || q.verdict == OrderVerdict::agrees ||
                      q.verdict == OrderVerdict::better;
           });
}

void judge(Convergence& study, double floor) {
    const double lost = study.logarithm ? order_of_logarithm(study) : 0.0;
    for (Quantity& q : study.quantities) {
        q.fit = fit_order({study.parameter, q.error}, floor, study.envelope);
        if (study.to_zero && q.fit.order) q.fit.order = -*q.fit.order;
        if (study.to_zero) {
            for (double& local : q.fit.local) local = -local;
        }
        q.only_rounding = nothing_but_rounding(q, floor);
        if (q.only_rounding) q.theorem.reset();
        if (!q.theorem) continue;
        const double least = *q.theorem - lost;
        const double nearest = std::clamp(q.fit.order.value_or(*q.theorem), least, *q.theorem);
        q.verdict =
            judge(q.fit, nearest,
                  study.agreement.value_or(study.envelope ? k_envelope_agreement : k_agreement));
    }
}

nlohmann::ordered_json to_json(const Convergence& study) {
    Json result = {{"over", study.over},
                   {"regime", study.regime.empty() ? Json(nullptr) : Json(study.regime)},
                   {"start", study.start.empty() ? Json(nullptr) : Json(study.start)},
                   {"parameter", study.parameter},
                   {"errors", Json::object()},
                   {"orders", Json::object()},
                   {"local_orders", Json::object()},
                   {"theorem", Json::object()},
                   {"verdict", Json::object()},
                   {"envelope", study.envelope},
                   {"agrees", study.agrees()},
                   {"notes", study.notes},
                   {"reason", study.failed.empty() ? Json(nullptr) : Json(study.failed)}};
    for (const Quantity& q : study.quantities) {
        Json errors = Json::array();
        for (const double e : q.error) errors.push_back(number(e));
        result["errors"][q.name] = errors;
        result["orders"][q.name] = number(q.fit.order);
        result["local_orders"][q.name] = q.fit.local;
        result["theorem"][q.name] = number(q.theorem);
        result["verdict"][q.name] = word(q.verdict);
    }
    return result;
}

std::string to_text(const Convergence& study) {
    std::string text = fmt::format("{} from {:.3g} to {:.3g}, {} values   {}\n", study.over,
                                   study.parameter.front(), study.parameter.back(),
                                   study.parameter.size(), study.regime);
    text += fmt::format("  {:<16}{:>12}{:>12}{:>9}{:>10}   {}\n", "quantity", "first error",
                        "last error", "order", "theorem", "verdict");
    for (const Quantity& q : study.quantities) {
        // Not a number: nothing could be compared there.
        const auto told = [](double e) { return std::isnan(e) ? "–" : fmt::format("{:.4g}", e); };
        text += fmt::format("  {:<16}{:>12}{:>12}{:>9}{:>10}   {}\n", q.name, told(q.error.front()),
                            told(q.error.back()),
                            q.fit.order ? fmt::format("{:.3f}", *q.fit.order) : "–",
                            q.theorem ? fmt::format("{:.3g}", *q.theorem) : "–",
                            q.theorem ? std::string(word(q.verdict)) : "");
    }
    for (const std::string& note : study.notes) text += fmt::format("  {}\n", note);
    const bool theorem = std::ranges::any_of(
        study.quantities, [](const Quantity& q) { return q.theorem.has_value(); });
    const bool worse = std::ranges::any_of(study.quantities, [](const Quantity& q) {
        return q.theorem && q.verdict == OrderVerdict::worse;
    });
    if (theorem && study.agrees())
        text += "converges as the theorem says\n";
    else if (theorem)
        text += worse ? "does not converge as the theorem says\n"
                      : "the orders still drift: values nearer to the limit would decide\n";
    return text;
}

record::Figure figure(const Convergence& study) {
    record::Figure picture;
    picture.title = fmt::format("Errors over {}", study.over);
    picture.caption = fmt::format("{}; dashed: the order of the theorem", study.regime);
    record::Panel panel;
    panel.x_label = fmt::format("log10 {}", study.over);
    panel.y_label = "log10 error";
    panel.height = 360.0;
    // Errors of rounding would stretch the axis and flatten the others; where there is nothing else they are drawn.
    const bool something =
        std::ranges::any_of(study.quantities, [](const Quantity& q) { return !q.only_rounding; });
    std::vector<std::string> left_out;
    for (const Quantity& q : study.quantities) {
        if (something && q.only_rounding) {
            left_out.push_back(q.name);
            continue;
        }
        record::Line line;
        line.label = q.fit.order ? fmt::format("{}  order {:.2f}", q.name, *q.fit.order) : q.name;
        line.dots = true;
        for (std::size_t i = 0; i < q.error.size(); ++i) {
            if (!(q.error[i] > 0.0)) continue;
            line.x.push_back(std::log10(study.parameter[i]));
            line.y.push_back(std::log10(q.error[i]));
        }
        if (line.x.empty()) continue;
        if (q.theorem) {
            // The theorem's slope through the first point.
            record::Line slope;
            slope.dashed = true;
            slope.companion = true;
            const double sign = study.to_zero ? 1.0 : -1.0;
            slope.x = {line.x.front(), line.x.back()};
            slope.y = {line.y.front(),
                       line.y.front() + sign * *q.theorem * (line.x.back() - line.x.front())};
            panel.lines.push_back(line);
            panel.lines.push_back(std::move(slope));
        } else {
            panel.lines.push_back(std::move(line));
        }
    }
    if (!left_out.empty())
        picture.caption += fmt::format("; only rounding: {}", fmt::join(left_out, ", "));
    picture.panels.push_back(std::move(panel));
    return picture;
}

} // namespace liaison::analysis
