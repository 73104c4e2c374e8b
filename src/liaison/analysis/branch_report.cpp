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
    for (const char* key : {"state", "time", "period", "drift", "residual", "multipliers",
                            "half_multipliers", "no_multipliers", "trivial", "stable", "admissible",
                            "violation", "signature", "events"}) {
        if (orbit.contains(key)) result[key] = orbit[key];
    }
    return result;
}

// Of those that do not belong to the motion itself.
double largest_multiplier(const Orbit& orbit) {
    if (!orbit.no_multipliers.empty()) return std::numeric_limits<double>::quiet_NaN();
    auto mu = orbit.multipliers;
    std::sort(mu.begin(), mu.end(),
              [](auto a, auto b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    double largest = 0.0;
    for (std::size_t i = orbit.trivial; i < mu.size(); ++i)
        largest = std::max(largest, std::abs(mu[i]));
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

// The branch and those that leave it, in the order in which they were followed.
void collect(const Branch& branch, std::vector<const Branch*>& all) {
    all.push_back(&branch);
    for (const Branch& b : branch.switched) collect(b, all);
}

// What is drawn of an orbit: the copy-th of its values, not a number where it has no more.
using Value = std::function<double(const BranchPoint&, std::size_t copy)>;

constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();

// At the section, at its first return, …
Value section_state(std::size_t i) {
    return [i](const BranchPoint& p, std::size_t copy) {
        if (copy > p.returns.size()) return k_gap;
        const std::vector<double>& x = copy == 0 ? p.section : p.returns[copy - 1];
        return i < x.size() ? x[i] : k_gap;
    };
}

Value only(const std::function<double(const BranchPoint&)>& value) {
    return [value](const BranchPoint& p, std::size_t copy) { return copy == 0 ? value(p) : k_gap; };
}

// Orbits that begin on a surface x = 0, or are held where they drift, have nothing to show there but rounding.
bool varies(const Branch& root, std::size_t i) {
    std::vector<const Branch*> all;
    collect(root, all);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Branch* branch : all) {
        for (const BranchPoint& p : branch->points) {
            if (i >= p.section.size()) continue;
            low = std::min(low, p.section[i]);
            high = std::max(high, p.section[i]);
        }
    }
    constexpr double k_rounding = 1e-9;
    return high - low > k_rounding * std::max({1.0, std::abs(low), std::abs(high)});
}

record::Panel panel(const Branch& root, const std::string& x_label, const std::string& y_label,
                    const Value& value) {
    std::vector<const Branch*> all;
    collect(root, all);
    record::Panel result;
    result.x_label = x_label;
    result.y_label = y_label;
    result.height = 260.0;
    for (const char* kind : {"stable", "unstable", "no motion"}) {
        record::Line line;
        line.label = kind;
        line.dashed = line.label == "unstable";
        line.dots = line.label == "no motion";
        bool drawn = false;
        for (const Branch* branch : all) {
            const auto& points = branch->points;
            const std::size_t copies = points.empty() ? 0 : points.front().returns.size() + 1;
            for (std::size_t copy = 0; copy < copies; ++copy) {
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const bool here = word(points[i].orbit) == line.label;
                    // A stretch reaches to the point where it changes.
                    const bool joins = i > 0 && word(points[i - 1].orbit) == line.label;
                    const bool shown = here || (joins && !line.dots);
                    line.x.push_back(shown ? points[i].parameter : k_gap);
                    line.y.push_back(shown ? value(points[i], copy) : k_gap);
                    drawn = drawn || here;
                }
                line.x.push_back(k_gap);
                line.y.push_back(k_gap);
            }
        }
        if (drawn) result.lines.push_back(std::move(line));
    }
    std::vector<SpecialPoint> special;
    for (const Branch* branch : all)
        special.insert(special.end(), branch->special.begin(), branch->special.end());
    for (const SpecialPoint& s : special) {
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
        for (std::size_t copy = 0; copy <= s.point.returns.size(); ++copy) {
            at->x.push_back(s.point.parameter);
            at->y.push_back(value(s.point, copy));
        }
    }
    return result;
}

} // namespace

