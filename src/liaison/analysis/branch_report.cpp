// SPDX-License-Identifier: Apache-2.0
// Reports of branches.
#include "liaison/analysis/branch_report.hpp"

#include "liaison/analysis/branch_words.hpp"
#include "liaison/analysis/orbit_report.hpp"
#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

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

void put_points(const Branch& branch, const flow::Flow& flow, Json& result) {
    result["points"] = Json::array();
    result["special"] = Json::array();
    result["notes"] = branch.notes;
    for (const BranchPoint& p : branch.points) result["points"].push_back(point_json(p, flow));
    for (const SpecialPoint& s : branch.special) {
        Json special = point_json(s.point, flow);
        special["kind"] = s.kind;
        special["what"] = s.what;
        special["motion"] = s.beyond == 0  ? Json(nullptr)
                            : s.beyond > 0 ? Json("below")
                                           : Json("above");
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
        if (s.kind == "end" && s.point.orbit.no_multipliers.empty())
            text += fmt::format(", {}", word(s.point.orbit));
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

std::string to_csv(const Branch& root, const flow::Flow& flow, std::size_t parameter,
                   const CurvesOver& over) {
    std::string text = fmt::format("# liaison {}, {}\n{}", base::k_version, flow.model,
                                   flow.parameter_names[parameter]);
    const bool curves = over.curves != nullptr;
    if (curves) text += "," + flow.parameter_names[over.second];
    text += ",period";
    for (std::size_t i = 0; i < flow.n_controlled; ++i) text += "," + flow.state_names[i];
    text += ",largest_multiplier,stable,admissible,special,branch";
    text += curves ? ",curve\n" : "\n";
    const auto number = [](double x) {
        return std::isfinite(x) ? fmt::format(",{:.17g}", x) : std::string(",");
    };
    const std::vector<const Branch*> all = with_switched(root);
    for (std::size_t b = 0; b < all.size(); ++b) {
        const auto row = [&](const BranchPoint& p, std::string_view special) {
            text += fmt::format("{:.17g}", p.parameter);
            if (curves) text += number(flow.parameter_values[over.second]);
            text += number(p.orbit.period);
            for (const double x : p.orbit.state) text += number(x);
            text += number(largest_multiplier(p.orbit));
            text += fmt::format(",{:d},{:d},{},{}{}\n", p.orbit.stable, p.orbit.admissible, special,
                                b, curves ? "," : "");
        };
        for (const BranchPoint& p : all[b]->points) row(p, "");
        for (const SpecialPoint& s : all[b]->special) row(s.point, s.kind);
    }
    for (std::size_t c = 0; curves && c < over.curves->size(); ++c) {
        const SpecialCurve& curve = (*over.curves)[c];
        for (const SpecialCurvePoint& p : curve.points) {
            Orbit orbit;
            orbit.forced = !root.points.empty() && root.points.front().orbit.forced;
            orbit.multipliers = p.multipliers;
            orbit.trivial = root.points.empty() ? 0 : root.points.front().orbit.trivial;
            text += fmt::format("{:.17g},{:.17g}{}", p.first, p.second, number(p.period));
            text += std::string(flow.n_controlled, ',');
            text += p.multipliers.empty() ? std::string(",") : number(largest_multiplier(orbit));
            text += fmt::format(",,{},{},,{}\n", p.admissible ? (*p.admissible ? "1" : "0") : "",
                                curve.kind, c);
        }
    }
    return text;
}

} // namespace liaison::analysis
