// SPDX-License-Identifier: Apache-2.0
// Events that follow from a change of modes, and the guards that are zero by construction.
#include "liaison/realise/friction_transition.hpp"

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using flow::Instant;
using flow::Outcome;

// A contact that slips could leave its load to others that stick: the work of its friction is a choice.
void FrictionTransition::name_choice_of_forces(const Instant& now, Moment& m,
                                               Outcome& outcome) const {
    if (!m.case_name.empty()) return;
    const auto slides = std::ranges::find_if(m.at_zero, [&](Index k) {
        return slip_count(k) > 0 && now.mode[modes_.at(k).answers] == k_dispensable;
    });
    if (slides == m.at_zero.end()) return;
    const bool given = std::ranges::any_of(m.at_zero, [&](Index k) {
        const auto& slots = modes_.at(k).given;
        return std::ranges::any_of(slots, [&](std::size_t s) { return now.mode[s] != 0.0; });
    });
    m.case_name = "forces not unique";
    m.rule = given ? "shared" : "least sliding";
    if (m.at_start) tell_at_start(now, m, {*slides}, outcome);
}

void FrictionTransition::report(Instant& now, const Moment& m, Outcome& outcome) const {
    for (const Index k : m.at_zero) {
        const Touch before = m.before[index(k)];
        const Touch after = modes_.touch(now, k);
        for (flow::Event& e : outcome.events) {
            if (e.where != side(k).name || e.side != side(k).side) continue;
            if (e.kind == flow::EventKind::impact || e.kind == flow::EventKind::tangential_impact)
                e.closes = after != Touch::open;
        }
        const auto tell = [&](flow::EventKind kind) {
            flow::Event e = event(kind, k, now, m.accuracy);
            e.closes = kind == flow::EventKind::attach;
            e.case_name = m.case_name;
            e.rule = m.rule;
            outcome.events.push_back(std::move(e));
        };
        const bool struck = m.struck[index(k)] != 0;
        const bool leaves_at_start = m.at_start && !struck && std::abs(m.w(k)) <= m.still;
        if (after == Touch::open) {
            if ((before != Touch::open && !struck) || (before == Touch::open && leaves_at_start))
                tell(flow::EventKind::release);
            continue;
        }
        if (struck || m.at_start) continue;
        if (before == Touch::open)
            tell(flow::EventKind::attach);
        else if (slips(before) && sticks(after))
            tell(flow::EventKind::stick);
        else if (sticks(before) && slips(after))
            tell(flow::EventKind::slip);
        // In space a slip that came to rest and starts again has the same mode and another direction.
        else if (slips(before) && slips(after) &&
                 (before != after || (m.stopped[index(k)] != 0 && slip_count(k) == 2)))
            tell(flow::EventKind::reverse);
        else
            report_waiting(now, m, k, outcome);
    }
    // A choice that changed no mode is told all the same.
    const bool silent = std::ranges::none_of(
        outcome.events, [](const flow::Event& e) { return !e.case_name.empty(); });
    if ((m.case_name != "boundary" && !m.apart) || !silent || m.at_zero.empty()) return;
    flow::Event e = event(flow::EventKind::slip, m.at_zero.front(), now, m.accuracy);
    e.case_name = m.case_name;
    e.rule = m.rule;
    outcome.events.push_back(std::move(e));
}

void FrictionTransition::report_waiting(const Instant& now, const Moment& m, Index k,
                                        Outcome& outcome) const {
    const bool waited = m.waited[index(k)] != 0;
    if (waited == waits(now, k) || !slips(modes_.touch(now, k))) return;
    flow::Event e = event(flow::EventKind::slip, k, now, m.accuracy);
    e.case_name = m.case_name.empty() ? "indeterminate" : m.case_name;
    e.rule = waited ? "even share, presses again" : "even share, carries nothing";
    outcome.events.push_back(std::move(e));
}

