// SPDX-License-Identifier: Apache-2.0
// The JSON contract of a run: stable names, null for what does not exist.
#include "liaison/realise/carried_contact.hpp"
#include "liaison/realise/friction_modes.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/run.hpp"
#include "liaison/record/sensitivity.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison::record {
namespace {

using Json = nlohmann::ordered_json;
using flow::OutputGroup;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
Json words(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// Some contact with friction has a force that another could carry as well.
bool friction_is_shared(const flow::Flow& flow, std::span<const double> mode) {
    for (std::size_t i = 0; i < flow.modes.size() && i < mode.size(); ++i) {
        const bool contact = std::ranges::any_of(flow.modes[i].words, [](const auto& w) {
            return w.value == realise::k_held_by_others;
        });
        const auto is = [&](std::string_view slot, double value) {
            return mode[i] == value && flow.modes[i].name.starts_with(slot);
        };
        const bool ruled =
            is(realise::k_follows, 1.0) || is(realise::k_answers, realise::k_dispensable);
        if (ruled || (contact && realise::shares_load(mode[i]))) return true;
    }
    return false;
}

Json modes(const flow::Flow& flow, std::span<const double> mode) {
    Json result = Json::object();
    for (std::size_t i = 0; i < flow.modes.size(); ++i) {
        if (!flow.modes[i].words.empty())
            result[flow.modes[i].name] = mode_word(flow.modes[i], mode[i]);
    }
    return result;
}

// Reactions: a number for a bilateral constraint or frictionless contact, an object with parts otherwise.
void put_reaction(Json& reactions, const flow::Output& output, double value) {
    if (output.part.empty()) {
        reactions[output.name] = number(value);
    } else if (output.part == "tangential") {
        reactions[output.name]["tangential"].push_back(number(value));
    } else {
        reactions[output.name][output.part] = number(value);
    }
}

// A two-sided contact has outputs and modes for either side, "play lower" and "play upper".
constexpr std::string_view k_lower = " lower";
constexpr std::string_view k_upper = " upper";

double normal_of(const Json& reactions, const std::string& side) {
    const auto found = reactions.find(side);
    if (found == reactions.end()) return 0.0;
    const Json& normal = found->is_object() ? found->at("normal") : *found;
    return normal.is_number() ? normal.get<double>() : 0.0;
}

// Which side is closed; both where springs press from both. A realisation with one mode for both sides (Routh's) shows it
// by the force.
Json closed_side(const Json& sample, const std::string& contact) {
    const Json& modes = sample.at("mode");
    const auto closed = [&](std::string_view suffix) {
        const std::string side = contact + std::string(suffix);
        const auto found = modes.find(side);
        return found != modes.end() ? *found != "open"
                                    : normal_of(sample.at("reactions"), side) != 0.0;
    };
    const bool lower = closed(k_lower);
    if (lower && closed(k_upper)) return "both";
    return lower ? Json("lower") : closed(k_upper) ? Json("upper") : Json(nullptr);
}

// The reaction of a two-sided contact: that of its closed side, or the difference where both press.
Json reaction_of(const Json& reactions, const std::string& contact, const Json& side) {
    const Json& lower = reactions.at(contact + std::string(k_lower));
    const Json& upper = reactions.at(contact + std::string(k_upper));
    const Json& one = side == "upper" ? upper : lower;
    Json result = one.is_object() ? one : Json{{"normal", one}};
    if (side == "both")
        result["normal"] = normal_of(reactions, contact + std::string(k_lower)) -
                           normal_of(reactions, contact + std::string(k_upper));
    result["side"] = side;
    return result;
}

// Everything about a two-sided contact under its own name, with the side that is closed.
void join_sides(Json& sample) {
    Json reactions = Json::object();
    Json modes = Json::object();
    Json sides = Json::object();
    const auto contact_of = [](const std::string& name) -> std::optional<std::string> {
        if (!name.ends_with(k_lower) && !name.ends_with(k_upper)) return std::nullopt;
        return name.substr(0, name.size() - k_lower.size());
    };
    for (const auto& [name, word] : sample["mode"].items()) {
        const auto contact = contact_of(name);
        if (!contact) {
            modes[name] = word;
        } else if (!modes.contains(*contact)) {
            const Json side = closed_side(sample, *contact);
            sides[*contact] = side;
            const std::string_view told = side == "upper" ? k_upper : k_lower;
            modes[*contact] = sample["mode"].at(*contact + std::string(told));
        }
    }
    for (const auto& [name, reaction] : sample["reactions"].items()) {
        const auto contact = contact_of(name);
        if (!contact) {
            reactions[name] = reaction;
        } else if (!reactions.contains(*contact)) {
            if (!sides.contains(*contact)) sides[*contact] = closed_side(sample, *contact);
            reactions[*contact] = reaction_of(sample["reactions"], *contact, sides[*contact]);
        }
    }
    sample["reactions"] = std::move(reactions);
    sample["mode"] = std::move(modes);
    if (!sides.empty()) sample["side"] = std::move(sides);
}

// Theory of friction §5.1: what the signs of A₁ and B₁' say about a contact that slips.
Json slip_case(const Json& reaction, const Json& mode) {
    if (mode == "open" || reaction["A1"].is_null() || reaction["B1"].is_null()) return nullptr;
    if (mode != "slip") return "regular";
    const bool lifts = reaction["A1"] > 0.0;
    if (reaction["B1"] > 0.0) return lifts ? "separation" : "regular";
    return lifts ? "indeterminate" : "inconsistent";
}

// Appends a name that the object does not have: operator[] would compare it with all others, and a thousand bodies have
// thousands of names at every event.
void append(Json& object, const std::string& name, Json value) {
    object.get_ref<Json::object_t&>().emplace_back(name, std::move(value));
}

Json sample(const flow::Flow& flow, const Block::Row& s) {
    Json result = {{"t", number(s.time)},         {"q", Json::object()},
                   {"v", Json::object()},         {"a", Json::object()},
                   {"reactions", Json::object()}, {"relays", Json::object()},
                   {"observe", Json::object()}};
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
        const flow::Output& output = flow.outputs[i];
        switch (output.group) {
        case OutputGroup::q: append(result["q"], output.name, number(s.values[i])); break;
        case OutputGroup::v: append(result["v"], output.name, number(s.values[i])); break;
        case OutputGroup::a: append(result["a"], output.name, number(s.values[i])); break;
        case OutputGroup::reaction: put_reaction(result["reactions"], output, s.values[i]); break;
        case OutputGroup::relay: result["relays"][output.name] = number(s.values[i]); break;
        case OutputGroup::observe: result["observe"][output.name] = number(s.values[i]); break;
        case OutputGroup::sensitivity:
            result["sensitivity"][output.part][output.name] = number(s.values[i]);
            break;
        default: break;
        }
    }
    result["mode"] = modes(flow, s.mode);
    for (auto& [name, reaction] : result["reactions"].items()) {
        if (reaction.contains("A1")) reaction["case"] = slip_case(reaction, result["mode"][name]);
    }
    join_sides(result);
    if (!flow.reactions_unique || std::ranges::find(s.mode, realise::k_carried) != s.mode.end() ||
        friction_is_shared(flow, s.mode))
        result["reactions_unique"] = false;
    return result;
}

// A state of an event: positions, then velocities, named and ordered as the outputs of groups q and v.
Json state_part(const flow::Flow& flow, const std::vector<double>& state, bool velocities) {
    Json result = Json::object();
    std::size_t at = velocities ? flow.n_positions : 0;
    const std::size_t end = velocities ? flow.n_controlled : flow.n_positions;
    for (const flow::Output& output : flow.outputs) {
        if (output.group != (velocities ? OutputGroup::v : OutputGroup::q)) continue;
        if (at >= end || at >= state.size()) break;
        append(result, output.name, number(state[at++]));
    }
    return result;
}

Json outputs_of(const flow::Flow& flow, const std::vector<double>& values, OutputGroup group) {
    Json result = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (flow.outputs[i].group == group) append(result, flow.outputs[i].name, number(values[i]));
    }
    return result;
}

