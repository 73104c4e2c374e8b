// SPDX-License-Identifier: Apache-2.0
// Bounces that come ever faster with friction: carried to their limit in one go, of one contact or of several together.
#include "liaison/flow/motion_alone.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/realise/independent_rows.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

void FrictionTransition::complete_accumulations(Instant& now, Moment& m, Outcome& outcome) const {
    for (const Index k : m.at_zero) {
        if (m.before[index(k)] != Touch::open || !(m.w(k) > m.still)) continue;
        const double since = now.time.rounded() - modes_.last_time(now, k);
        modes_.last_time(now, k) = now.time.rounded();
        double ratio = 0.0; // of the last impact: friction may make it differ from the coefficient
        for (const flow::Event& e : outcome.events) {
            if (e.where == side(k).name && e.side == side(k).side && e.gap_rate)
                ratio = -m.w(k) / *e.gap_rate;
        }
        if (!(ratio > 0.0) || !(ratio < 1.0) || bounces_with_others(now, m, k)) continue;
        const auto limit = bounces_end(now, m, k, ratio, since);
        if (!limit) {
            modes_.last_limit(now, k) = 0.0;
            continue;
        }
        const double t_limit = now.time.rounded() + limit->remaining;
        const double change = std::abs(t_limit - modes_.last_limit(now, k));
        modes_.last_limit(now, k) = t_limit;
        const bool settled = change <= now.tolerance * std::max(1.0, std::abs(t_limit));
        if (!settled || limit->height > gap_tolerance(now)) continue;

        flow::Event a = event(flow::EventKind::accumulation, k, now, change);
        a.time = now.time + limit->remaining;
        a.closes = true;
        const double before = events_.problem->energy(now);
        for (std::size_t i = 0; i < limit->velocity.size(); ++i)
            now.state[n_positions_ + i] = limit->velocity[i];
        a.state_plus = limit->state;
        a.energy = events_.problem->energy(now) - before + book(limit->friction_work, now);
        flow::Event attach = event(flow::EventKind::attach, k, now, change);
        attach.time = a.time;
        attach.closes = true;
        attach.state_minus = attach.state_plus = limit->state;
        outcome.events.push_back(std::move(a));
        outcome.events.push_back(std::move(attach));
        const VectorXd after = velocities(events_.problem->at(now));
        m.w.tail(after.size() - count()) = after.tail(after.size() - count());
        m.w(k) = 0.0;
    }
}

// The bounces that are left out rub as the contact that takes their place does until their limit: an impulse along friction
// takes the rebound away now, and sliding friction returns it until then (theory of ideal unilateral constraints,
// accumulation). That work is part of what the bounces take, and is booked with them instead of with sliding.
double FrictionTransition::book(double work, Instant& now) const {
    const auto carried = names_.begin() + static_cast<std::ptrdiff_t>(n_controlled_);
    const auto own = std::find(carried, names_.end(), flow::k_friction_work);
    if (own == names_.end()) return 0.0;
    now.state[static_cast<std::size_t>(own - names_.begin())] -= work;
    return work;
}

double FrictionTransition::sliding_work(const Directions& d, const ContactNumbers& n,
                                        const std::vector<Index>& kept, const VectorXd& force,
                                        const VectorXd& before, const VectorXd& after,
                                        double time) const {
    double work = 0.0;
    for (const auto& [k, s] : d.slipping) {
        const auto at = std::ranges::find(kept, k);
        if (at == kept.end()) continue;
        const bool backwards = s.size() == 1 && s(0) < 0.0;
        const double mu = backwards ? n.sliding_minus(k) : n.sliding_plus(k);
        const Index t = events_.problem->slip_row(k);
        const double speed = 0.5 * s.dot(before.segment(t, s.size()) + after.segment(t, s.size()));
        work -= mu * force(at - kept.begin()) * std::max(0.0, speed) * time;
    }
    return work;
}

// Another one that is not closed is so near that the end of the bounces is that of both.
bool FrictionTransition::bounces_with_others(const Instant& now, const Moment& m, Index k) const {
    constexpr double k_coupled = 1e-9;
    const ContactNumbers numbers = events_.problem->at(now);
    const MatrixXd& D = numbers.D;
    for (Index i = 0; i < count(); ++i) {
        const bool here = std::ranges::find(m.at_zero, i) != m.at_zero.end();
        if (i == k || modes_.closed(now, i) || (!here && numbers.gap(i) > gap_tolerance(now)))
            continue;
        if (std::abs(D(i, k)) > k_coupled * std::sqrt(D(i, i) * D(k, k))) return true;
    }
    return false;
}

