// SPDX-License-Identifier: Apache-2.0
// Contacts beside relays: modes that both accept.
//
// What a contact does depends on the forces of the relays, and what a relay does on its surface on the contacts. All
// possibilities of the relays on their surfaces are looked at: each side, sliding with a value that follows, and, where contacts
// hold the surface, a value that goes on as it is. For each the contacts decide; it is a motion where the relays accept what
// the contacts decided, and the contacts the values that the relays then have.
#include "liaison/flow/decisions.hpp"
#include "liaison/realise/friction_transition.hpp"

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

namespace {

constexpr std::size_t k_most_together = 3; // relays whose possibilities are looked at, 4³ or 7³

bool tells_force(const GuardRole& f) {
    return f.role == Role::normal || f.role == Role::idle || f.role == Role::bound_plus ||
           f.role == Role::bound_minus;
}

} // namespace

void FrictionTransition::measure_beside(const Instant& now, Moment& m) const {
    if (m.following.empty()) {
        measure(now, m);
        return;
    }
    m.numbers = numbers_at(now, m);
    m.measured.clear();
}

ContactNumbers FrictionTransition::numbers_at(const Instant& now, const Moment& m) const {
    if (m.following.empty()) return events_.problem->at(now);
    Instant free = now;
    modes_.open_all(free);
    return events_.relays->eliminate(*events_.problem, std::move(free), m.following);
}

std::vector<FrictionTransition::RelayOption>
FrictionTransition::relay_options(const Instant& now, const Moment& m, std::size_t relay) const {
    const RelayRule& rule = events_.relays->rule();
    const int side = rule.side(now, relay);
    const bool follows = side == 0 && rule.follows(now, relay);
    double value = 0.0;
    if (side == 0) {
        value = rule.values(now)(static_cast<Index>(relay));
        value = std::isfinite(value) ? std::clamp(value, -1.0, 1.0) : 0.0;
    }
    const RelayOption follow{0, 0.0, true};
    const RelayOption held{0, value, false};
    std::vector<RelayOption> list = follows ? std::vector{follow, held} : std::vector{held, follow};
    // A force of a contact came to its limit, and what relay and contact hold may be shared anew: the relay all it can, or its limit.
    if (std::ranges::any_of(m.fired, tells_force)) {
        list.push_back({0, 0.0, true, true});
        for (const double limit : {1.0, -1.0}) {
            if (side != 0 || follows || value != limit) list.push_back({0, limit, false, true});
        }
        if (!follows) std::ranges::rotate(list.begin() + 1, list.begin() + 2, list.end());
    }
    for (const int s : side > 0 ? std::array{-1, 1} : std::array{1, -1})
        list.push_back({s, static_cast<double>(s), false});
    return list;
}

bool FrictionTransition::choose_beside_relays(Instant& now, Moment& m, Outcome& outcome) const {
    if (!events_.relays || m.at_zero.empty()) return choose_modes(now, m, outcome);
    const RelaysBeside& relays = *events_.relays;
    const RelayRule& rule = relays.rule();
    const Instant before = now;
    const auto zero = relays.zero(now, m.relays);
    relays.take_sides(now, zero);
    if (!m.relays_before) m.relays_before = before;
    if (zero.empty() || zero.size() > k_most_together) return choose_modes(now, m, outcome);
    std::vector<std::vector<RelayOption>> options;
    std::size_t combinations = 1;
    for (const std::size_t b : zero) {
        options.push_back(relay_options(now, m, b));
        combinations *= options.back().size();
    }
    const auto assign = [&](std::size_t c, Instant& there, Moment& mine) {
        mine.following.clear();
        for (std::size_t j = zero.size(); j-- > 0;) {
            const RelayOption& o = options[j][c % options[j].size()];
            c /= options[j].size();
            rule.set(there, zero[j], o.side, o.value, o.follows);
            if (o.follows) mine.following.push_back(zero[j]);
            if (o.anew) std::erase_if(mine.fired, tells_force);
        }
        std::ranges::sort(mine.following);
    };
    const auto accepted = [&](const Instant& there, bool lasts) -> std::optional<RelayChoice> {
        for (const RelayChoice& choice : rule.decide(there, zero).choices) {
            bool same = true;
            for (const std::size_t b : zero) same = same && choice.side[b] == rule.side(there, b);
            if (!same) continue;
            Instant after = there;
            rule.apply(after, choice);
            // A given value is for surfaces that contacts hold.
            const bool given = std::ranges::all_of(zero, [&](std::size_t b) {
                return rule.side(there, b) != 0 || rule.follows(there, b) == rule.follows(after, b);
            });
            if (!given) continue;
            if (lasts ? agrees(after) : agrees_here(after)) return choice;
        }
        return std::nullopt;
    };
    // Those that last come first; where something else happens at once, those that agree now.
    for (std::size_t i = 0; i < 2 * combinations; ++i) {
        const std::size_t c = i % combinations;
        const bool lasts = i < combinations;
        Instant there = now;
        Moment mine = m;
        Outcome told = outcome;
        assign(c, there, mine);
        {
            const flow::Listening nobody(nullptr);
            if (!choose_modes(there, mine, told)) continue;
            if (there.state == now.state && !accepted(there, lasts)) continue;
        }
        there = now;
        mine = m;
        told = outcome;
        assign(c, there, mine);
        if (!choose_modes(there, mine, told)) continue;
        const bool struck = there.state != now.state;
        if (const auto choice = accepted(there, lasts)) rule.apply(there, *choice);
        now = std::move(there);
        m = std::move(mine);
        outcome = std::move(told);
        m.following.clear();
        measure(now, m);
        // A tangential impact moved the state, perhaps off the surfaces: what follows is decided there.
        if (struck && m.strikes++ < 3) return choose_beside_relays(now, m, outcome);
        return true;
    }
    now = before;
    return choose_modes(now, m, outcome);
}