// Compression, works and phases of an impact with friction.
void put_course(Json& result, const flow::ImpactCourse& course) {
    result["compression"] = number(course.compression);
    result["work"] = {{"normal", number(course.work_normal)},
                      {"tangential", number(course.work_tangential)}};
    result["phases"] = Json::array();
    for (const auto& p : course.phases) {
        result["phases"].push_back({{"phase", p.sticking ? "stick" : "slip"},
                                    {"impulse", number(p.impulse)},
                                    {"normal_rate", number(p.normal_rate)},
                                    {"slip", p.slip}});
    }
}

Json event(const flow::Flow& flow, const flow::Event& e) {
    Json result = {
        {"time", number(e.time.rounded())},
        {"time_low", number(e.time.low())},
        {"kind", flow::name(e.kind)},
        {"where", e.where},
        {"side", words(e.side)},
        {"impulse", number(e.impulse)},
        {"tangential", e.tangential},
        {"energy", number(e.energy)},
        {"q", state_part(flow, e.state_plus.empty() ? e.state_minus : e.state_plus, false)},
        {"v_minus", state_part(flow, e.state_minus, true)},
        {"v_plus", state_part(flow, e.state_plus, true)},
        {"gap_rate", number(e.gap_rate)},
        {"closes", e.closes},
        {"case", words(e.case_name)},
        {"rule", words(e.rule)},
        {"accuracy", number(e.accuracy)},
        {"compression", nullptr},
        {"work", nullptr},
        {"phases", Json::array()}};
    if (e.energy_relative) result["energy_relative"] = number(*e.energy_relative);
    if (e.stage > 0) result["stage"] = e.stage;
    if (e.saltation) result["saltation"] = saltation_to_json(flow, e);
    if (e.course) put_course(result, *e.course);
    for (const flow::ContactShare& c : e.contacts) {
        result["contacts"][c.where] = {{"impulse", number(c.impulse)},
                                       {"tangential", c.tangential},
                                       {"gap_rate", number(c.gap_rate)},
                                       {"gap_rate_after", number(c.gap_rate_after)},
                                       {"mode", words(c.mode)}};
        if (!c.side.empty()) result["contacts"][c.where]["side"] = c.side;
    }
    return result;
}