void FrictionTransition::settle_faint(Instant& now, Moment& m) const {
    constexpr double k_flight = 1e-13; // of time
    const double flight = k_flight * std::max(1.0, std::abs(now.time.rounded()));
    std::vector<Index> faint;
    bool moves = false;
    for (const Index k : m.at_zero) {
        const double most = std::max(m.still, -flight * m.numbers.b(k));
        if (!(std::abs(m.w(k)) <= most)) continue;
        faint.push_back(k);
        moves = moves || std::abs(m.w(k)) > m.still;
    }
    if (!moves) return;
    const VectorXd stop = -solve::least_norm(m.numbers.D(faint, faint), m.w(faint));
    const VectorXd jump = m.numbers.response(Eigen::all, faint) * stop;
    for (Index i = 0; i < jump.size(); ++i) now.state[n_positions_ + index(i)] += jump(i);
    m.w += m.numbers.D(Eigen::all, faint) * stop;
    for (const Index k : faint) m.w(k) = 0.0;
}

FrictionTransition::Directions
FrictionTransition::directions(const Instant& now, const Moment& m,
                               const std::vector<Index>& sides) const {
    Directions d;
    for (const Index k : sides) {
        const Index t = events_.problem->slip_row(k);
        const Index n = slip_count(k);
        const double v = slip_speed(m.w, k);
        if (v > rest_tolerance(now))
            d.slipping.emplace_back(k, m.w.segment(t, n) / v);
        else
            for (Index j = 0; j < n; ++j) d.kept.push_back(t + j);
    }
    return d;
}

ContactNumbers FrictionTransition::along(const Directions& d, ContactNumbers n) const {
    for (const auto& [k, s] : d.slipping) {
        const bool backwards = s.size() == 1 && s(0) < 0.0;
        const double mu = backwards ? n.sliding_minus(k) : n.sliding_plus(k);
        const Index t = events_.problem->slip_row(k);
        for (Index j = 0; j < s.size(); ++j) {
            n.D.col(k) -= mu * s(j) * n.D.col(t + j);
            n.response.col(k) -= mu * s(j) * n.response.col(t + j);
        }
    }
    return n;
}

std::optional<AccumulationLimit> FrictionTransition::bounces_end(const Instant& now,
                                                                 const Moment& m, Index bouncing,
                                                                 double ratio, double since) const {
    std::vector<Index> sides;
    for (Index k = 0; k < count(); ++k)
        if (k == bouncing || modes_.closed(now, k)) sides.push_back(k);
    Directions d = directions(now, m, sides);
    for (const Index k : sides)
        if (k != bouncing) d.kept.push_back(k);
    const auto numbers = [&](const Instant& at) { return along(d, events_.problem->at(at)); };
    auto limit = accumulation_limit(*events_.problem, numbers, now, n_positions_, bouncing,
                                    m.w(bouncing), ratio, since, d.kept);
    if (!limit) return limit;
    std::vector<Index> kept = d.kept;
    kept.push_back(bouncing);
    Instant on = now;
    std::ranges::copy(limit->velocity,
                      on.state.begin() + static_cast<std::ptrdiff_t>(n_positions_));
    const ContactNumbers here = events_.problem->at(on);
    on.state = limit->state;
    limit->friction_work = sliding_work(d, here, kept, limit->force, velocities(here),
                                        velocities(events_.problem->at(on)), limit->remaining);
    return limit;
}

