// SPDX-License-Identifier: Apache-2.0
// What a user needs to decide how a motion without a unique continuation goes on.
#include "liaison/realise/friction_transition.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using flow::Instant;
using laws::ContactMode;

namespace {

std::string_view word(ContactMode mode) {
    switch (mode) {
    case ContactMode::open: return "opens";
    case ContactMode::closed: return "stays closed";
    case ContactMode::stick: return "sticks";
    case ContactMode::slip_plus: return "slips forwards";
    case ContactMode::slip_minus: return "slips backwards";
    }
    return "";
}

// B₁'; of a planar contact at rest that of either slip which may start.
std::string responses(const Eigen::MatrixXd& D, laws::CoulombContact c) {
    const auto own = [&] { return D(c.normal, c.normal) * relative_response(D, c); };
    if (c.moving || c.slips != 1) return fmt::format("{:.9g}", own());
    c.moving = true;
    c.direction(0) = 1.0;
    const double forwards = own();
    c.direction(0) = -1.0;
    return fmt::format("{:.9g} forwards, {:.9g} backwards", forwards, own());
}

} // namespace

std::string
FrictionTransition::paradox_facts(const FrictionChoice& choice, const laws::CoulombAnswer& answer,
                                  const Instant& now, const Moment& m,
                                  const std::vector<Index>& resting,
                                  const std::vector<laws::CoulombContact>& contacts) const {
    std::string text = choice.case_name == "inconsistent"
                           ? "the rigid model has no motion from here (inconsistent)"
                       : choice.case_name == "boundary"
                           ? "slip reached the boundary of its paradox"
                           : fmt::format("the rigid model has {} motions from here "
                                         "(indeterminate)",
                                         answer.solutions.size());
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const Index k = resting[j];
        text += fmt::format("; contact {}: slip {:.9g}, A1 = {:.9g}, B1' = {}", side(k).name,
                            slip_count(k) > 0 ? m.w(contacts[j].slip) : 0.0, m.numbers.b(k),
                            responses(m.numbers.D, contacts[j]));
    }
    for (const laws::CoulombSolution& s : answer.solutions) {
        text += "; possible: ";
        for (std::size_t j = 0; j < resting.size(); ++j) {
            text += fmt::format("{}{} {} with normal force {:.9g}", j == 0 ? "" : ", ",
                                side(resting[j]).name, word(s.best().mode[j]),
                                s.best().force(resting[j]));
        }
    }
    text += "; state";
    for (std::size_t i = 0; i < n_controlled_; ++i)
        text += fmt::format("{} {} = {:.9g}", i == 0 ? "" : ",", names_[i], now.state[i]);
    if (!choice.stop) return text + "; no rule continues it, stopped";
    text += "; [run] paradox = \"impact\" continues with ";
    text += impact_facts(choice, now, m, resting);
    text += ", \"separate\" with ";
    text += answer.solutions.empty() ? "the same: contact cannot be given up" : "separation";
    return text + "; stopped";
}

std::string FrictionTransition::no_way_on(const Instant& now, const Moment& m, Index k) const {
    const laws::CoulombContact c = coulomb(now, m, k);
    return fmt::format("contact {}: no motion and no tangential impact continues the slip {:.9g} "
                       "(A1 = {:.9g}, B1' = {})",
                       side(k).name, m.w(c.slip), m.numbers.b(k), responses(m.numbers.D, c));
}

// What the rule "impact" would do.
std::string FrictionTransition::impact_facts(const FrictionChoice& choice, const Instant& now,
                                             const Moment& m,
                                             const std::vector<Index>& resting) const {
    if (choice.tangential) {
        const Index k = resting[*choice.tangential];
        const auto at = std::ranges::find(m.at_zero, k) - m.at_zero.begin();
        const auto c = laws::single_impact(m.numbers.D, m.w, impact_contacts(now, m),
                                           static_cast<std::size_t>(at));
        const Index slip = events_.problem->slip_row(k);
        return fmt::format(
            "a tangential impact of {} (normal impulse {:.9g}, slip {:.9g} → {:.9g})", side(k).name,
            c.impulse(k), c.before(slip), c.after(slip));
    }
    const auto limit = choice.together ? limit_of(now, m, resting) : std::nullopt;
    if (!limit && choice.case_name == "inconsistent")
        return "nothing: no impact of them has a limit";
    if (!limit) return "separation";
    std::string text = "a tangential impact of several contacts (";
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const Index k = resting[j];
        const Index slip = events_.problem->slip_row(k);
        text += fmt::format("{}{} normal impulse {:.9g}", j == 0 ? "" : ", ", side(k).name,
                            limit->impulse(k));
        if (slip_count(k) > 0)
            text += fmt::format(", slip {:.9g} → {:.9g}", limit->before(slip), limit->after(slip));
    }
    return text + ")";
}

} // namespace liaison::realise