namespace {

void put_points(const Branch& branch, const flow::Flow& flow, Json& result) {
    result["points"] = Json::array();
    result["special"] = Json::array();
    result["notes"] = branch.notes;
    for (const BranchPoint& p : branch.points) result["points"].push_back(point_json(p, flow));
    for (const SpecialPoint& s : branch.special) {
        Json special = point_json(s.point, flow);
        special["kind"] = s.kind;
        special["what"] = s.what;
        result["special"].push_back(std::move(special));
    }
    if (branch.switched.empty()) return;
    result["branches"] = Json::array();
    for (const Branch& other : branch.switched) {
        Json json = {{"from", other.from},
                     {"reason", other.reason.empty() ? Json(nullptr) : Json(other.reason)},
                     {"closed", other.closed}};
        put_points(other, flow, json);
        result["branches"].push_back(std::move(json));
    }
}

std::string told(const Branch& branch, const std::string& name, int depth) {
    std::string text;
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    for (const SpecialPoint& s : branch.special) {
        text += fmt::format("{}  {:>16.12g}  {:<18} {}", indent, s.point.parameter, spoken(s.kind),
                            s.what);
        if (s.kind == "end") text += fmt::format(", {}", word(s.point.orbit));
        text += "\n";
    }
    for (const Branch& other : branch.switched) {
        text += fmt::format("{}from the {} at {} = {:.9g}: ", indent,
                            spoken(branch.special[other.from].kind), name,
                            branch.special[other.from].point.parameter);
        if (other.points.empty()) {
            text += fmt::format("no branch, {}\n", other.reason.empty()
                                                       ? "the first step away from it fails"
                                                       : other.reason);
            continue;
        }
        const Orbit& first = other.points.front().orbit;
        text += fmt::format("{} orbits of period {:.9g}, {} event{} in it\n", other.points.size(),
                            first.period, first.signature.size(),
                            first.signature.size() == 1 ? "" : "s");
        text += told(other, name, depth + 1);
    }
    return text;
}

} // namespace

Json to_json(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    Json result = {{"liaison", base::k_version},
                   {"model", flow.model},
                   {"over", flow.parameter_names[parameter]},
                   {"found", !branch.points.empty()},
                   {"reason", branch.reason.empty() ? Json(nullptr) : Json(branch.reason)},
                   {"closed", branch.closed}};
    put_points(branch, flow, result);
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
    return text + told(branch, flow.parameter_names[parameter], 0);
}

std::string to_csv(const Branch& root, const flow::Flow& flow, std::size_t parameter) {
    std::string text = fmt::format("# liaison {}, {}\n{},period", base::k_version, flow.model,
                                   flow.parameter_names[parameter]);
    for (std::size_t i = 0; i < flow.n_controlled; ++i) text += "," + flow.state_names[i];
    text += ",largest_multiplier,stable,admissible,special,branch\n";
    std::vector<const Branch*> all;
    collect(root, all);
    for (std::size_t b = 0; b < all.size(); ++b) {
        const auto row = [&](const BranchPoint& p, std::string_view special) {
            text += fmt::format("{:.17g},{:.17g}", p.parameter, p.orbit.period);
            for (const double x : p.orbit.state) text += fmt::format(",{:.17g}", x);
            const double largest = largest_multiplier(p.orbit);
            text += std::isfinite(largest) ? fmt::format(",{:.17g}", largest) : std::string(",");
            text +=
                fmt::format(",{:d},{:d},{},{}\n", p.orbit.stable, p.orbit.admissible, special, b);
        };
        for (const BranchPoint& p : all[b]->points) row(p, "");
        for (const SpecialPoint& s : all[b]->special) row(s.point, s.kind);
    }
    return text;
}

record::Figure figure(const Branch& branch, const flow::Flow& flow, std::size_t parameter) {
    record::Figure result;
    const std::string& name = flow.parameter_names[parameter];
    result.title = flow.model;
    result.caption =
        fmt::format("liaison {} · {} · orbits over {}", base::k_version, flow.realisation, name);
    constexpr std::size_t k_panels = 2;
    for (std::size_t i = 0; i < flow.n_positions && result.panels.size() < k_panels; ++i) {
        if (!varies(branch, i)) continue;
        const std::string section = branch.points.empty() || !branch.points.front().orbit.forced
                                        ? flow.state_names[i] + " after the first event"
                                        : fmt::format("{} at t = {:.4g}", flow.state_names[i],
                                                      branch.points.front().orbit.time);
        result.panels.push_back(panel(branch, name, section, section_state(i)));
    }
    if (!branch.points.empty() && !branch.points.front().orbit.forced)
        result.panels.push_back(panel(branch, name, "period",
                                      only([](const BranchPoint& p) { return p.orbit.period; })));
    // Without bound near a grazing: larger ones would hide all others.
    constexpr double k_largest = 10.0;
    result.panels.push_back(
        panel(branch, name, "largest |µ|, up to 10", only([](const BranchPoint& p) {
                  const double largest = largest_multiplier(p.orbit);
                  return largest > k_largest ? k_gap : largest;
              })));
    return result;
}

} // namespace liaison::analysis
