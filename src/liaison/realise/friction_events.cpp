// SPDX-License-Identifier: Apache-2.0
// Puts the guards of frictional contacts and their transition into a flow.
#include "liaison/realise/friction_events.hpp"

#include "liaison/flow/start_instant.hpp"
#include "liaison/realise/friction_transition.hpp"

namespace liaison::realise {

void install(FrictionEvents events, flow::Flow& flow) {
    FrictionModes modes(events.problem->sides(), flow);
    if (events.relays) {
        events.relays->measure_by([modes](flow::Instant& now) { return modes.open_all(now); });
    }
    const ContactNumbers start = events.problem->at(flow::start_instant(flow));
    Eigen::VectorXd speeds(start.rate.size() + start.slip.size());
    speeds << start.rate, start.slip;
    const ContactSizes sizes = contact_sizes(flow, start.gap, speeds, start.b, start.D.diagonal());
    FrictionGuards guards = add_guards(events, modes, k_slip_ends * sizes.speed, flow);
    flow.transitions.push_back(std::make_shared<FrictionTransition>(
        std::move(events), std::move(modes), std::move(guards), sizes, flow));
}

} // namespace liaison::realise
