// SPDX-License-Identifier: Apache-2.0
// The usual steps and events of a motion that were computed in a lane, beside other motions.
#include "liaison/motion/simulation.hpp"

#include <algorithm>

namespace liaison::motion {

bool Simulation::plain() {
    if (!piece_is_new_) return plain_;
    piece_is_new_ = false;
    if (owners_.empty()) {
        for (const auto& transition : flow_.transitions)
            owners_.push_back(dynamic_cast<const flow::LaneOwner*>(transition.get()));
    }
    required_.assign(flow_.guards.size(), 0);
    plain_ = !options_.on_piece && nobody_settles();
    for (const flow::Armed& a : armed_) {
        const flow::Guard& guard = flow_.guards[a.guard];
        if (!fresh_ || a.crossed || !watch_.watched()[a.guard]) continue;
        if (guard.direction == flow::Direction::both) plain_ = false;
        required_[a.guard] = guard.direction == flow::Direction::down ? 1 : -1;
    }
    return plain_;
}

bool Simulation::fires_rightly(std::size_t k, int from) const {
    const flow::Guard& guard = flow_.guards[k];
    const bool directed = guard.direction == flow::Direction::both ||
                          (guard.direction == flow::Direction::down) == (from > 0);
    return directed && !(lingers_ && required_[k] != 0);
}

void Simulation::sample(double tau, bool whole) {
    build_piece(tau);
    sample_until(tau, &piece_, whole);
}

void Simulation::pass(double h, const double* state, const double* low, std::size_t stride,
                      std::span<const int> sides) {
    const bool last = h >= left();
    for (std::size_t i = 0; i < now_.state.size(); ++i) {
        now_.state[i] = state[i * stride];
        carry_[i] = low[i * stride];
    }
    note_step(h);
    if (last)
        clock_.set(until_);
    else
        clock_.advance(h);
    read_clock();
    watch_.advance(sides);
    if (armed_.empty()) return;
    // Every guard that was at zero has left it for the side it came from.
    armed_.clear();
    fresh_ = lingers_ = false;
    std::fill(required_.begin(), required_.end(), 0);
}

void Simulation::reach(double tau, double correction, const double* state, std::size_t stride,
                       const flow::Firing& firing) {
    for (std::size_t i = 0; i < now_.state.size(); ++i) now_.state[i] = state[i * stride];
    std::fill(carry_.begin(), carry_.end(), 0.0);
    note_step(tau);
    clock_.advance(tau, correction);
    read_clock();
    fired_.assign(1, firing);
    seen_ = true; // small ones are not judged here
}

void Simulation::transit_usually(const flow::UsualReset* reset, const double* numbers,
                                 std::size_t stride, const Witness& witness) {
    flow::UsualReset::Result result;
    if (reset != nullptr && nobody_listens(flow_.guards[fired_.front().guard].owner))
        result = reset->apply(fired_.front(), numbers, stride, now_);
    if (!result.usual) {
        transit();
        return;
    }
    ++result_.statistics.events;
    if (witness) witness(result.kind, now_);
    armed_.assign(1, result.armed);
    after_transit();
}

bool Simulation::nobody_settles() const {
    return std::all_of(owners_.begin(), owners_.end(), [&](const flow::LaneOwner* owner) {
        return owner != nullptr && !owner->settles(now_);
    });
}

// Other than the owner itself.
bool Simulation::nobody_listens(std::size_t owner) const {
    for (std::size_t other = 0; other < owners_.size(); ++other) {
        if (other == owner) continue;
        if (owners_[other] == nullptr || owners_[other]->listens(now_)) return false;
    }
    return true;
}

} // namespace liaison::motion