bool FrictionTransition::complete_together(Instant& now, Moment& m, Index k,
                                           Outcome& outcome) const {
    const CommonChatter chatter(modes_.chatter(now, k), now.time.rounded());
    chatter.remember(modes_.chatter(now, k));
    bool ordered = chatter.may_end(now.tolerance);
    // Bounces lower than the rounding of a gap take their height from it and never end.
    const bool faint = chatter.since * std::abs(m.w(k)) <= 4.0 * gap_rounding(now);
    if (!ordered && !faint && !chatter.crowds(now.tolerance)) return false;

    const ContactNumbers numbers = events_.problem->at(now);
    const VectorXd w = velocities(numbers);
    std::vector<Index> set; // closed, touching or about to touch
    double fastest = 0.0;
    for (Index i = 0; i < count(); ++i) {
        const bool here = std::ranges::find(m.at_zero, i) != m.at_zero.end();
        if (!here && !(numbers.gap(i) <= gap_tolerance(now))) continue;
        if (!here) {
            m.w(i) = w(i);
            m.w.segment(events_.problem->slip_row(i), slip_count(i)) =
                w.segment(events_.problem->slip_row(i), slip_count(i));
        }
        if (!(numbers.restitution(i) < 1.0)) return false;
        fastest = std::max(fastest, std::abs(m.w(i)));
        set.push_back(i);
    }
    // The limit is that of all of them where all strike in turn; of one that bounces while another is in flight it is its own.
    for (const Index i : set) {
        if (i == k || modes_.closed(now, i)) continue;
        ordered = ordered && modes_.chatter(now, i).met >= chatter.time - 2.0 * chatter.since;
    }
    if (!ordered && !faint && !chatter.crowds(now.tolerance)) return false;
    // Each may have been completed on its own.
    if (set.size() < 2 || !(fastest > m.still) || !presses_all(now, m, set, !ordered)) return false;

    const Directions d = directions(now, m, set);
    // Normal impulses come with their friction: until the end the contacts rub as if they rested, and less by what the rebound
    // carries, which is given back here.
    const ContactNumbers pushed = along(d, numbers);
    // Slips that were zero stay so unless the gaps say otherwise: a wall that rises takes a body in the corner along.
    std::vector<Index> kept = set;
    IndependentRows rows(numbers.D);
    for (const Index i : set) rows.add(i);
    for (const Index row : d.kept)
        if (rows.add(row)) kept.push_back(row);
    const VectorXd stop = -solve::least_norm(pushed.D(kept, kept), m.w(kept));
    const double accuracy = ordered ? chatter.change : chatter.since;
    flow::Event a = event(flow::EventKind::accumulation, k, now, accuracy);
    if (ordered) a.time = now.time + chatter.remaining;
    a.closes = true;
    a.case_name = "several contacts together";
    a.rule = ordered ? "common limit" : "plastic projection";
    const double energy = events_.problem->energy(now);
    const VectorXd jump = pushed.response(Eigen::all, kept) * stop;
    for (Index i = 0; i < jump.size(); ++i) now.state[n_positions_ + index(i)] += jump(i);
    a.energy = events_.problem->energy(now) - energy;
    const auto numbers_along = [&](const Instant& at) { return along(d, events_.problem->at(at)); };
    a.state_plus = now.state;
    if (ordered)
        a.state_plus =
            carried_on(*events_.problem, numbers_along, now, n_positions_, kept, chatter.remaining);
    const std::vector<double> at_end = a.state_plus;
    const auto end = a.time;
    outcome.events.push_back(std::move(a));
    const VectorXd after = velocities(events_.problem->at(now));
    m.w.tail(after.size() - count()) = after.tail(after.size() - count());
    for (const Index row : kept) m.w(row) = 0.0;
    for (const Index i : set) {
        if (modes_.closed(now, i)) continue;
        flow::Event attach = event(flow::EventKind::attach, i, now, accuracy);
        attach.time = end;
        attach.closes = true;
        attach.state_minus = attach.state_plus = at_end;
        outcome.events.push_back(std::move(attach));
        m.struck[index(i)] = 1; // told
    }
    m.at_zero = std::move(set);
    return true;
}

// All of them would carry load at rest, and none is seen to bounce until then; `at_once`: nor to fly.
bool FrictionTransition::presses_all(const Instant& now, const Moment& m,
                                     const std::vector<Index>& set, bool at_once) const {
    const double flight = CommonChatter::shortest(now.tolerance, now.time.rounded());
    const ContactNumbers numbers = events_.problem->at(now);
    std::vector<laws::CoulombContact> contacts;
    for (const Index i : set) contacts.push_back(coulomb(now, m, i));
    const auto answer = laws::solve_coulomb(numbers.D, numbers.b, contacts);
    return std::ranges::any_of(answer.solutions, [&](const laws::CoulombSolution& s) {
        return std::ranges::all_of(set, [&](Index i) {
            const double pressing = numbers.D(i, i) * s.best().force(i);
            const double twice_height = m.w(i) * m.w(i) / pressing;
            return pressing > 0.0 && twice_height <= 2.0 * gap_tolerance(now) &&
                   (!at_once || twice_height <= gap_rounding(now) ||
                    2.0 * std::abs(m.w(i)) <= flight * pressing);
        });
    });
}

} // namespace liaison::realise
