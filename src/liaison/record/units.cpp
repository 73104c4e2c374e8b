// SPDX-License-Identifier: Apache-2.0
// Outputs are matched to the model by group and name.
#include "liaison/record/units.hpp"

#include "liaison/model/unit_check.hpp"

#include <string_view>

namespace liaison::record {
namespace {

// The unit of the entry with this name; names of velocities may carry a prime, contacts a side.
template <class Entries>
std::string unit_of(const Entries& entries, const std::vector<std::string>& units,
                    std::string_view name) {
    for (std::size_t i = 0; i < entries.size() && i < units.size(); ++i) {
        std::string_view known = entries[i].name;
        if (known.ends_with('\'')) known.remove_suffix(1);
        const bool with_side = name.starts_with(known) && (name.substr(known.size()) == " lower" ||
                                                           name.substr(known.size()) == " upper");
        if (known == name || with_side) return units[i];
    }
    return {};
}

} // namespace

void assign_units(const model::Model& m, const flow::Flow& flow, Run& run) {
    using flow::OutputGroup;
    const model::Units u = model::found_units(m);
    run.time_unit = u.time;
    run.units.clear();
    for (const flow::Output& o : flow.outputs) {
        std::string unit;
        switch (o.group) {
        case OutputGroup::q: unit = unit_of(m.coordinates, u.coordinates, o.name); break;
        // In a first-order system these are rates of states, whose units are not always velocities.
        case OutputGroup::v: unit = unit_of(m.velocities, u.velocities, o.name); break;
        case OutputGroup::a: unit = unit_of(m.velocities, u.accelerations, o.name); break;
        case OutputGroup::reaction:
            unit = unit_of(m.constraints, u.constraint_reactions, o.name);
            if (unit.empty()) unit = unit_of(m.contacts, u.contact_reactions, o.name);
            break;
        case OutputGroup::gap: unit = unit_of(m.contacts, u.gaps, o.name); break;
        case OutputGroup::observe: unit = unit_of(m.observes, u.observes, o.name); break;
        case OutputGroup::integral: unit = unit_of(m.integrals, u.integrals, o.name); break;
        case OutputGroup::energy: unit = u.energy; break;
        case OutputGroup::sensitivity:
        case OutputGroup::relay:
        case OutputGroup::violation: break;
        }
        run.units.push_back(std::move(unit));
    }
    run.samples.set_units(run.units);
    run.trace.set_units(run.units);
}

} // namespace liaison::record
