// SPDX-License-Identifier: Apache-2.0
// What a model consists of, in one line and as JSON.
#include "liaison/model/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::model {

namespace {

void count(std::vector<std::string>& parts, std::size_t number, std::string_view one,
           std::string_view many) {
    if (number > 0) parts.push_back(fmt::format("{} {}", number, number == 1 ? one : many));
}

std::string_view word(Kind kind) {
    switch (kind) {
    case Kind::energies: return "energies";
    case Kind::first_order: return "first-order system";
    case Kind::kinematic: return "kinematic";
    }
    return "";
}

template <class Items>
nlohmann::json names_of(const Items& items) {
    nlohmann::json names = nlohmann::json::array();
    for (const auto& item : items) names.push_back(item.name);
    return names;
}

std::string_view word(expr::Op op) {
    switch (op) {
    case expr::Op::abs: return "abs";
    case expr::Op::sign: return "sign";
    case expr::Op::min: return "min";
    case expr::Op::max: return "max";
    case expr::Op::floor: return "floor";
    case expr::Op::table: return "table";
    case expr::Op::atan2: return "atan2";
    default: return "if";
    }
}

} // namespace

std::string summary(const Model& model) {
    std::vector<std::string> parts;
    if (!model.name.empty()) parts.push_back(model.name);
    const bool states = model.kind == Kind::first_order;
    count(parts, model.coordinates.size(), states ? "state" : "coordinate",
          states ? "states" : "coordinates");
    if (model.quasi) count(parts, model.velocities.size(), "velocity", "velocities");
    const auto holonomic = static_cast<std::size_t>(
        std::ranges::count_if(model.constraints, [](const Constraint& c) { return c.holonomic; }));
    count(parts, holonomic, "holonomic constraint", "holonomic constraints");
    count(parts, model.constraints.size() - holonomic, "nonholonomic constraint",
          "nonholonomic constraints");
    count(parts, model.contacts.size(), "contact", "contacts");
    count(parts, model.relays.size(), "relay", "relays");
    count(parts, model.switches.size(), "switching surface", "switching surfaces");
    count(parts, model.events.size(), "event", "events");
    return fmt::format("{}", fmt::join(parts, ", "));
}

nlohmann::json summary_json(const Model& model) {
    nlohmann::json constraints = nlohmann::json::object();
    for (const Constraint& c : model.constraints) {
        constraints[c.name] = {{"holonomic", c.holonomic},
                               {"rheonomic", c.rheonomic},
                               {"linear_in_velocity", c.linear_in_velocity}};
    }
    nlohmann::json contacts = nlohmann::json::object();
    for (const Contact& c : model.contacts) {
        contacts[c.name] = {{"two_sided", c.two_sided()},
                            {"rheonomic", c.rheonomic},
                            {"friction", static_cast<bool>(c.friction)},
                            {"slips", c.slip.size()}};
    }
    nlohmann::json switches = nlohmann::json::array();
    for (const Switch& s : model.switches) {
        switches.push_back({{"function", word(s.op)}, {"where", s.where}});
    }
    return {{"name", model.name},
            {"kind", word(model.kind)},
            {"coordinates", names_of(model.coordinates)},
            {"velocities", names_of(model.velocities)},
            {"parameters", names_of(model.parameters)},
            {"constraints", constraints},
            {"contacts", contacts},
            {"relays", names_of(model.relays)},
            {"events", names_of(model.events)},
            {"observe", names_of(model.observes)},
            {"integrals", names_of(model.integrals)},
            {"switches", switches}};
}

} // namespace liaison::model
