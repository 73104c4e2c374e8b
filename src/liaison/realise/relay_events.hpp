// SPDX-License-Identifier: Apache-2.0
// Relays by events: crossing, sliding on surfaces and their intersections, exit, accumulation of crossings.
#pragma once

#include "liaison/realise/relay_field.hpp"

namespace liaison::realise {

// Adds guards and the transition; the flow's states, rates and mode slots must be complete. Relay k has the guards
//   S while above, −S while below, limit − w and limit + w while sliding.
void install(const RelayField& field, flow::Flow& flow);

} // namespace liaison::realise
