// SPDX-License-Identifier: Apache-2.0
// What a transition of frictional contacts knows and in which order it decides.
#include "liaison/realise/friction_transition.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/laws/contact_islands.hpp"
#include "liaison/laws/self_stress.hpp"
#include "liaison/realise/displaced_gap.hpp"
#include "liaison/realise/independent_rows.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

FrictionTransition::FrictionTransition(FrictionEvents events, FrictionModes modes,
                                       FrictionGuards guards, const ContactSizes& sizes,
                                       const flow::Flow& flow)
    : events_(std::move(events)), modes_(std::move(modes)), guards_(std::move(guards)),
      n_positions_(flow.n_positions), n_controlled_(flow.n_controlled), sizes_(sizes),
      values_(flow, guards_.values), rates_(flow, flow::rates_along(flow, guards_.values)),
      field_(flow, flow.rates), names_(flow.state_names) {
    std::vector<expr::Expr> terms;
    for (const auto& r : events_.response) {
        const expr::Expr zero = flow.pool->number(0);
        terms.push_back(r ? r->free : zero);
        terms.push_back(r ? r->response : zero);
        terms.push_back(r ? r->normal : zero);
    }
    boundary_ = flow::Probe(flow, terms);
    std::vector<expr::Expr> preloads;
    for (const ContactSide& s : events_.problem->sides())
        preloads.push_back(s.preload ? s.preload : flow.pool->number(0));
    preloads_ = flow::Probe(flow, preloads);
    boundary_rates_ = flow::Probe(flow, flow::rates_along(flow, terms));
    const auto symbols = expr::free_symbols(events_.problem->expressions());
    for (std::size_t slot = 0; slot < flow.modes.size(); ++slot) {
        if (std::ranges::find(symbols, flow.modes[slot].symbol) != symbols.end())
            free_modes_.push_back(slot);
    }
}

void FrictionTransition::measure(const Instant& now, Moment& m) const {
    thread_local std::vector<double> here; // parameters do not change at an instant
    here.assign({now.field_time});
    for (const std::size_t slot : free_modes_) here.push_back(now.mode[slot]);
    here.insert(here.end(), now.state.begin(), now.state.end());
    if (here == m.measured) return;
    m.numbers = events_.problem->at(now);
    m.measured = here;
}

const std::vector<double>& FrictionTransition::guard_values(const Instant& now,
                                                            const Moment& m) const {
    Moment::Guards& g = m.guards;
    if (g.values.empty() || g.time != now.field_time || g.mode != now.mode ||
        g.state != now.state) {
        g.state = now.state;
        g.mode = now.mode;
        g.time = now.field_time;
        g.values = values_(now);
        g.rates.clear();
        g.bends.clear();
    }
    return g.values;
}

const std::vector<double>& FrictionTransition::guard_rates(const Instant& now,
                                                           const Moment& m) const {
    guard_values(now, m);
    if (m.guards.rates.empty()) m.guards.rates = rates_(now);
    return m.guards.rates;
}

Outcome FrictionTransition::start(Instant& now) const {
    Moment m(count());
    m.at_start = true;
    measure(now, m);
    for (Index k = 0; k < count(); ++k) {
        modes_.set(now, k, Touch::open, false, false);
        modes_.last_time(now, k) = modes_.chatter(now, k).met =
            -std::numeric_limits<double>::infinity();
        m.hit[index(k)] = std::abs(m.numbers.gap(k)) <= gap_tolerance(now) ? 1 : 0;
    }
    state_preloads(now, m);
    return resolve(now, m);
}

Outcome FrictionTransition::transit(std::span<const flow::Firing> fired, Instant& now) const {
    Moment m(count());
    for (const flow::Firing& f : fired) {
        const GuardRole& role = guards_.roles[f.guard - guards_.first];
        m.accuracy = std::max(m.accuracy, f.accuracy);
        if (role.role == Role::gap) m.hit[index(role.side)] = 1;
        if (role.role == Role::slip_plus || role.role == Role::slip_minus ||
            role.role == Role::lead_stop)
            m.stopped[index(role.side)] = 1;
        if (role.role == Role::response && vanishes(now, role.side)) m.singular = role.side;
        if (role.role == Role::coefficient) {
            Outcome outcome;
            fail(outcome,
                 fmt::format("the coefficient of friction of contact {} falls below zero",
                             side(role.side).name),
                 now);
            return outcome;
        }
        if (role.role == Role::slip_plus && slip_count(role.side) == 2)
            end_slip(now, f.guard - guards_.first);
        m.fired.push_back(role);
    }
    const bool nothing = std::ranges::all_of(fired, [&](const flow::Firing& f) {
        const Role role = guards_.roles[f.guard - guards_.first].role;
        return role == Role::response_far || (role == Role::response && !m.singular);
    });
    if (nothing) {
        watch_groups(now, events_.problem->at(now).D);
        return {};
    }
    if (m.singular) approach_boundary(now, *m.singular);
    join_touching(now, m);
    return resolve(now, m);
}

