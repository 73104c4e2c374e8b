// SPDX-License-Identifier: Apache-2.0
// Coefficients of the accumulation from differences of the free gap acceleration around the contact state.
#include "liaison/realise/accumulation_limit.hpp"

#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// The contact as seen with the other closed contacts kept: pressing acceleration, inverse mass, responses.
struct Reduced {
    double acceleration = 0.0; // s̈ of the contact when it carries no force
    double D = 0.0; // s̈ per unit force
    VectorXd response; // v̇ per unit force
    VectorXd v_dot; // v̇ with the contact carrying no force
    VectorXd others; // accelerations of all gaps and slips per unit force
};

Reduced reduce(const ContactNumbers& n, Index k, const std::vector<Index>& closed) {
    Reduced r{n.b(k), n.D(k, k), n.response.col(k), n.v_dot, n.D.col(k)};
    if (closed.empty()) return r;
    const Eigen::MatrixXd block = n.D(closed, closed);
    const VectorXd from_force = -solve::least_norm(block, n.D(closed, k));
    const VectorXd from_free = -solve::least_norm(block, n.b(closed));
    r.acceleration += VectorXd(n.D(k, closed)).dot(from_free);
    r.D += VectorXd(n.D(k, closed)).dot(from_force);
    r.response += n.response(Eigen::all, closed) * from_force;
    r.v_dot += n.response(Eigen::all, closed) * from_free;
    r.others += n.D(Eigen::all, closed) * from_force;
    return r;
}

// The least of a gap on its way between two states, a parabola for so short a time.
double least_gap(double gap, double rate, double gap_then, double rate_then, double time) {
    const double acceleration = (rate_then - rate) / time;
    double least = std::min(gap, gap_then);
    if (rate < 0.0 && rate_then > 0.0)
        least = std::min(least, gap - rate * rate / (2.0 * acceleration));
    return least;
}

// Whether a gap that impulses of the contact change vanishes on the way from one state to the other.
bool meets_another(const ContactNumbers& here, const ContactNumbers& then, const Reduced& at,
                   Index contact, const std::vector<Index>& closed, double time, double rounding) {
    constexpr double k_coupled = 1e-12; // of the own response
    for (Index i = 0; i < here.gap.size(); ++i) {
        if (i == contact || std::ranges::find(closed, i) != closed.end()) continue;
        if (!(std::abs(at.others(i)) > k_coupled * std::sqrt(here.D(i, i) * at.D))) continue;
        if (least_gap(here.gap(i), here.rate(i), then.gap(i), then.rate(i), time) < -rounding)
            return true;
    }
    return false;
}

} // namespace

std::vector<double> carried_on(const ContactProblem& problem, const NumbersAt& numbers,
                               const flow::Instant& on, std::size_t n_positions,
                               const std::vector<Index>& kept, double dt) {
    // From `on` by the rates at another instant.
    const auto moved = [&](const flow::Instant& rates_at, double time) {
        const ContactNumbers n = numbers(rates_at);
        VectorXd v_dot = n.v_dot;
        if (!kept.empty()) {
            const Eigen::MatrixXd block = n.D(kept, kept);
            v_dot -= n.response(Eigen::all, kept) * solve::least_norm(block, n.b(kept));
        }
        const auto q_dot = problem.position_rates(rates_at);
        flow::Instant then = on;
        then.time = on.time + time;
        then.field_time += time;
        for (std::size_t i = 0; i < n_positions; ++i) then.state[i] += time * q_dot[i];
        for (Index i = 0; i < v_dot.size(); ++i)
            then.state[n_positions + static_cast<std::size_t>(i)] += time * v_dot(i);
        return then;
    };
    return moved(moved(on, 0.5 * dt), dt).state;
}

std::optional<AccumulationLimit>
accumulation_limit(const ContactProblem& problem, const NumbersAt& numbers,
                   const flow::Instant& now, std::size_t n_positions, Index contact, double rebound,
                   double restitution, double since, const std::vector<Index>& closed,
                   double rounding) {
    const Reduced here = reduce(numbers(now), contact, closed);
    const double flight = -2.0 * rebound / here.acceleration;
    if (!(here.acceleration < 0.0) || !(here.D > 0.0) || !(flight < since)) return std::nullopt;

    // The state on the contact: the gap rate is taken away by an impulse on this contact alone.
    flow::Instant on = now;
    const auto n_v = static_cast<std::size_t>(here.response.size());
    const VectorXd direction = here.response / here.D; // change of v per unit change of ṡ
    for (std::size_t i = 0; i < n_v; ++i)
        on.state[n_positions + i] -= direction(static_cast<Index>(i)) * rebound;
    const Reduced at = reduce(numbers(on), contact, closed);
    const double gamma = -at.acceleration;
    if (!(gamma > 0.0)) return std::nullopt;
    const double u = rebound / (1.0 - restitution);
    const double first = 2.0 * u / gamma;

    // β: central difference in ṡ at constant momenta.
    const auto acceleration_with = [&](double rate) {
        flow::Instant moved = on;
        for (std::size_t i = 0; i < n_v; ++i)
            moved.state[n_positions + i] += direction(static_cast<Index>(i)) * rate;
        return reduce(numbers(moved), contact, closed).acceleration;
    };
    const double beta =
        (acceleration_with(rebound) - acceleration_with(-rebound)) / (2.0 * rebound);

    // α: central difference in time along the motion on the contact.
    const VectorXd v_dot = at.v_dot + at.response * (gamma / at.D);
    const auto acceleration_after = [&](double dt) {
        flow::Instant moved = on;
        moved.field_time += dt;
        const auto rates = problem.position_rates(on);
        for (std::size_t i = 0; i < n_positions; ++i) moved.state[i] += dt * rates[i];
        for (std::size_t i = 0; i < n_v; ++i)
            moved.state[n_positions + i] += dt * v_dot(static_cast<Index>(i));
        return reduce(numbers(moved), contact, closed).acceleration;
    };
    const double dt = 0.5 * first;
    const double alpha = (acceleration_after(dt) - acceleration_after(-dt)) / (2.0 * dt);

    AccumulationLimit limit;
    limit.remaining =
        first +
        (4.0 * alpha / (3.0 * gamma * gamma * gamma) + 2.0 * beta / (3.0 * gamma * gamma)) * u * u;
    if (!(limit.remaining > 0.0) || !(gamma - alpha * limit.remaining > 0.0)) return std::nullopt;
    limit.height = rebound * rebound / (2.0 * gamma);
    limit.velocity.assign(on.state.begin() + static_cast<std::ptrdiff_t>(n_positions),
                          on.state.begin() + static_cast<std::ptrdiff_t>(n_positions + n_v));
    std::vector<Index> kept = closed;
    kept.push_back(contact);
    limit.state = carried_on(problem, numbers, on, n_positions, kept, limit.remaining);
    const ContactNumbers n = numbers(on);
    limit.force = -solve::least_norm(n.D(kept, kept), n.b(kept));
    if (n.gap.size() > 1) {
        flow::Instant end = on;
        end.time = on.time + limit.remaining;
        end.field_time += limit.remaining;
        end.state = limit.state;
        limit.cut_short =
            meets_another(n, numbers(end), at, contact, closed, limit.remaining, rounding);
    }
    return limit;
}

} // namespace liaison::realise
