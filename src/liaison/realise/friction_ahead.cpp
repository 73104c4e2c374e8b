// SPDX-License-Identifier: Apache-2.0
// The contact problem a moment ahead: how loads change and slips turn decides where the present ones are on a boundary.
#include "liaison/realise/friction_transition.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;

Instant FrictionTransition::ahead(const Instant& now, const Moment& m, double time,
                                  const VectorXd& force) const {
    return ahead(now, now, m.numbers, time, force);
}

Instant FrictionTransition::ahead(const Instant& now, const Instant& rates_at,
                                  const ContactNumbers& numbers, double time,
                                  const VectorXd& force) const {
    Instant later = now;
    later.time = now.time + time;
    later.field_time += time;
    const auto field = field_(rates_at);
    for (std::size_t i = 0; i < later.state.size(); ++i) later.state[i] += time * field[i];
    if (force.size() == 0) return later;
    // Those of the field are not shared yet where contacts depend on each other.
    const VectorXd v_dot = numbers.v_dot + numbers.response * force;
    for (Index i = 0; i < v_dot.size(); ++i)
        later.state[n_positions_ + index(i)] = now.state[n_positions_ + index(i)] + time * v_dot(i);
    return later;
}

std::vector<laws::CoulombContact>
FrictionTransition::contacts_then(std::vector<laws::CoulombContact> contacts,
                                  const ContactNumbers& then) const {
    const VectorXd w = velocities(then);
    for (laws::CoulombContact& c : contacts) {
        const double v = c.moving && c.slips == 2 ? w.segment<2>(c.slip).norm() : 0.0;
        if (v > 0.0) c.direction = w.segment<2>(c.slip) / v;
        if (!c.moving) continue;
        c.sliding_plus = then.sliding_plus(c.normal);
        c.sliding_minus = then.sliding_minus(c.normal);
    }
    return contacts;
}

FrictionTransition::Ahead
FrictionTransition::problem_ahead(const Instant& now, const Moment& m,
                                  const std::vector<laws::CoulombContact>& contacts) const {
    constexpr double k_part = 1e-5;
    const ContactNumbers then = numbers_at(ahead(now, m, 0.1 * moment(), VectorXd()), m);
    Ahead there{m.numbers.D, m.numbers.b, contacts};
    const auto turned = contacts_then(contacts, then);
    const VectorXd change = then.b - m.numbers.b;
    const Eigen::MatrixXd D_change = then.D - m.numbers.D;
    // Where all loads vanish together what is left of them is rounding, and no measure of how far ahead to look.
    constexpr double k_least_load = 1e-6;
    const double load =
        std::max(m.numbers.b.cwiseAbs().maxCoeff(), k_least_load * sizes_.acceleration);
    double fastest = std::max(change.cwiseAbs().maxCoeff() / load,
                              D_change.cwiseAbs().maxCoeff() / m.numbers.D.cwiseAbs().maxCoeff());
    for (std::size_t j = 0; j < contacts.size(); ++j)
        fastest = std::max(fastest, (turned[j].direction - contacts[j].direction).norm());
    if (!(fastest > 0.0) || !std::isfinite(fastest)) return there;
    const double moments = k_part / fastest;
    there.b += moments * change;
    there.D += moments * D_change;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const laws::CoulombContact& c = contacts[j];
        laws::CoulombContact& next = there.contacts[j];
        next.direction += moments * (turned[j].direction - c.direction);
        if (c.slips == 2 && c.moving) next.direction.normalize();
        next.sliding_plus += moments * (turned[j].sliding_plus - c.sliding_plus);
        next.sliding_minus += moments * (turned[j].sliding_minus - c.sliding_minus);
    }
    return there;
}

laws::CoulombAnswer
FrictionTransition::solve_ahead(const Instant& now, const Moment& m,
                                const std::vector<laws::CoulombContact>& contacts) const {
    const Ahead there = problem_ahead(now, m, contacts);
    return laws::solve_coulomb(there.D, there.b, there.contacts);
}

} // namespace liaison::realise
