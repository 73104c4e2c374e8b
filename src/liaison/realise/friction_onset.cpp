// SPDX-License-Identifier: Apache-2.0
// Slips in space that start from rest: along a given direction until they are fast enough to have their own.
#include "liaison/laws/slow_slip.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using laws::SlowSlip;

namespace {

// How long the direction φ + φ' τ is good for: its error ½φ''τ² turns the slip by ⅙ A φ'' τ³ within the tolerance.
double lasts(const SlowSlip& s, double tolerance, double floor) {
    if (s.forced) {
        // Until it is fast enough: r + ṙ τ + ½ r̈ τ² = floor, which comes soon; otherwise it is looked at again.
        const double ahead = std::max(floor - s.speed, 0.0);
        const double root = std::sqrt(std::max(s.growth * s.growth + 2.0 * s.change * ahead, 0.0));
        const double time = 2.0 * ahead / std::max(s.growth + root, 1e-300);
        return std::clamp(time, 1e-9, 1e-3);
    }
    return std::cbrt(6.0 * tolerance / (s.hold * std::max(s.bend, 1e-12)));
}

// Fast enough to have a direction in spite of the tolerance, and no longer stiff: steps of an explicit method are limited
// to about 8 r/A. They are as long as a given direction would last, or grow with r.
bool has_direction(const SlowSlip& s, double tolerance, double floor) {
    return s.speed >= floor && (s.forced || 80.0 * s.growth >= s.hold ||
                                8.0 * s.speed >= s.hold * lasts(s, tolerance, floor));
}

// The contacts with the directions of other slips.
std::vector<laws::CoulombContact> directed(std::vector<laws::CoulombContact> contacts,
                                           const VectorXd& w) {
    for (laws::CoulombContact& c : contacts) {
        const double v = c.slips == 2 ? w.segment<2>(c.slip).norm() : 0.0;
        if (c.moving && v > 0.0) c.direction = w.segment<2>(c.slip) / v;
    }
    return contacts;
}

// Beside its curve by δ = s^⊥·v, a slip is led back to it while the direction lasts: s^⊥·v̇ = r φ' − δ/T. The errors of the
// directions that were given one after the other do not add up.
VectorXd turn_back(const VectorXd& w, const std::vector<laws::CoulombContact>& contacts,
                   const std::vector<SlowSlip>& slow, Eigen::MatrixXd slope, double tolerance,
                   double floor) {
    constexpr double k_most = 0.1; // more than that is no error of directions
    VectorXd back = VectorXd::Zero(slope.rows());
    for (std::size_t i = 0; i < slow.size(); ++i) {
        const auto row = static_cast<Index>(i);
        const SlowSlip& s = slow[i];
        const laws::CoulombContact& c = contacts[s.contact];
        if (s.forced) slope.row(row) = Eigen::RowVectorXd::Unit(slope.cols(), row);
        if (s.forced || !c.moving) continue;
        const double aside = std::cos(s.angle) * w(c.slip + 1) - std::sin(s.angle) * w(c.slip);
        back(row) = -aside / lasts(s, tolerance, floor);
    }
    back = solve::least_norm(slope, back);
    return back.allFinite() && back.cwiseAbs().maxCoeff() <= k_most
               ? back
               : VectorXd(VectorXd::Zero(slope.rows()));
}

} // namespace

void FrictionTransition::lead_slow_slips(Instant& now, const Moment& m,
                                         const std::vector<Index>& resting,
                                         const std::vector<laws::CoulombContact>& contacts,
                                         const laws::CoulombLabel& label) const {
    constexpr double k_moment = 1e-6; // of time, to see how the direction changes
    constexpr double k_while = 1e-4; // to see how it bends
    const double tolerance = std::max(now.tolerance, 1e-14) * speed(now);
    const double floor = std::min(1e4 * tolerance, 1e-3 * speed(now));
    laws::ModeChoices choices;
    std::vector<SlowSlip> slow;
    for (std::size_t j = 0; j < resting.size(); ++j) {
        choices.push_back({label.mode[j], label.direction[j], label.side[j]});
        const double r = slip_speed(m.w, resting[j]);
        if (contacts[j].slips != 2 || !slips(modes_.touch(now, resting[j]))) continue;
        // A slip that an impact left has a direction of its own, however slow it is.
        const Index k = resting[j];
        if (contacts[j].moving && (m.led[index(k)] == 0 || m.struck[index(k)] != 0)) continue;
        SlowSlip s;
        s.contact = j;
        s.speed = contacts[j].moving ? r : 0.0;
        s.angle = std::atan2(label.direction[j](1), label.direction[j](0));
        slow.push_back(s);
        // Before its direction is known a slip has none: the field needs one.
        modes_.lead(now, resting[j], {s.angle, 0.0, k_moment});
    }
    if (slow.empty()) return;
    Instant later = now;
    later.time = now.time + k_moment;
    later.field_time += k_moment;
    const auto field = field_(now);
    for (std::size_t i = 0; i < later.state.size(); ++i) later.state[i] += k_moment * field[i];
    // By the forces of the solution: those of the field are not shared yet where contacts depend on each other.
    const VectorXd v_dot = m.numbers.v_dot + m.numbers.response * label.force;
    for (std::size_t i = n_positions_; i < n_positions_ + index(v_dot.size()); ++i)
        later.state[i] = now.state[i] + k_moment * v_dot(static_cast<Index>(i - n_positions_));
    const ContactNumbers then = numbers_at(later, m);
    const auto slope = laws::follow_slow_slips(
        m.numbers.D, m.numbers.b, {k_moment, then.D, then.b, directed(contacts, velocities(then))},
        contacts, choices, slow);
    const bool known = slope.has_value();
    if (known) {
        // Half a step and a whole one: right to second order, as the bend of the direction is.
        for (const SlowSlip& s : slow)
            modes_.lead(now, resting[s.contact], {s.angle, s.turning, k_while});
        Instant far = now;
        for (const double part : {0.5, 1.0}) {
            const auto rates = field_(far);
            far.time = now.time + part * k_while;
            far.field_time = now.field_time + part * k_while;
            for (std::size_t i = 0; i < far.state.size(); ++i)
                far.state[i] = now.state[i] + part * k_while * rates[i];
        }
        const ContactNumbers ahead = numbers_at(far, m);
        laws::measure_bends({k_while, ahead.D, ahead.b, directed(contacts, velocities(ahead))},
                            choices, slow);
    }
    const VectorXd back =
        known ? turn_back(m.w, contacts, slow, *slope, tolerance, floor) : VectorXd();
    for (std::size_t i = 0; i < slow.size(); ++i) {
        const SlowSlip& s = slow[i];
        const Index k = resting[s.contact];
        const bool own = known ? has_direction(s, tolerance, floor) : s.speed > k_slip_ends;
        if (own) {
            const bool carries = now.mode[modes_.at(k).closed] == 1.0;
            modes_.set(now, k, Touch::slip_plus, carries, false);
        } else if (known) {
            modes_.lead(
                now, k,
                {s.angle + back(static_cast<Index>(i)), s.turning, lasts(s, tolerance, floor)});
        }
    }
}

} // namespace liaison::realise
