// SPDX-License-Identifier: Apache-2.0
// Bounces that come ever faster with friction: carried to their limit in one go, of one contact or of several together.
#include "liaison/flow/motion_alone.hpp"
#include "liaison/laws/contact_islands.hpp"
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
        if (!(ratio > 0.0) || !(ratio < 1.0)) continue;
        const auto limit = bounces_end(now, m, k, ratio, since);
        if (!limit) {
            modes_.last_limit(now, k) = 0.0;
            continue;
        }
        const double t_limit = now.time.rounded() + limit->remaining;
        const double change = std::abs(t_limit - modes_.last_limit(now, k));
        modes_.last_limit(now, k) = t_limit;
        const bool settled = change <= now.tolerance * std::max(1.0, std::abs(t_limit));
        if (!settled || limit->height > gap_tolerance(now) || limit->cut_short) continue;

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
                                    m.w(bouncing), ratio, since, d.kept, gap_rounding(now));
    if (!limit) return limit;
    std::vector<Index> kept = d.kept;
    kept.push_back(bouncing);
    Instant on = now;
    std::ranges::copy(limit->velocity,
                      on.state.begin() + static_cast<std::ptrdiff_t>(n_positions_));
    const ContactNumbers here = events_.problem->at(on);
    on.state = limit->state;
    on.field_time += limit->remaining;
    const VectorXd then = velocities(events_.problem->at(on));
    limit->friction_work =
        sliding_work(d, here, kept, limit->force, velocities(here), then, limit->remaining);
    // Friction that turns round before the limit is another one.
    for (const auto& [k, s] : d.slipping)
        if (!(s.dot(then.segment(events_.problem->slip_row(k), s.size())) > 0.0))
            limit->cut_short = true;
    return limit;
}

std::vector<Index> FrictionTransition::chatters_with(Instant& now, const Moment& m,
                                                     const ContactNumbers& numbers,
                                                     const CommonChatter& chatter, Index k) const {
    std::vector<Index> touching;
    std::vector<laws::CoulombContact> rows;
    for (Index i = 0; i < count(); ++i) {
        const bool here = std::ranges::find(m.at_zero, i) != m.at_zero.end();
        const bool near = numbers.gap(i) <= gap_tolerance(now);
        if (!here && !(near && chatter.in_turn(modes_.chatter(now, i)))) continue;
        touching.push_back(i);
        rows.push_back({.normal = i,
                        .slip = events_.problem->slip_row(i),
                        .slips = static_cast<int>(slip_count(i))});
    }
    std::vector<Index> beside;
    for (const auto& island : laws::contact_islands(numbers.D, rows)) {
        beside.clear();
        for (const std::size_t j : island) beside.push_back(touching[j]);
        if (std::ranges::find(beside, k) != beside.end()) break;
    }
    return beside;
}

FrictionTransition::CommonEnd FrictionTransition::common_end(const Instant& now, const Moment& m,
                                                             const ContactNumbers& numbers,
                                                             const std::vector<Index>& set,
                                                             double remaining) const {
    Directions d = directions(now, m, set);
    for (;;) {
        // Normal impulses come with their friction: until the end the contacts rub as if they rested, and less by what the
        // rebound carries, which is given back here.
        const ContactNumbers pushed = along(d, numbers);
        // Slips that were zero stay so unless the gaps say otherwise: a wall that rises takes a body in the corner along.
        CommonEnd result{set, remaining, now, now, 0.0};
        IndependentRows rows(numbers.D);
        for (const Index i : set) rows.add(i);
        for (const Index row : d.kept)
            if (rows.add(row)) result.kept.push_back(row);
        const MatrixXd D = pushed.D(result.kept, result.kept);
        const VectorXd stop = -solve::least_norm(D, m.w(result.kept));
        const VectorXd load = -solve::least_norm(D, pushed.b(result.kept));
        // No contact pulls on the way to the end: what takes its rebound away, a negative impulse, is less than what presses it
        // until then.
        for (std::size_t j = 0; j < set.size(); ++j) {
            const auto i = static_cast<Index>(j);
            if (load(i) > 0.0) result.remaining = std::max(result.remaining, -stop(i) / load(i));
        }
        const VectorXd jump = pushed.response(Eigen::all, result.kept) * stop;
        for (Index i = 0; i < jump.size(); ++i)
            result.after.state[n_positions_ + index(i)] += jump(i);
        // Contacts of other bodies stay as they are meanwhile.
        std::vector<Index> others;
        for (Index i = 0; i < count(); ++i)
            if (modes_.closed(now, i) && std::ranges::find(set, i) == set.end())
                others.push_back(i);
        Directions all = directions(now, m, others);
        std::vector<Index> held = result.kept;
        for (const Index i : others)
            if (rows.add(i)) held.push_back(i);
        for (const Index row : all.kept)
            if (rows.add(row)) held.push_back(row);
        all.slipping.insert(all.slipping.end(), d.slipping.begin(), d.slipping.end());
        const auto numbers_along = [&](const Instant& at) {
            return along(all, events_.problem->at(at));
        };
        result.end.state = carried_on(*events_.problem, numbers_along, result.after, n_positions_,
                                      held, result.remaining);
        result.end.time = now.time + result.remaining;
        result.end.field_time += result.remaining;
        const VectorXd after = velocities(events_.problem->at(result.after));
        const VectorXd then = velocities(events_.problem->at(result.end));
        result.work = sliding_work(d, numbers, result.kept, load, after, then, result.remaining);
        // A slip that friction stops before the end is over by then; so are slips that would not let the contacts press.
        const bool presses = load.head(static_cast<Index>(set.size())).minCoeff() > 0.0;
        const auto ends = std::ranges::find_if(d.slipping, [&](const auto& slip) {
            const Index t = events_.problem->slip_row(slip.first);
            const Index n = slip.second.size();
            return !presses || !(slip.second.dot(after.segment(t, n)) > 0.0 &&
                                 slip.second.dot(then.segment(t, n)) > 0.0);
        });
        if (ends == d.slipping.end()) return result;
        const Index t = events_.problem->slip_row(ends->first);
        for (Index j = 0; j < ends->second.size(); ++j) d.kept.push_back(t + j);
        d.slipping.erase(ends);
    }
}

