// SPDX-License-Identifier: Apache-2.0
// The guards of relays, and the transition that owns them.
#include "liaison/realise/relay_events.hpp"

#include "liaison/realise/relay_transition.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace liaison::realise {

void install(const RelayField& field, flow::Flow& flow) {
    if (field.empty() || field.smoothed()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    const auto& surfaces = field.surfaces();
    const auto closed = field.close(std::vector<Expr>([&] {
        std::vector<Expr> all;
        for (const RelaySurface& s : surfaces) all.push_back(s.limit);
        return all;
    }()));
    for (std::size_t b = 0; b < surfaces.size(); ++b) {
        const RelaySurface& s = surfaces[b];
        const std::size_t side = flow::slot_of(flow, s.side);
        const std::size_t slides = flow::slot_of(flow, s.slides);
        const auto guard = [&](const std::string& name, Expr value, std::size_t slot, double at) {
            flow.guards.push_back(
                {name, value, flow::Direction::down, owner, {{slot, at}}, false, true});
        };
        guard(s.name, s.surface, side, 1.0);
        guard(s.name, -s.surface, side, -1.0);
        guard(s.name + " value", closed[b] - field.values()[b], slides, 1.0);
        guard(s.name + " value", closed[b] + field.values()[b], slides, 1.0);
    }
    const RelayHistory history(flow, surfaces.size());
    RelayRest rest{std::nullopt, flow.n_positions, flow.n_controlled};
    if (field.moves) rest.slot = flow::slot_of(flow, field.moves);
    std::shared_ptr<const ContactsBeside> contacts;
    for (const auto& transition : flow.transitions) {
        if (auto found = std::dynamic_pointer_cast<const ContactsBeside>(transition))
            contacts = std::move(found);
    }
    RelayRule rule(flow, field);
    if (contacts) rule.measure_by([contacts](flow::Instant& now) { return contacts->open(now); });
    flow.transitions.push_back(std::make_shared<RelayTransition>(
        surfaces, std::move(rule), SurfaceProjection(flow, field), history, rest, first,
        flow.state_names, field.convex_choice(), std::move(contacts)));
}

} // namespace liaison::realise
