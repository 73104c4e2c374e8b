// SPDX-License-Identifier: Apache-2.0
// A few vectors per thread that wait for the next event.
#include "liaison/flow/outcome_room.hpp"

#include <array>
#include <utility>

namespace liaison::flow {
namespace {

struct Room {
    static constexpr std::size_t k_most = 8;
    static constexpr std::size_t k_longest = 4096; // longer states are rare, and not kept
    std::array<std::vector<double>, k_most> states;
    std::size_t count = 0;
    std::vector<Event> events;
    std::vector<Armed> armed;

    void keep(std::vector<double>&& state) {
        if (count == k_most || state.capacity() == 0 || state.capacity() > k_longest) return;
        states[count++] = std::move(state);
    }
};

Room& room() {
    thread_local Room here;
    return here;
}

} // namespace

Outcome outcome_with_room() {
    Outcome outcome;
    std::swap(outcome.events, room().events);
    std::swap(outcome.armed, room().armed);
    return outcome;
}

std::vector<double> state_copy(const std::vector<double>& state) {
    Room& here = room();
    if (here.count == 0) return state;
    std::vector<double> copy = std::move(here.states[--here.count]);
    copy.assign(state.begin(), state.end());
    return copy;
}

void give_back(Outcome&& outcome) {
    Room& here = room();
    for (Event& e : outcome.events) {
        here.keep(std::move(e.state_minus));
        here.keep(std::move(e.state_plus));
    }
    outcome.events.clear();
    outcome.armed.clear();
    here.events = std::move(outcome.events);
    here.armed = std::move(outcome.armed);
}

} // namespace liaison::flow