void FrictionTransition::join_touching(const Instant& now, Moment& m) const {
    measure(now, m);
    const double rounding = gap_rounding(now);
    for (Index k = 0; k < count(); ++k) {
        if (!modes_.closed(now, k) &&
            touches(m.numbers.gap(k), m.numbers.rate(k), rounding, now.time.rounded(), sizes_))
            m.hit[index(k)] = 1;
    }
}

Outcome FrictionTransition::refresh(Instant& now) const {
    const ContactNumbers numbers = events_.problem->at(now);
    bool disturbed = false;
    const double far = k_displaced * gap_tolerance(now);
    Outcome outcome;
    for (Index k = 0; k < count(); ++k) {
        if (numbers.gap(k) < -far) {
            fail(outcome, put_inside(side(k).name, numbers.gap(k)), now);
            return outcome;
        }
        if (!modes_.closed(now, k)) continue;
        if (numbers.gap(k) > far) {
            disturbed = true;
            modes_.set(now, k, Touch::open, false, false);
            outcome.events.push_back(event(flow::EventKind::release, k, now, 0.0));
            continue;
        }
        disturbed = disturbed || std::abs(numbers.rate(k)) > rate_tolerance(now);
        const double v = slip_speed(velocities(numbers), k);
        const Touch t = modes_.touch(now, k);
        if (sticks(t)) disturbed = disturbed || v > rest_tolerance(now);
        if (slips(t)) {
            const Index row = events_.problem->slip_row(k);
            const bool planar = side(k).friction.slips.size() == 1;
            const double sign = t == Touch::slip_plus ? 1.0 : -1.0;
            disturbed =
                disturbed || (planar && sign * velocities(numbers)(row) < -rest_tolerance(now));
        }
    }
    // Others changed forces only.
    if (!disturbed) return !events_.relays || agrees(now) ? Outcome{} : decide_again(now, {});
    Moment m(count());
    for (Index k = 0; k < count(); ++k) {
        m.hit[index(k)] = modes_.closed(now, k) ? 1 : 0;
        modes_.set(now, k, Touch::open, false, false);
    }
    Outcome rest = resolve(now, m);
    rest.events.insert(rest.events.begin(), outcome.events.begin(), outcome.events.end());
    return rest;
}

flow::Event FrictionTransition::event(flow::EventKind kind, Index k, const Instant& now,
                                      double accuracy) const {
    flow::Event e;
    e.time = now.time;
    e.kind = kind;
    e.where = side(k).name;
    e.side = side(k).side;
    e.accuracy = accuracy;
    e.state_minus = e.state_plus = now.state;
    return e;
}

bool FrictionTransition::fail(Outcome& outcome, const std::string& what, const Instant& now) {
    outcome.fail = true;
    outcome.reason = fmt::format("{} at t = {:.15g}", what, now.time.rounded());
    return false;
}

void FrictionTransition::end_slip(Instant& now, std::size_t guard) const {
    const double left = -(values_(now)[guard] + slip_ends()) / rates_(now)[guard];
    if (!(left > 0.0)) return;
    const auto field = field_(now);
    for (std::size_t i = n_positions_; i < now.state.size(); ++i) now.state[i] += field[i] * left;
}

void FrictionTransition::approach_boundary(Instant& now, Index k) const {
    const auto values = boundary_(now);
    const auto rates = boundary_rates_(now);
    const auto at = 3 * index(k);
    const double left = -values[at + 1] / rates[at + 1];
    if (!(left > 0.0) || !std::isfinite(left)) return;
    // A₁ that changes little while B₁' vanishes does not vanish with it.
    constexpr double k_stays = 1e-3;
    double p = -left * rates[at] / values[at];
    p = p > k_stays && p < 1.0 ? std::max(p, 0.05) : 1.0;
    const auto field = field_(now);
    for (std::size_t i = n_positions_; i < now.state.size(); ++i)
        now.state[i] += field[i] * left / p;
}

// A sign that changes at a pole is no zero.
bool FrictionTransition::vanishes(const Instant& now, Index k) const {
    constexpr double k_near = 1e-2;
    const auto values = boundary_(now);
    return std::abs(values[3 * index(k) + 1]) <= k_near * values[3 * index(k) + 2];
}

