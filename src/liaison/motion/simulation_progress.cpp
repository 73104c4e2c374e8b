// SPDX-License-Identifier: Apache-2.0
// Whether a motion gets on: what its transitions gain, and guards that have not been left since they fired.
#include "liaison/motion/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

constexpr std::size_t k_max_chain = 1000; // transitions that gain no time

} // namespace

// Whether some guard that fires left zero on the way there by more than the tolerance shows.
bool Simulation::was_away(const Watch& seen) {
    bool away = false;
    for (const flow::Firing& f : seen.fired) {
        const auto c = stepper_.guard(f.guard);
        double excursion = 0.0;
        for (std::size_t k = c.size(); k-- > 0;) excursion = excursion * seen.tau + std::abs(c[k]);
        progress_.see(f.guard, excursion);
        away = away || progress_.visible(f.guard, excursion, options_.tolerance);
    }
    return away;
}

// Guards that were passed and fire again before they could be told from zero have fired: the motion goes on from there. True
// if no other guard fires.
bool Simulation::never_left(double tau) {
    std::vector<flow::Armed> passed;
    std::erase_if(fired_, [&](const flow::Firing& f) {
        const auto at = std::ranges::find(armed_, f.guard, &flow::Armed::guard);
        if (at == armed_.end() || !at->crossed) return false;
        const auto c = stepper_.guard(f.guard);
        double excursion = 0.0;
        const auto zeros = static_cast<std::size_t>(at->multiplicity);
        for (std::size_t k = c.size(); k-- > zeros;) excursion = excursion * tau + std::abs(c[k]);
        excursion *= std::pow(tau, at->multiplicity);
        if (excursion > stepper_.guard_remainder(f.guard, tau)) return false;
        passed.push_back({f.guard, 1, true});
        return true;
    });
    if (passed.empty()) return false;
    if (!fired_.empty()) return false;
    armed_ = std::move(passed);
    fired_.push_back({armed_.front().guard, false, 0.0, 0.0});
    after_transit();
    return true;
}

// Steps are counted against the time they gain.
bool Simulation::keeps_pace() {
    // A caller may want far fewer steps than a run may have: that is no pace.
    constexpr std::uint64_t k_run = 2'000'000'000;
    const std::uint64_t most = std::max(options_.max_steps, k_run);
    if (progress_.gets_on(result_.statistics.steps, now_.time, left(), most)) return true;
    if (const auto crowd = accumulation_.crowd(std::numeric_limits<double>::infinity())) {
        stop_in_crowd(*crowd);
        return false;
    }
    const std::string round = cycle_.last_round(flow_);
    stop(described(fmt::format("the motion hardly advances: at the pace of the last steps the end "
                               "would take more than {} of them; at t = {:.17g}{}{}",
                               most, now_.time.rounded(),
                               round.empty() ? "" : ", the last events: ", round)));
    return false;
}

void Simulation::stop_in_crowd(std::size_t events) {
    stop(described(fmt::format(
        "events come ever faster: {} of them with ever shorter intervals, the last {:.3g} "
        "apart, and no limit that could be completed (a body between elastic walls that "
        "close is struck without end before they meet); the last at guard {}, t = {:.15g}",
        events, accumulation_.last_interval(), flow_.guards[fired_.front().guard].name,
        now_.time.rounded())));
}

// Transitions are counted against the time they gain; where they gain none the motion stops with their round.
bool Simulation::gains_time() {
    const double least =
        std::numeric_limits<double>::epsilon() *
        std::max(std::abs(now_.time.rounded()), until_.rounded() - flow_.start_time);
    const bool again = now_.time == chain_time_;
    chain_time_ = now_.time;
    progress_.transition(now_.time, least, seen_);
    if (progress_.new_instant() && progress_.unseen_count() == 0) {
        cycle_.forget();
        return true;
    }
    const auto round = cycle_.note(flow_, now_, fired_, armed_);
    if (again && round) {
        stop(described(
            fmt::format("the modes come back to themselves without end at t = {:.17g}: {}",
                        now_.time.rounded(), *round)));
        return false;
    }
    if (progress_.at_once() > k_max_chain) {
        stop(described(
            fmt::format("more than {} transitions at t = {:.17g}, where time does not go on: {}",
                        k_max_chain, now_.time.rounded(), cycle_.last_round(flow_))));
        return false;
    }
    if (progress_.unseen()) {
        stop(described(fmt::format(
            "the motion does not get on: {} events in turn since t = {:.15g}, up to t = {:.15g}, "
            "are too small to be seen at the tolerance, and do not end: {}",
            progress_.unseen_count(), progress_.unseen_since(), now_.time.rounded(),
            cycle_.last_round(flow_))));
        return false;
    }
    return true;
}

} // namespace liaison::motion