// The relays decide themselves, with the contacts as they are now, and tell what changed. A value that contacts hold from now on goes on
// as it is.
void FrictionTransition::give_relays_back(Instant& now, const Moment& m) const {
    if (!m.relays_before) return;
    const RelayRule& rule = events_.relays->rule();
    for (std::size_t b = 0; b < rule.size(); ++b) {
        const bool held = rule.side(now, b) == 0 && !rule.follows(now, b);
        if (!held || rule.side(*m.relays_before, b) != 0) rule.copy_mode(*m.relays_before, now, b);
    }
}

// A force that is at its limit, or a slip that only starts, tells a short time later whether the modes last.
bool FrictionTransition::agrees(const Instant& now) const {
    if (!events_.relays) return true;
    if (!agrees_here(now)) return false;
    constexpr double k_short = 1e-5;
    Instant later = now;
    const auto field = field_(now);
    for (std::size_t i = 0; i < later.state.size(); ++i) later.state[i] += k_short * field[i];
    later.time = now.time + k_short;
    later.field_time += k_short;
    return agrees_here(later);
}

bool FrictionTransition::agrees_here(const Instant& now) const {
    Moment m(count());
    m.numbers = events_.problem->at(now);
    const ContactNumbers& n = m.numbers;
    const auto field = field_(now);
    if (!n.regular || n.W.cols() != n.v_dot.size()) return true;
    VectorXd v_dot(n.v_dot.size());
    for (Index i = 0; i < v_dot.size(); ++i) v_dot(i) = field[n_positions_ + index(i)];
    if (!v_dot.allFinite()) return false;
    const VectorXd pushed = n.W * (v_dot - n.v_dot);
    const VectorXd a = n.b + pushed;
    const VectorXd w = velocities(n);
    const double still = 1e-8 * (n.b.cwiseAbs().maxCoeff() + pushed.cwiseAbs().maxCoeff());
    for (Index k = 0; k < count(); ++k) {
        const Touch touch = modes_.touch(now, k);
        if (touch == Touch::open) {
            const bool rests = std::abs(n.gap(k)) <= gap_tolerance(now) &&
                               std::abs(n.rate(k)) <= rate_tolerance(now);
            if (rests && a(k) < -still) return false;
            continue;
        }
        m.at_zero.push_back(k);
        if (std::abs(a(k)) > still) return false;
        if (slip_count(k) == 0 || slip_speed(w, k) > rest_tolerance(now)) continue;
        const Index row = events_.problem->slip_row(k);
        if (sticks(touch)) {
            if (a.segment(row, slip_count(k)).cwiseAbs().maxCoeff() > still) return false;
        } else if (slip_count(k) == 1) {
            if ((touch == Touch::slip_plus ? a(row) : -a(row)) < -still) return false;
        }
    }
    return admissible(now, m, m.at_zero);
}

Outcome FrictionTransition::decide_again(Instant& now, std::span<const std::size_t> zero) const {
    Moment m(count());
    const ContactNumbers numbers = events_.problem->at(now);
    for (Index k = 0; k < count(); ++k) {
        const bool rests = std::abs(numbers.gap(k)) <= gap_tolerance(now) &&
                           std::abs(numbers.rate(k)) <= rate_tolerance(now);
        m.hit[index(k)] = !modes_.closed(now, k) && rests ? 1 : 0;
    }
    m.relays.assign(zero.begin(), zero.end());
    return resolve(now, m);
}

} // namespace liaison::realise
