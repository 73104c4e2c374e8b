// SPDX-License-Identifier: Apache-2.0
// Reports of curves of special points.
#include "liaison/analysis/special_curve_report.hpp"

#include "liaison/analysis/branch_report.hpp"
#include "liaison/analysis/branch_words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

} // namespace

Json to_json(const std::vector<SpecialCurve>& curves) {
    Json all = Json::array();
    for (const SpecialCurve& curve : curves) {
        Json points = Json::array();
        for (const SpecialCurvePoint& p : curve.points) {
            Json mu = Json::array();
            for (const auto& m : p.multipliers)
                mu.push_back({{"re", number(m.real())}, {"im", number(m.imag())}});
            points.push_back({{"parameter", p.first},
                              {"and", p.second},
                              {"period", p.period},
                              {"multipliers", std::move(mu)},
                              {"admissible", p.admissible ? Json(*p.admissible) : Json(nullptr)}});
        }
        all.push_back({{"kind", curve.kind},
                       {"from", curve.from},
                       {"reason", curve.reason.empty() ? Json(nullptr) : Json(curve.reason)},
                       {"notes", curve.notes},
                       {"points", std::move(points)}});
    }
    return all;
}

std::string to_text(const std::vector<SpecialCurve>& curves, const flow::Flow& flow,
                    std::size_t first, std::size_t second) {
    const std::string& a = flow.parameter_names[first];
    const std::string& b = flow.parameter_names[second];
    std::string text = fmt::format("special points over {} and {}\n", a, b);
    if (curves.empty()) text += "  none: the branch has no special points\n";
    for (const SpecialCurve& curve : curves) {
        if (curve.points.empty()) {
            text += fmt::format("  {:<18} not followed: {}\n", spoken(curve.kind), curve.reason);
            continue;
        }
        const SpecialCurvePoint& p = curve.points.front();
        const SpecialCurvePoint& q = curve.points.back();
        text += fmt::format("  {:<18} {} points, from {} = {:.9g}, {} = {:.9g} to {:.9g}, {:.9g}\n",
                            spoken(curve.kind), curve.points.size(), a, p.first, b, p.second,
                            q.first, q.second);
        for (const std::string& note : curve.notes) text += fmt::format("    {}\n", note);
    }
    return text;
}

record::Panel panel(const std::vector<SpecialCurve>& curves, const flow::Flow& flow,
                    std::size_t first, std::size_t second) {
    record::Panel result;
    result.x_label = flow.parameter_names[first];
    result.y_label = flow.parameter_names[second];
    result.height = 320.0;
    constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();
    const auto line_named = [&](const std::string& label, const std::string& kind,
                                bool dots) -> record::Line& {
        const auto at = std::find_if(result.lines.begin(), result.lines.end(),
                                     [&](const record::Line& l) { return l.label == label; });
        if (at != result.lines.end()) return *at;
        record::Line line;
        line.label = label;
        line.dots = dots;
        line.colour = sign_of(kind).colour;
        line.marker.radius = 1.4;
        line.dashed = sign_of(kind).marker.hollow; // kinds of one colour
        return *result.lines.insert(result.lines.end(), std::move(line));
    };
    for (const SpecialCurve& curve : curves) {
        for (const bool motion : {true, false}) {
            const bool any = std::any_of(curve.points.begin(), curve.points.end(), [&](auto& p) {
                return p.admissible.value_or(true) == motion;
            });
            if (!any) continue;
            record::Line& line =
                line_named(spoken(curve.kind) + (motion ? "" : ", no motion"), curve.kind, !motion);
            for (const SpecialCurvePoint& p : curve.points) {
                const bool shown = p.admissible.value_or(true) == motion;
                line.x.push_back(shown ? p.first : k_gap);
                line.y.push_back(shown ? p.second : k_gap);
            }
            line.x.push_back(k_gap);
            line.y.push_back(k_gap);
        }
    }
    return result;
}

} // namespace liaison::analysis
