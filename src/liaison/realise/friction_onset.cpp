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

// Speeds below the tolerance are rounding, those above the floor have a direction; a moment is the shortest time in which
// something changes.
struct Measures {
    double tolerance = 0.0;
    double floor = 0.0;
    double moment = 0.0;
};

// How long the direction φ + φ' τ + ½φ''τ² is good for: without its last term the slip would be turned by ⅙ A φ'' τ³, which is kept
// within the tolerance; with it the error is one order smaller.
double lasts(const SlowSlip& s, const Measures& measures) {
    if (s.forced) {
        // Until it is fast enough: r + ṙ τ + ½ r̈ τ² = floor, which comes soon; otherwise it is looked at again.
        const double ahead = std::max(measures.floor - s.speed, 0.0);
        const double root = std::sqrt(std::max(s.growth * s.growth + 2.0 * s.change * ahead, 0.0));
        const double time = 2.0 * ahead / std::max(s.growth + root, 1e-300);
        return std::clamp(time, 1e-3 * measures.moment, 1e3 * measures.moment);
    }
    const double straight = 1e-24 / (measures.moment * measures.moment);
    return std::cbrt(6.0 * measures.tolerance / (s.hold * std::max(s.bends, straight)));
}

// Fast enough to have a direction in spite of the tolerance, and no longer stiff: steps of an explicit method are limited
// to about 8 r/A. They are as long as a given direction would last, or grow with r.
bool has_direction(const SlowSlip& s, const Measures& measures) {
    return s.speed >= measures.floor &&
           (s.forced || 80.0 * s.growth >= s.hold || 8.0 * s.speed >= s.hold * lasts(s, measures));
}

// Beside its curve by δ = s^⊥·v, a slip is led back to it while the direction lasts: s^⊥·v̇ = r φ' − δ/T. The errors of the
// directions that were given one after the other do not add up.
VectorXd turn_back(const VectorXd& w, const std::vector<laws::CoulombContact>& contacts,
                   const std::vector<SlowSlip>& slow, Eigen::MatrixXd slope,
                   const Measures& measures) {
    constexpr double k_most = 0.1; // more than that is no error of directions
    VectorXd back = VectorXd::Zero(slope.rows());
    for (std::size_t i = 0; i < slow.size(); ++i) {
        const auto row = static_cast<Index>(i);
        const SlowSlip& s = slow[i];
        const laws::CoulombContact& c = contacts[s.contact];
        if (s.forced) slope.row(row) = Eigen::RowVectorXd::Unit(slope.cols(), row);
        if (s.forced || !c.moving) continue;
        const double aside = std::cos(s.angle) * w(c.slip + 1) - std::sin(s.angle) * w(c.slip);
        back(row) = -aside / lasts(s, measures);
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
    const double a_while = 1e2 * moment(); // to see how the direction bends
    const double tolerance = std::max(now.tolerance, 1e-14) * speed(now);
    const Measures measures{tolerance, std::min(1e4 * tolerance, 1e-3 * speed(now)), moment()};
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
        modes_.lead(now, resting[j], {s.angle, 0.0, 0.0, moment()});
    }
    if (slow.empty()) return;
    // Of a slow slip only the curve is known: the speed that its coefficient depends on would be that of rounding.
    const auto others_then = [&](const ContactNumbers& numbers) {
        auto list = contacts_then(contacts, numbers);
        for (const SlowSlip& s : slow) {
            list[s.contact].sliding_plus = contacts[s.contact].sliding_plus;
            list[s.contact].sliding_minus = contacts[s.contact].sliding_minus;
        }
        return list;
    };
    // Along the curve, some time later.
    const auto forces_along = [&](const ContactNumbers& numbers, double time) {
        const auto there = others_then(numbers);
        laws::ModeChoices modes = choices;
        for (std::size_t j = 0; j < contacts.size(); ++j) {
            if (contacts[j].moving) modes[j].direction = there[j].direction;
        }
        for (const SlowSlip& s : slow) {
            const double angle = s.angle + time * s.turning;
            modes[s.contact].direction = {std::cos(angle), std::sin(angle)};
        }
        const auto force = laws::CoulombAssignment(numbers.D, numbers.b, there, {}).forces(modes);
        return force ? *force : VectorXd();
    };
    const auto follow = [&](const VectorXd& force) {
        const ContactNumbers then = numbers_at(ahead(now, m, moment(), force), m);
        return laws::follow_slow_slips(m.numbers.D, m.numbers.b,
                                       {moment(), then.D, then.b, others_then(then)}, contacts,
                                       choices, slow);
    };
    auto slope = follow(label.force);
    const bool known = slope.has_value();
    // Forces along a slip that is beside its curve are not those of the curve.
    if (known && std::ranges::any_of(slow, [](const SlowSlip& s) { return s.speed > 0.0; })) {
        if (auto again = follow(forces_along(m.numbers, 0.0))) slope = std::move(again);
    }
    if (known) {
        // Half a step and a whole one: right to second order, as the bend of the direction is.
        for (const SlowSlip& s : slow)
            modes_.lead(now, resting[s.contact], {s.angle, s.turning, 0.0, a_while});
        const Instant middle = ahead(now, m, 0.5 * a_while, forces_along(m.numbers, 0.0));
        const ContactNumbers half = numbers_at(middle, m);
        const Instant far = ahead(now, middle, half, a_while, forces_along(half, 0.5 * a_while));
        const ContactNumbers there = numbers_at(far, m);
        laws::measure_bends({a_while, there.D, there.b, others_then(there)}, choices, slow);
    }
    const VectorXd back = known ? turn_back(m.w, contacts, slow, *slope, measures) : VectorXd();
    for (std::size_t i = 0; i < slow.size(); ++i) {
        const SlowSlip& s = slow[i];
        const Index k = resting[s.contact];
        const bool own = known ? has_direction(s, measures) : s.speed > slip_ends();
        if (own) {
            const bool carries = now.mode[modes_.at(k).closed] == 1.0;
            modes_.set(now, k, Touch::slip_plus, carries, false);
        } else if (known) {
            modes_.lead(
                now, k,
                {s.angle + back(static_cast<Index>(i)), s.turning, s.bend, lasts(s, measures)});
        }
    }
}

} // namespace liaison::realise
