// SPDX-License-Identifier: Apache-2.0
// Reports of branches.
#include "liaison/analysis/branch_report.hpp"

#include "liaison/analysis/orbit_report.hpp"
#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json point_json(const BranchPoint& point, const flow::Flow& flow) {
    const Json orbit = to_json(point.orbit, flow);
    Json result = {{"parameter", point.parameter}};
    for (const char* key :
         {"state", "time", "period", "drift", "residual", "multipliers", "no_multipliers",
          "trivial", "stable", "admissible", "violation", "signature", "events"}) {
        if (orbit.contains(key)) result[key] = orbit[key];
    }
    return result;
}

double largest_multiplier(const Orbit& orbit) {
    if (!orbit.no_multipliers.empty()) return std::numeric_limits<double>::quiet_NaN();
    double largest = 0.0;
    for (const auto& m : orbit.multipliers) largest = std::max(largest, std::abs(m));
    return largest;
}

const char* word(const Orbit& orbit) {
    if (!orbit.admissible) return "no motion";
    return orbit.stable ? "stable" : "unstable";
}

std::string spoken(std::string kind) {
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
}

record::Panel panel(const Branch& branch, const std::string& x_label, const std::string& y_label,
                    const std::function<double(const BranchPoint&)>& value) {
    record::Panel result;
    result.x_label = x_label;
    result.y_label = y_label;
    result.height = 260.0;
    constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();
    for (const char* kind : {"stable", "unstable", "no motion"}) {
        record::Line line;
        line.label = kind;
        line.dashed = line.label == "unstable";
        line.dots = line.label == "no motion";
        bool drawn = false;
        for (std::size_t i = 0; i < branch.points.size(); ++i) {
            const BranchPoint& p = branch.points[i];
            const bool here = word(p.orbit) == line.label;
            // A stretch reaches to the point where it changes.
            const bool joins = i > 0 && word(branch.points[i - 1].orbit) == line.label;
            if (here || (joins && !line.dots)) {
                line.x.push_back(p.parameter);
                line.y.push_back(value(p));
                drawn = drawn || here;
            } else {
                line.x.push_back(k_gap);
                line.y.push_back(k_gap);
            }
        }
        if (drawn) result.lines.push_back(std::move(line));
    }
    for (const SpecialPoint& s : branch.special) {
        if (s.kind == "end") continue;
        const std::string label = spoken(s.kind);
        auto at = std::find_if(result.lines.begin(), result.lines.end(),
                               [&](const record::Line& line) { return line.label == label; });
        if (at == result.lines.end()) {
            record::Line line;
            line.label = label;
            line.dots = true;
            at = result.lines.insert(result.lines.end(), std::move(line));
        }
        at->x.push_back(s.point.parameter);
        at->y.push_back(value(s.point));
    }
    return result;
}

} // namespace

Json to_json(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    Json result = {{"liaison", base::k_version},
                   {"model", flow.model},
                   {"over", flow.parameter_names[parameter]},
                   {"found", !branch.points.empty()},
                   {"reason", branch.reason.empty() ? Json(nullptr) : Json(branch.reason)},
                   {"closed", branch.closed},
                   {"points", Json::array()},
                   {"special", Json::array()},
                   {"notes", branch.notes}};
    for (const BranchPoint& p : branch.points) result["points"].push_back(point_json(p, flow));
    for (const SpecialPoint& s : branch.special) {
        Json special = point_json(s.point, flow);
        special["kind"] = s.kind;
        special["what"] = s.what;
        result["special"].push_back(std::move(special));
    }
    return result;
}

std::string to_text(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    std::string text = fmt::format("{}   {}\n", flow.model, flow.realisation);
    if (branch.points.empty())
        return text + fmt::format("no branch: {}\n      try --settle T to start from where the "
                                  "motion goes, --period N, or another [start]\n",
                                  branch.reason);
    const Orbit& first = branch.points.front().orbit;
    text += fmt::format("following {}: {} orbits, {} event{} in a period{}\n",
                        flow.parameter_names[parameter], branch.points.size(),
                        first.signature.size(), first.signature.size() == 1 ? "" : "s",
                        branch.closed ? ", the branch closes" : "");
    for (const SpecialPoint& s : branch.special) {
        text += fmt::format("  {:>16.12g}  {:<18} {}", s.point.parameter, spoken(s.kind), s.what);
        if (s.kind == "end") text += fmt::format(", {}", word(s.point.orbit));
        text += "\n";
    }
    return text;
}

std::string to_csv(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    std::string text = fmt::format("# liaison {}, {}\n{},period", base::k_version, flow.model,
                                   flow.parameter_names[parameter]);
    for (std::size_t i = 0; i < flow.n_controlled; ++i) text += "," + flow.state_names[i];
    text += ",largest_multiplier,stable,admissible,special\n";
    const auto row = [&](const BranchPoint& p, std::string_view special) {
        text += fmt::format("{:.17g},{:.17g}", p.parameter, p.orbit.period);
        for (const double x : p.orbit.state) text += fmt::format(",{:.17g}", x);
        const double largest = largest_multiplier(p.orbit);
        text += std::isfinite(largest) ? fmt::format(",{:.17g}", largest) : std::string(",");
        text += fmt::format(",{:d},{:d},{}\n", p.orbit.stable, p.orbit.admissible, special);
    };
    for (const BranchPoint& p : branch.points) row(p, "");
    for (const SpecialPoint& s : branch.special) row(s.point, s.kind);
    return text;
}

record::Figure figure(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    record::Figure result;
    const std::string& name = flow.parameter_names[parameter];
    result.title = flow.model;
    result.caption =
        fmt::format("liaison {} · {} · orbits over {}", base::k_version, flow.realisation, name);
    constexpr std::size_t k_panels = 2;
    for (std::size_t i = 0; i < std::min(flow.n_positions, k_panels); ++i) {
        const std::string section = branch.points.empty() || !branch.points.front().orbit.forced
                                        ? flow.state_names[i] + " after the first event"
                                        : fmt::format("{} at t = {:.4g}", flow.state_names[i],
                                                      branch.points.front().orbit.time);
        result.panels.push_back(panel(branch, name, section, [i](const BranchPoint& p) {
            return i < p.section.size() ? p.section[i] : std::numeric_limits<double>::quiet_NaN();
        }));
    }
    if (!branch.points.empty() && !branch.points.front().orbit.forced)
        result.panels.push_back(
            panel(branch, name, "period", [](const BranchPoint& p) { return p.orbit.period; }));
    result.panels.push_back(panel(branch, name, "largest |µ|", [](const BranchPoint& p) {
        return largest_multiplier(p.orbit);
    }));
    return result;
}

} // namespace liaison::analysis
