// SPDX-License-Identifier: Apache-2.0
// Estimates of the limits, and what takes the place of the bounces left out.
#include "liaison/realise/contact_accumulation.hpp"

#include "liaison/realise/accumulation_limit.hpp"
#include "liaison/realise/resting_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

namespace {

// Those of a set that impulses of contact k move, directly or through others of them; ascending.
std::vector<Index> coupled_with(const SparseRows& D, const std::vector<Index>& set, Index k) {
    constexpr double k_rounding = 1e-14;
    std::vector<Index> island{k};
    for (std::size_t next = 0; next < island.size(); ++next) {
        const Index from = island[next];
        for (const Index i : set) {
            const double scale = std::sqrt(D(i, i) * D(from, from));
            if (std::abs(D(i, from)) > k_rounding * scale &&
                std::ranges::find(island, i) == island.end())
                island.push_back(i);
        }
    }
    std::ranges::sort(island);
    return island;
}

} // namespace

void ContactAccumulation::complete(Instant& now, const SparseContactNumbers& before,
                                   const std::vector<Index>& at_zero, VectorXd& rate, double still,
                                   const std::vector<char>& was_closed, Outcome& outcome,
                                   Stages* stages) const {
    std::vector<Index> closed; // with those completed here
    bool known = false;
    for (const Index k : at_zero) {
        if (was_closed[static_cast<std::size_t>(k)] != 0 || !(rate(k) > still)) continue;
        const double since = now.time.rounded() - slots_.last_time(now, k);
        slots_.last_time(now, k) = now.time.rounded();
        // Bounces that are far too high to be left out need no estimate.
        if (before.restitution(k) == 1.0 ||
            slots_.bounces_high(now, rate(k), before.b(k), before.restitution(k)))
            continue;
        const double e = slots_.problem().sparse_at(now).restitution(k);
        if (!(e > 0.0) || !(e < 1.0)) continue;
        const auto numbers = [this](const Instant& at) { return slots_.problem().at(at); };
        if (!known) closed = slots_.closed_set(now);
        known = true;
        const auto limit = accumulation_limit(slots_.problem(), numbers, now, slots_.positions(), k,
                                              rate(k), e, since, closed, slots_.gap_rounding(now));
        if (!limit) {
            slots_.last_limit(now, k) = 0.0;
            continue;
        }
        const double t_limit = now.time.rounded() + limit->remaining;
        const double change = std::abs(t_limit - slots_.last_limit(now, k));
        slots_.last_limit(now, k) = t_limit;
        // The bounces that are left out must be invisible at the tolerance, in time and in height.
        const bool settled = change <= now.tolerance * std::max(1.0, std::abs(t_limit));
        if (!settled || limit->height > slots_.gap_tolerance(now) || limit->cut_short) continue;

        flow::Event a = slots_.event(flow::EventKind::accumulation, k, now, change);
        a.time = now.time + limit->remaining;
        a.closes = true;
        a.state_minus = now.state;
        if (stages != nullptr) {
            ImpulseStage stop{{{k, ImpulseStage::Rule::stop}}};
            for (const Index c : closed) stop.members.push_back({c, ImpulseStage::Rule::hold});
            stages->list.push_back(std::move(stop));
        }
        const double energy = slots_.problem().energy(now);
        for (std::size_t i = 0; i < limit->velocity.size(); ++i)
            now.state[slots_.positions() + i] = limit->velocity[i];
        a.state_plus = limit->state;
        a.energy = slots_.problem().energy(now) - energy;
        flow::Event attach = slots_.event(flow::EventKind::attach, k, now, change);
        attach.time = a.time;
        attach.closes = true;
        attach.state_minus = attach.state_plus = limit->state;
        outcome.events.push_back(std::move(a));
        outcome.events.push_back(std::move(attach));
        rate(k) = 0.0;
        closed.push_back(k);
        // Contacts that leave are moved by the same impulse.
        const SparseContactNumbers after = slots_.problem().sparse_at(now);
        for (const Index i : at_zero)
            if (rate(i) > still) rate(i) = after.rate(i);
    }
}