void FrictionTransition::complete_together(Instant& now, Moment& m, Index k,
                                           Outcome& outcome) const {
    const CommonChatter chatter(modes_.chatter(now, k), now.time.rounded());
    chatter.remember(modes_.chatter(now, k));
    bool ordered = chatter.may_end(now.tolerance);
    // Bounces lower than the rounding of a gap take their height from it and never end.
    const bool faint = chatter.since * std::abs(m.w(k)) <= 4.0 * gap_rounding(now);
    if (!ordered && !faint && !chatter.crowds(now.tolerance)) return;

    const ContactNumbers numbers = events_.problem->at(now);
    const VectorXd w = velocities(numbers);
    const std::vector<Index> set = chatters_with(now, m, numbers, chatter, k);
    double fastest = 0.0;
    for (const Index i : set) {
        if (std::ranges::find(m.at_zero, i) == m.at_zero.end()) {
            m.w(i) = w(i);
            m.w.segment(events_.problem->slip_row(i), slip_count(i)) =
                w.segment(events_.problem->slip_row(i), slip_count(i));
        }
        fastest = std::max(fastest, std::abs(m.w(i)));
    }
    // The limit is that of all of them where all strike in turn; of one that bounces while another is in flight it is its own.
    for (const Index i : set) {
        if (i == k || modes_.closed(now, i)) continue;
        ordered = ordered && chatter.in_turn(modes_.chatter(now, i));
    }
    if (!ordered && !faint && !chatter.crowds(now.tolerance)) return;
    // Each may have been completed on its own.
    if (set.size() < 2 || !(fastest > m.still)) return;
    // One that takes energy is enough.
    if (!(numbers.restitution(set).minCoeff() < 1.0)) return;
    const auto left = presses_all(now, m, set, !ordered);
    if (!left) return;

    const CommonEnd common = common_end(now, m, numbers, set, ordered ? chatter.remaining : 0.0);
    const double remaining = common.remaining;
    // Another one that is met before the end.
    for (Index i = 0; i < count(); ++i) {
        if (!(numbers.gap(i) <= gap_tolerance(now)) || std::ranges::find(set, i) != set.end() ||
            std::ranges::find(m.at_zero, i) != m.at_zero.end())
            continue;
        if (numbers.gap(i) + w(i) * (ordered ? remaining : *left) <= 0.0) return;
    }
    const double accuracy =
        ordered ? chatter.change + (remaining - chatter.remaining) : std::max(*left, remaining);
    flow::Event a = event(flow::EventKind::accumulation, k, now, accuracy);
    a.time = now.time + remaining;
    a.closes = true;
    a.case_name = "several contacts together";
    a.rule = ordered ? "common limit" : "plastic projection";
    const double energy = events_.problem->energy(now);
    now.state = common.after.state;
    a.state_plus = common.end.state;
    a.energy = events_.problem->energy(now) - energy + book(common.work, now);
    const std::vector<double> at_end = a.state_plus;
    const auto end = a.time;
    outcome.events.push_back(std::move(a));
    const VectorXd after = velocities(events_.problem->at(now));
    m.w.tail(after.size() - count()) = after.tail(after.size() - count());
    for (const Index row : common.kept) m.w(row) = 0.0;
    for (const Index i : set) {
        if (std::ranges::find(m.at_zero, i) == m.at_zero.end()) m.at_zero.push_back(i);
        if (modes_.closed(now, i)) continue;
        flow::Event attach = event(flow::EventKind::attach, i, now, accuracy);
        attach.time = end;
        attach.closes = true;
        attach.state_minus = attach.state_plus = at_end;
        outcome.events.push_back(std::move(attach));
        m.struck[index(i)] = 1; // told
    }
    std::ranges::sort(m.at_zero);
}

std::optional<double> FrictionTransition::presses_all(const Instant& now, const Moment& m,
                                                      const std::vector<Index>& set,
                                                      bool at_once) const {
    const double flight = CommonChatter::shortest(now.tolerance, now.time.rounded());
    const ContactNumbers numbers = events_.problem->at(now);
    std::vector<laws::CoulombContact> contacts;
    for (const Index i : set) contacts.push_back(coulomb(now, m, i));
    const auto answer = laws::solve_coulomb(numbers.D, numbers.b, contacts);
    const double least = numbers.restitution(set).minCoeff();
    for (const laws::CoulombSolution& s : answer.solutions) {
        double left = 0.0;
        const bool pressed = std::ranges::all_of(set, [&](Index i) {
            const double pressing = numbers.D(i, i) * s.best().force(i);
            const double twice_height = m.w(i) * m.w(i) / pressing;
            const double e = numbers.restitution(i);
            const double high = twice_height + 2.0 * std::max(0.0, numbers.gap(i));
            left += 2.0 * std::sqrt(high / pressing) / (1.0 - (e < 1.0 ? e : least));
            return pressing > 0.0 && twice_height <= 2.0 * gap_tolerance(now) &&
                   (!at_once || twice_height <= gap_rounding(now) ||
                    2.0 * std::abs(m.w(i)) <= flight * pressing);
        });
        if (pressed) return left;
    }
    return std::nullopt;
}

} // namespace liaison::realise