Json constraint(const ConstraintReport& c) {
    Json result = {{"max_violation", number(c.max_violation)},
                   {"max_violation_between", number(c.max_violation_between)},
                   {"max_rate_violation", number(c.max_rate_violation)},
                   {"bound", number(c.bound)},
                   {"proven", number(c.proven)},
                   {"certificate", c.certificate},
                   {"p", number(c.p)},
                   {"p_range", nullptr},
                   {"p_range_crude", nullptr},
                   {"step", number(c.step)},
                   {"margin", number(c.margin)},
                   {"monitor", nullptr},
                   {"tube", nullptr}};
    if (c.p_range) result["p_range"] = {number(c.p_range->first), number(c.p_range->second)};
    if (c.p_range_crude)
        result["p_range_crude"] = {number(c.p_range_crude->first), number(c.p_range_crude->second)};
    if (c.monitor) {
        result["monitor"] = {{"norm", c.monitor->norm},
                             {"alpha", number(c.monitor->alpha)},
                             {"defect", number(c.monitor->defect)},
                             {"bound", number(c.monitor->bound)}};
    }
    if (c.tube) {
        result["tube"] = {
            {"certified", c.tube->certified},   {"alpha", number(c.tube->alpha)},
            {"defect", number(c.tube->defect)}, {"attainable", number(c.tube->attainable)},
            {"reason", words(c.tube->reason)},  {"region", Json::object()}};
        for (const auto& [name, range] : c.tube->region)
            result["tube"]["region"][name] = {number(range.first), number(range.second)};
    }
    return result;
}

// Residuals that were not looked for are null: nothing rested, nothing was struck, there is no friction.
Json contacts(const ContactReport& c) {
    const auto measured = [](bool looked, double value) {
        return looked ? number(value) : Json(nullptr);
    };
    const bool any = c.decisions + c.impacts > 0;
    Json result = {{"complementarity", measured(c.decisions > 0, c.complementarity)},
                   {"impact_complementarity", measured(c.impacts > 0, c.impact_complementarity)},
                   {"cone", measured(c.friction && any, c.cone)},
                   {"direction", measured(c.friction && c.decisions > 0, c.direction)},
                   {"natural", measured(c.decisions > 0, c.natural)},
                   {"momentum", measured(c.impacts > 0, c.momentum)},
                   {"decisions", c.decisions},
                   {"impacts", c.impacts},
                   {"resolved", Json::object()}};
    for (std::size_t i = 0; i < flow::k_certificates; ++i) {
        const auto kind = static_cast<flow::Certificate>(i);
        if (c.resolved.of(kind) > 0)
            result["resolved"][std::string(flow::name(kind))] = c.resolved.of(kind);
    }
    return result;
}

} // namespace