void FrictionTransition::arm(Instant& now, const Moment& m, Outcome& outcome) const {
    const auto& values = guard_values(now, m);
    const auto& rates = guard_rates(now, m);
    const double small = small_force(values, m);
    // Of what was decided to start from rest the state may keep an error of its own.
    const auto rests = [&](std::size_t g) {
        const double v = std::min(std::abs(values[g]), slip_speed(m.w, guards_.roles[g].side));
        return v <= rest_tolerance(now);
    };
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        const GuardRole& f = guards_.roles[g];
        if (!watched(now, f)) continue;
        const std::size_t guard = guards_.first + g;
        const bool here = std::find(m.at_zero.begin(), m.at_zero.end(), f.side) != m.at_zero.end();
        switch (f.role) {
        case Role::gap: {
            if (!here) break;
            if (m.w(f.side) > m.still) {
                outcome.armed.push_back({guard, 1, false});
            } else {
                const bool lifts =
                    std::any_of(m.fired.begin(), m.fired.end(), [&](const GuardRole& r) {
                        return r.side == f.side && r.role == Role::normal;
                    });
                outcome.armed.push_back({guard, lifts ? 3 : 2, false});
            }
            break;
        }
        case Role::slip_plus:
        case Role::slip_minus:
            if (slip_count(f.side) == 1 && rests(g)) {
                const bool starts = rates[g] > 1e-9 * m.numbers.b.cwiseAbs().maxCoeff();
                outcome.armed.push_back({guard, starts ? 1 : 2, false});
            }
            break;
        case Role::normal:
        case Role::idle:
        case Role::bound_plus:
        case Role::bound_minus:
            // Given forces lead to the bounds of their cones, and pass them where no sharing is left.
            if (std::abs(values[g]) <= zero_below(f, small) &&
                !(modes_.given(now, f.side) && values[g] > 0.0 && rates[g] < 0.0))
                outcome.armed.push_back({guard, 1, false});
            break;
        case Role::lead_stop:
            if (rests(g)) {
                const bool starts = rates[g] > 1e-9 * m.numbers.b.cwiseAbs().maxCoeff();
                outcome.armed.push_back({guard, starts ? 1 : 2, false});
            }
            break;
        case Role::lead_end:
        case Role::coefficient:
        case Role::response:
        case Role::response_far: break;
        }
    }
}

double FrictionTransition::zero_below(const GuardRole& f, double small) const {
    const bool squares = f.role == Role::bound_plus && slip_count(f.side) == 2;
    return squares ? 1e11 * small * small : small;
}

double FrictionTransition::small_force(const std::vector<double>& values, const Moment& m) const {
    double scale = 0.0;
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        if (guards_.roles[g].role == Role::normal) scale = std::max(scale, std::abs(values[g]));
    }
    // Where no contact is pressed at this instant, what accelerates the slips says what is small.
    const auto measure = [&](Index row) {
        const double D = m.numbers.D(row, row);
        if (D > 0.0) scale = std::max(scale, std::abs(m.numbers.b(row)) / D);
    };
    for (const Index k : m.at_zero) {
        measure(k);
        for (Index j = 0; j < slip_count(k); ++j) measure(events_.problem->slip_row(k) + j);
    }
    // Where a load has just vanished, and every other one with it, what is left of them is rounding.
    const auto unloads = [](const GuardRole& f) { return f.role == Role::normal; };
    if (std::ranges::any_of(m.fired, unloads)) scale = std::max(scale, sizes_.force);
    return 1e-11 * scale;
}

bool FrictionTransition::watched(const Instant& now, const GuardRole& f) const {
    const FrictionModes::Slots& s = modes_.at(f.side);
    switch (f.role) {
    case Role::gap: return now.mode[s.state] == 0.0;
    case Role::normal: return now.mode[s.presses] == 1.0;
    case Role::bound_plus:
    case Role::bound_minus: return now.mode[s.in_cone] == 1.0;
    case Role::slip_plus:
        return modes_.touch(now, f.side) == Touch::slip_plus && !modes_.leads(now, f.side);
    case Role::lead_stop:
    case Role::lead_end:
        return modes_.touch(now, f.side) == Touch::slip_plus && modes_.leads(now, f.side);
    case Role::slip_minus: return modes_.touch(now, f.side) == Touch::slip_minus;
    case Role::idle: return modes_.may_follow(f.side) && now.mode[s.waits] == 1.0;
    case Role::coefficient: return false;
    case Role::response:
    case Role::response_far: return now.mode[s.answers] != 0.0;
    }
    return false;
}

} // namespace liaison::realise