// B₁' of a foot of four is a pivot of them all: its zeros are those of the determinant of the group, beside them it has poles,
// where the group without this foot has none. One foot is watched, the one that is farthest from a pole.
void FrictionTransition::watch_groups(Instant& now, const MatrixXd& D) const {
    std::vector<Index> closed;
    std::vector<laws::CoulombContact> rows;
    for (Index k = 0; k < count(); ++k) {
        if (!modes_.closed(now, k)) continue;
        closed.push_back(k);
        rows.push_back({.normal = k,
                        .slip = events_.problem->slip_row(k),
                        .slips = static_cast<int>(slip_count(k))});
    }
    for (const Index k : closed) {
        if (slips(modes_.touch(now, k)) && held_by_sticking(now, D, k))
            now.mode[modes_.at(k).answers] = k_dispensable;
    }
    const MatrixXd stress = laws::self_stress(D, closed);
    if (stress.cols() == 0) return;
    const auto values = boundary_(now);
    const auto pivot = [&](Index k) { return values[3 * index(k) + 1] / values[3 * index(k) + 2]; };
    for (const auto& island : laws::contact_islands(D, rows)) {
        std::optional<Index> chosen;
        for (const std::size_t j : island) {
            const Index k = closed[j];
            if (slip_count(k) == 0 || !(stress.row(static_cast<Index>(j)).norm() > 1e-9)) continue;
            double& answers = now.mode[modes_.at(k).answers];
            const bool carries =
                slips(modes_.touch(now, k)) && now.mode[modes_.at(k).closed] == 1.0;
            answers = 0.0;
            // The others, as they slide, may make even the normal alone respond the wrong way: no measure then.
            const bool measured = values[3 * index(k) + 2] > 1e-3 * D(k, k);
            if (!carries || !events_.group_pivots || !measured || !std::isfinite(pivot(k)))
                continue;
            if (!chosen || std::abs(pivot(k)) < std::abs(pivot(*chosen))) chosen = k;
        }
        if (!chosen) continue;
        constexpr double k_clear = 0.9; // of the guard of the near ones
        const double group =
            std::abs(pivot(*chosen)) < k_clear * k_pivot_far ? k_group_near : k_group_far;
        now.mode[modes_.at(*chosen).answers] = std::copysign(group, pivot(*chosen));
    }
}

bool FrictionTransition::held_by_sticking(const Instant& now, const MatrixXd& D, Index k) const {
    std::vector<Index> gaps;
    std::vector<Index> slips;
    for (Index i = 0; i < count(); ++i) {
        if (i == k || !modes_.closed(now, i)) continue;
        gaps.push_back(i);
        for (Index j = 0; j < slip_count(i) && sticks(modes_.touch(now, i)); ++j)
            slips.push_back(events_.problem->slip_row(i) + j);
    }
    return held_by_slips(D, k, gaps, slips);
}

// a = b + W (v̇ − v̇_free)
VectorXd FrictionTransition::accelerations(const Instant& now, const ContactNumbers& n) const {
    if (!n.regular || n.W.cols() != n.v_dot.size()) return {};
    const auto field = field_(now);
    VectorXd v_dot(n.v_dot.size());
    for (Index i = 0; i < v_dot.size(); ++i) v_dot(i) = field[n_positions_ + index(i)];
    return n.b + n.W * (v_dot - n.v_dot);
}

Outcome FrictionTransition::resolve(Instant& now, Moment& m) const {
    Outcome outcome;
    measure(now, m);
    if (!m.numbers.regular) {
        fail(outcome, "the accelerations are not determined at a contact", now);
        return outcome;
    }
    m.w = velocities(m.numbers);
    m.still = rate_tolerance(now);
    for (Index k = 0; k < count(); ++k) {
        const Touch t = modes_.touch(now, k);
        m.before[index(k)] = t;
        m.led[index(k)] = slips(t) && modes_.leads(now, k) ? 1 : 0;
        m.waited[index(k)] = waits(now, k) ? 1 : 0;
        if (t != Touch::open) m.w(k) = 0.0;
        if (sticks(t) || m.stopped[index(k)] != 0)
            m.w.segment(events_.problem->slip_row(k), slip_count(k)).setZero();
        if (t == Touch::open && m.hit[index(k)] == 0) continue;
        m.at_zero.push_back(k);
        if (!(m.numbers.D(k, k) > 0.0)) {
            fail(outcome,
                 fmt::format("contact {}: the gradient of the gap vanishes in the kinetic metric",
                             side(k).name),
                 now);
            return outcome;
        }
    }
    stop_together(now, m);
    rest_exactly(now, m);
    for (const Index k : m.at_zero) {
        const laws::CoulombContact c = coulomb(now, m, k);
        double least = c.sticking;
        if (c.moving)
            least = c.sliding(c.slips == 1 ? c.direction(0) : 1.0);
        else if (c.slips > 0)
            least = std::min({c.sticking, c.sliding_plus, c.sliding_minus});
        if (least >= -1e-12) continue;
        fail(
            outcome,
            fmt::format("the coefficient of friction of contact {} is {:.9g}", side(k).name, least),
            now);
        return outcome;
    }
    if (!impacts(now, m, outcome)) return outcome;
    complete_accumulations(now, m, outcome);
    const std::vector<char> struck = m.struck;
    for (Index k = 0; k < count(); ++k)
        if (struck[index(k)] != 0) complete_together(now, m, k, outcome);
    settle_faint(now, m);
    if (!choose_beside_relays(now, m, outcome)) return outcome;
    watch_groups(now, m.numbers.D);
    name_choice_of_forces(now, m, outcome);
    report(now, m, outcome);
    arm(now, m, outcome);
    give_relays_back(now, m);
    outcome.concerns_others = m.relays_before && m.relays_before->mode != now.mode;
    return outcome;
}