std::string status_word(motion::Status status) {
    switch (status) {
    case motion::Status::done: return "done";
    case motion::Status::stopped: return "stopped";
    case motion::Status::interrupted: return "interrupted";
    case motion::Status::unbalanced: return "unbalanced";
    }
    return "stopped";
}

std::string mode_word(const flow::ModeSlot& slot, double value) {
    for (const auto& w : slot.words) {
        if (w.value == value) return w.word;
    }
    return std::to_string(value);
}

nlohmann::ordered_json to_json(const Run& run, const flow::Flow& flow) {
    const motion::Trajectory& t = run.trajectory;
    Json result = {{"liaison", run.provenance.version}, {"model", run.model},
                   {"realisation", run.realisation},    {"method", run.provenance.method},
                   {"status", status_word(t.status)},   {"reason", words(t.reason)},
                   {"time", number(t.time.rounded())},  {"time_low", number(t.time.low())}};
    result["state"] = {{"q", outputs_of(flow, run.end, OutputGroup::q)},
                       {"v", outputs_of(flow, run.end, OutputGroup::v)}};
    result["samples"] = Json::array();
    for (const Block::Row s : run.samples) result["samples"].push_back(sample(flow, s));
    result["events"] = Json::array();
    for (const flow::Event& e : t.events) result["events"].push_back(event(flow, e));
    if (run.energy) {
        const EnergyBalance& e = *run.energy;
        result["energy"] = {{"start", number(e.start)},
                            {"end", number(e.end)},
                            {"work", number(e.work)},
                            {"impacts", number(e.impacts)},
                            {"friction", number(e.friction)},
                            {"relays", number(e.relays)},
                            {"unexplained", number(e.unexplained)}};
    } else {
        result["energy"] = nullptr;
    }
    result["constraints"] = Json::object();
    for (const auto& [name, c] : run.constraints) {
        result["constraints"][name] = constraint(c);
    }
    result["rank"] = nullptr;
    if (run.rank)
        result["rank"] = {{"start", run.rank->rank},
                          {"smallest_ratio", number(run.rank->smallest_ratio)},
                          {"at", number(run.rank->at)}};
    result["smallest_gap"] = run.has_gaps ? number(run.smallest_gap) : Json(nullptr);
    // Taylor's method encloses gaps between its points; the others interpolate them there.
    result["gap_search"] = !run.has_gaps                       ? Json(nullptr)
                           : run.provenance.method == "taylor" ? Json("enclosed")
                                                               : Json("interpolated");
    result["contacts"] = run.contacts ? contacts(*run.contacts) : Json(nullptr);
    result["integrals"] = Json::object();
    for (const auto& [name, i] : run.integrals) {
        result["integrals"][name] = {{"start", number(i.start)},
                                     {"end", number(i.end)},
                                     {"max_drift", number(i.max_drift)},
                                     {"max_drift_between", number(i.max_drift_between)}};
    }
    if (!run.sensitivity.empty()) result["sensitivity"] = sensitivities_to_json(run.sensitivity);
    result["statistics"] = {
        {"steps", t.statistics.steps},
        {"evaluations", t.statistics.evaluations},
        {"events", t.statistics.events},
        {"order", t.statistics.order},
        {"step", run.provenance.step > 0.0 ? number(run.provenance.step) : Json(nullptr)},
        {"smallest_step", number(t.statistics.smallest_step)},
        {"compile_ms", number(run.compile_ms)},
        {"simulate_ms", number(run.simulate_ms)}};
    result["warnings"] = run.warnings;
    result["provenance"] = to_json(run.provenance, flow);
    result["continue"] = to_json(standing_at_end(run));
    return result;
}

} // namespace liaison::record
