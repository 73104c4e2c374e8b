// SPDX-License-Identifier: Apache-2.0
// Room for outcomes of events, used again from event to event: a motion with many short pieces would spend a good part of
// its time in the allocator.
#pragma once

#include "liaison/flow/transition.hpp"

#include <vector>

namespace liaison::flow {

// Nothing in it, with the room of outcomes that were given back on this thread.
[[nodiscard]] Outcome outcome_with_room();
[[nodiscard]] std::vector<double> state_copy(const std::vector<double>& state);

// What is left of an outcome once its events have been told, and the states of those that were not kept.
void give_back(Outcome&& outcome);

} // namespace liaison::flow