void FrictionTransition::stop_together(const Instant& now, Moment& m) const {
    const double last = 30.0 * slip_ends();
    std::vector<laws::CoulombContact> contacts;
    for (const Index k : m.at_zero) contacts.push_back(coulomb(now, m, k));
    for (const auto& island : laws::contact_islands(m.numbers.D, contacts)) {
        bool slides = false;
        bool goes_on = m.fired.empty();
        for (const std::size_t j : island) {
            const Index k = m.at_zero[j];
            const bool stops = m.stopped[index(k)] != 0;
            slides = slides || (slip_count(k) == 2 && slips(m.before[index(k)]));
            // Slips that start are led; those that are slow and have a direction of their own are at their end.
            goes_on = goes_on || m.led[index(k)] != 0 || m.hit[index(k)] != 0 ||
                      (!stops && slip_speed(m.w, k) > last);
        }
        if (!slides || goes_on) continue;
        for (const std::size_t j : island) {
            const Index k = m.at_zero[j];
            // What the forces of the slip said is over with it.
            std::erase_if(m.fired, [&](const GuardRole& f) { return f.side == k; });
            if (slip_count(k) != 2) continue;
            m.stopped[index(k)] = 1;
            m.w.segment(events_.problem->slip_row(k), 2).setZero();
        }
    }
}

// By the least impulse of these contacts, v += M⁻¹ Wᵀ Λ with D Λ = −w.
void FrictionTransition::rest_exactly(Instant& now, Moment& m) const {
    constexpr double k_errors = 1e2; // of steps, at most
    const VectorXd w = velocities(m.numbers);
    IndependentRows independent(m.numbers.D);
    std::vector<Index> rows;
    const auto add = [&](Index row) {
        if (independent.add(row)) rows.push_back(row);
    };
    bool in_space = false;
    for (const Index k : m.at_zero) {
        if (m.before[index(k)] != Touch::open) add(k);
    }
    // What sticks first: it may drive the slip of a contact that comes to rest, which is over at once.
    for (const bool stick : {true, false}) {
        for (const Index k : m.at_zero) {
            const bool rests = stick ? sticks(m.before[index(k)]) : m.stopped[index(k)] != 0;
            if (!rests) continue;
            in_space = in_space || slip_count(k) == 2;
            for (Index j = 0; j < slip_count(k); ++j) add(events_.problem->slip_row(k) + j);
        }
    }
    if (!in_space) return;
    const double left = w(rows).cwiseAbs().maxCoeff();
    const double most = k_errors * std::max(now.tolerance, 1e-12) * speed(now);
    if (!(left > 1e-15 * speed(now)) || left > most) return;
    const VectorXd change =
        m.numbers.response(Eigen::all, rows) * solve::least_norm(m.numbers.D(rows, rows), -w(rows));
    for (Index i = 0; i < change.size(); ++i) now.state[n_positions_ + index(i)] += change(i);
    measure(now, m);
    for (Index row = 0; row < w.size(); ++row) {
        // What was taken for zero stays so.
        if (m.w(row) != 0.0) m.w(row) = velocities(m.numbers)(row);
    }
}

laws::CoulombContact FrictionTransition::coulomb(const Instant& now, const Moment& m,
                                                 Index k) const {
    laws::CoulombContact c;
    c.normal = k;
    c.slip = events_.problem->slip_row(k);
    c.slips = static_cast<int>(slip_count(k));
    c.sliding_plus = m.numbers.sliding_plus(k);
    c.sliding_minus = m.numbers.sliding_minus(k);
    c.sticking = m.numbers.sticking(k);
    const double v = slip_speed(m.w, k);
    c.moving = v > rest_tolerance(now);
    if (c.moving) {
        for (int j = 0; j < c.slips; ++j) c.direction(j) = m.w(c.slip + j) / v;
    }
    return c;
}

} // namespace liaison::realise