void ContactAccumulation::complete_together(Instant& now, Index k, std::vector<Index>& at_zero,
                                            VectorXd& rate, Outcome& outcome,
                                            Stages* stages) const {
    const CommonChatter chatter(slots_.chatter(now, k), now.time.rounded());
    chatter.remember(slots_.chatter(now, k));
    bool ordered = chatter.may_end(now.tolerance);
    const double rounding = slots_.gap_rounding(now);
    // The height of a flight is a quarter of its length times the rate it ends with.
    if (!ordered && chatter.since * std::abs(rate(k)) > 4.0 * rounding) return;
    const SparseContactNumbers numbers = slots_.problem().sparse_at(now);
    const double low = slots_.gap_tolerance(now);
    const auto listed = slots_.marks(at_zero);
    // Closed, touching, or struck in turn with this one.
    std::vector<Index> set;
    std::vector<Index> near; // others, which may be met before the end
    for (Index i = 0; i < slots_.count(); ++i) {
        const bool in_turn = chatter.in_turn(slots_.chatter(now, i));
        if (ContactSlots::in(listed, i) || (numbers.gap(i) <= low && in_turn))
            set.push_back(i);
        else if (numbers.gap(i) <= low)
            near.push_back(i);
    }
    set = coupled_with(numbers.D, set, k);
    double least = 1.0; // of the coefficients: one that takes energy is enough
    for (const Index i : set) {
        least = std::min(least, numbers.restitution(i));
        if (!ContactSlots::in(listed, i)) rate(i) = numbers.rate(i);
        // The limit is that of all of them where all strike in turn; of one that bounces while another is in flight it is its own.
        if (i != k && slots_.closed(now, i) == 0.0)
            ordered = ordered && chatter.in_turn(slots_.chatter(now, i));
    }
    if (!(least < 1.0)) return;
    // Each may have been completed on its own.
    if (set.size() < 2 || !(rate(set).cwiseAbs().maxCoeff() > slots_.rate_tolerance(now))) return;
    const auto load = resting_reactions(numbers.D, set, numbers.b(set));
    if (!load.solved) return;
    // All of them are pressed: the energy λ·g + ½ ġ·D⁻¹ ġ holds the gaps near zero and only falls, so that they come to rest
    // together, in whatever order they strike. Where no order is seen, they are followed into the rounding of
    // their gaps, from which lower bounces take their height and never end.
    double left = 0.0; // time to the end, at most
    for (std::size_t j = 0; j < set.size(); ++j) {
        const Index i = set[j];
        const double pressing = numbers.D(i, i) * load.force(static_cast<Index>(j));
        const double rising = rate(i) * rate(i) / pressing;
        const double gap = ContactSlots::in(listed, i) ? 0.0 : std::max(0.0, numbers.gap(i));
        const double twice_height = rising + 2.0 * gap;
        if (!(pressing > 0.0) || rising > 2.0 * low) return;
        const double flight = 2.0 * std::sqrt(twice_height / pressing);
        if (!ordered && twice_height > rounding) return;
        const double e = numbers.restitution(i);
        left += flight / (1.0 - (e < 1.0 ? e : least));
    }
    for (const Index i : near)
        if (numbers.gap(i) + numbers.rate(i) * (ordered ? chatter.remaining : left) <= 0.0) return;
    const double accuracy = ordered ? chatter.change : left;
    // Without an order, the end that the slowest of them was seen to tend to.
    double remaining = ordered ? chatter.remaining : 0.0;
    for (const Index i : set) {
        const double end = slots_.chatter(now, i).limit - chatter.time;
        if (!ordered && end <= left) remaining = std::max(remaining, end);
    }
    const VectorXd stop = -held_by(numbers.D, set, rate(set));
    const VectorXd jump = numbers.response.combined(set, stop, numbers.v_dot.size());
    flow::Event a = slots_.event(flow::EventKind::accumulation, k, now, accuracy);
    a.time = now.time + remaining;
    a.closes = true;
    a.case_name = "several contacts together";
    a.rule = ordered ? "common limit" : "plastic projection";
    a.state_minus = now.state;
    const double energy = slots_.problem().energy(now);
    for (Index i = 0; i < jump.size(); ++i)
        now.state[slots_.positions() + static_cast<std::size_t>(i)] += jump(i);
    a.energy = slots_.problem().energy(now) - energy;
    const auto dense = [this](const Instant& at) { return slots_.problem().at(at); };
    // Those of other bodies stay closed meanwhile.
    std::vector<Index> kept = set;
    for (const Index i : slots_.closed_set(now))
        if (std::ranges::find(set, i) == set.end()) kept.push_back(i);
    a.state_plus = carried_on(slots_.problem(), dense, now, slots_.positions(), kept, remaining);
    const auto end = a.time;
    const std::vector<double> at_end = a.state_plus;
    outcome.events.push_back(std::move(a));
    for (const Index i : set) {
        rate(i) = 0.0;
        if (slots_.closed(now, i) != 0.0) continue;
        flow::Event attach = slots_.event(flow::EventKind::attach, i, now, accuracy);
        attach.time = end;
        attach.closes = true;
        attach.state_minus = attach.state_plus = at_end;
        outcome.events.push_back(std::move(attach));
    }
    for (const Index i : set)
        if (!ContactSlots::in(listed, i)) at_zero.push_back(i);
    std::ranges::sort(at_zero);
    if (stages != nullptr) stages->known = false;
}

} // namespace liaison::realise
