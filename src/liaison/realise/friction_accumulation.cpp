// SPDX-License-Identifier: Apache-2.0
// Bounces that come ever faster with friction: carried to their limit in one go.
#include "liaison/realise/friction_transition.hpp"

namespace liaison::realise {

using Eigen::Index;
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
        if (!settled || limit->height > gap_tolerance(now)) continue;

        flow::Event a = event(flow::EventKind::accumulation, k, now, change);
        a.time = now.time + limit->remaining;
        a.closes = true;
        const double before = events_.problem->energy(now);
        for (std::size_t i = 0; i < limit->velocity.size(); ++i)
            now.state[n_positions_ + i] = limit->velocity[i];
        a.state_plus = now.state;
        a.energy = events_.problem->energy(now) - before;
        flow::Event attach = event(flow::EventKind::attach, k, now, change);
        attach.time = a.time;
        attach.closes = true;
        outcome.events.push_back(std::move(a));
        outcome.events.push_back(std::move(attach));
        const VectorXd after = velocities(events_.problem->at(now));
        m.w.tail(after.size() - count()) = after.tail(after.size() - count());
        m.w(k) = 0.0;
    }
}

std::optional<AccumulationLimit> FrictionTransition::bounces_end(const Instant& now,
                                                                 const Moment& m, Index bouncing,
                                                                 double ratio, double since) const {
    std::vector<Index> kept;
    std::vector<std::pair<Index, VectorXd>> slipping; // side and direction
    for (Index k = 0; k < count(); ++k) {
        if (k != bouncing && !modes_.closed(now, k)) continue;
        if (k != bouncing) kept.push_back(k);
        const Index t = events_.problem->slip_row(k);
        const Index n = slip_count(k);
        const double v = slip_speed(m.w, k);
        if (v > rest_tolerance(now))
            slipping.emplace_back(k, m.w.segment(t, n) / v);
        else
            for (Index j = 0; j < n; ++j) kept.push_back(t + j);
    }
    const auto numbers = [&](const Instant& at) {
        ContactNumbers n = events_.problem->at(at);
        for (const auto& [k, s] : slipping) {
            const bool backwards = s.size() == 1 && s(0) < 0.0;
            const double mu = backwards ? n.sliding_minus(k) : n.sliding_plus(k);
            const Index t = events_.problem->slip_row(k);
            for (Index j = 0; j < s.size(); ++j) {
                n.D.col(k) -= mu * s(j) * n.D.col(t + j);
                n.response.col(k) -= mu * s(j) * n.response.col(t + j);
            }
        }
        return n;
    };
    return accumulation_limit(*events_.problem, numbers, now, n_positions_, bouncing, m.w(bouncing),
                              ratio, since, kept);
}

} // namespace liaison::realise
