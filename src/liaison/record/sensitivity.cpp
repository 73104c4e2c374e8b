// SPDX-License-Identifier: Apache-2.0
// Sensitivities in results.
#include "liaison/record/sensitivity.hpp"

#include "liaison/flow/probe.hpp"
#include "liaison/flow/saltation.hpp"
#include "liaison/flow/variational.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::record {
namespace {

using Json = nlohmann::ordered_json;
using flow::OutputGroup;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// By what the tangent vectors are derivatives, in their order.
std::vector<std::string> directions(const flow::Flow& flow) {
    std::vector<std::string> names;
    for (const flow::Output& o : flow.outputs) {
        if (o.group == OutputGroup::sensitivity &&
            std::find(names.begin(), names.end(), o.part) == names.end())
            names.push_back(o.part);
    }
    return names;
}

} // namespace

bool variation_lost(const flow::Flow& flow, const std::vector<double>& mode) {
    for (std::size_t i = flow.modes.size(); i-- > 0;) {
        if (flow.modes[i].name == flow::k_lost_slot) return i < mode.size() && mode[i] != 0.0;
    }
    return false;
}

void find_sensitivities(const flow::Flow& flow, Run& run) {
    std::vector<expr::Expr> values;
    for (const flow::Output& o : flow.outputs) {
        if (o.group == OutputGroup::sensitivity) values.push_back(o.value);
    }
    const motion::Trajectory& t = run.trajectory;
    if (values.empty() || t.state.size() != flow.states.size()) return;
    flow::Instant now;
    now.state = t.state;
    now.mode = t.mode;
    now.field_time = t.time.rounded();
    now.parameters = flow.parameter_values;
    const auto at_end = flow::Probe(flow, values)(now);
    const bool lost = variation_lost(flow, t.mode);
    std::size_t k = 0;
    for (const flow::Output& o : flow.outputs) {
        if (o.group != OutputGroup::sensitivity) continue;
        run.sensitivity.push_back(
            {o.name, o.part, lost ? std::numeric_limits<double>::quiet_NaN() : at_end[k]});
        ++k;
    }
    for (const flow::Event& e : t.events) {
        if (e.saltation && !e.saltation->obstacle.empty()) {
            run.warnings.push_back(fmt::format("sensitivities end at t = {:.9g}, {} {}: {}",
                                               e.time.rounded(), flow::name(e.kind), e.where,
                                               e.saltation->obstacle));
            return;
        }
        if (e.kind == flow::EventKind::graze) {
            run.warnings.push_back(
                fmt::format("at t = {:.9g} the motion grazes {}: the sensitivities after it hold "
                            "for neighbours that do not touch it",
                            e.time.rounded(), e.where));
        }
    }
    if (lost) run.warnings.emplace_back("the start has no derivative: no sensitivities");
}

Json sensitivities_to_json(const std::vector<Sensitivity>& all) {
    Json result = Json::object();
    for (const Sensitivity& s : all) result[s.by][s.of] = finite_or_null(s.value);
    return result;
}

Json saltation_to_json(const flow::Flow& flow, const flow::Event& e) {
    const flow::Saltation& s = *e.saltation;
    Json result = {{"matrix", nullptr},
                   {"guard_speed", finite_or_null(s.speed)},
                   {"error", finite_or_null(s.error)},
                   {"obstacle", s.obstacle.empty() ? Json(nullptr) : Json(s.obstacle)},
                   {"shift", Json::object()}};
    if (s.obstacle.empty()) {
        const auto n = static_cast<Eigen::Index>(flow.n_controlled);
        result["matrix"] = Json::array();
        for (Eigen::Index i = 0; i < n; ++i) {
            Json row = Json::array();
            for (Eigen::Index j = 0; j < n; ++j) row.push_back(finite_or_null(s.matrix(i, j)));
            result["matrix"].push_back(std::move(row));
        }
        const auto names = directions(flow);
        for (std::size_t j = 0; j < names.size() && static_cast<Eigen::Index>(j) < s.shifts.size();
             ++j)
            result["shift"][names[j]] = finite_or_null(s.shifts(static_cast<Eigen::Index>(j)));
    }
    return result;
}

std::string sensitivities_to_text(const std::vector<Sensitivity>& all) {
    std::string text;
    std::string by;
    for (const Sensitivity& s : all) {
        if (s.by != by) {
            by = s.by;
            text += fmt::format("{}at the end, by {}:", text.empty() ? "" : "\n", by);
        } else {
            text += ",";
        }
        text += std::isfinite(s.value) ? fmt::format(" {} {:.9g}", s.of, s.value)
                                       : fmt::format(" {} —", s.of);
    }
    return text.empty() ? text : text + "\n";
}

} // namespace liaison::record
