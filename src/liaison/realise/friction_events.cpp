// SPDX-License-Identifier: Apache-2.0
// Puts the guards of frictional contacts and their transition into a flow.
#include "liaison/realise/friction_events.hpp"

#include "liaison/realise/friction_transition.hpp"

namespace liaison::realise {

void install(FrictionEvents events, flow::Flow& flow) {
    FrictionModes modes(events.problem->sides(), flow);
    if (events.relays) {
        events.relays->measure_by([modes](flow::Instant& now) { return modes.open_all(now); });
    }
    FrictionGuards guards = add_guards(events, modes, flow);
    flow.transitions.push_back(std::make_shared<FrictionTransition>(
        std::move(events), std::move(modes), std::move(guards), flow));
}

} // namespace liaison::realise
