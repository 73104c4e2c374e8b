// SPDX-License-Identifier: Apache-2.0
// The complementarity problem of the contacts at rest, and the guards that start the next piece at zero.
#include "liaison/realise/contact_closing.hpp"

#include "liaison/flow/decisions.hpp"
#include "liaison/realise/carried_contact.hpp"
#include "liaison/realise/resting_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

bool ContactClosing::close(Instant& now, const std::vector<Index>& resting,
                           Outcome& outcome) const {
    if (resting.empty()) return true;
    const SparseContactNumbers numbers = slots_.problem().sparse_at(now);
    const VectorXd b = numbers.b(resting);
    const auto answer = resting_reactions(numbers.D, resting, b);
    if (!answer.solved) {
        if (answer.proved_none) flow::tell(flow::Certificate::none_certificate, now.time.rounded());
        std::string names;
        for (const Index k : resting) names += (names.empty() ? "" : ", ") + slots_.side(k).name;
        outcome = contact_failure(
            answer.proved_none
                ? fmt::format("contacts {} cannot all be kept: no reactions ≥ 0 hold them", names)
                : fmt::format("the reactions of contacts {} were not found, and nothing proves "
                              "that there are none",
                              names),
            now);
        return false;
    }
    if (flow::heard())
        flow::tell(definite(numbers.D, resting) ? flow::Certificate::unique_p_matrix
                                                : flow::Certificate::unique_accelerations,
                   now.time.rounded());
    // A force that is zero to rounding is decided by its rate while closed. Where all loads vanish together (a reaction that
    // has just ended, an impact at the instant at which the load changes its side) what is left of them is rounding.
    double stiffest = 0.0;
    for (const Index k : resting) stiffest = std::max(stiffest, numbers.D(k, k));
    const double force = std::max({answer.force.cwiseAbs().maxCoeff(),
                                   b.cwiseAbs().maxCoeff() / stiffest, slots_.sizes().force});
    const double small_force = 1e-11 * force;
    std::vector<Index> pushing;
    std::vector<Index> unloaded;
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const auto i = static_cast<Index>(j);
        const Index k = resting[j];
        const bool pushes = answer.force(i) > small_force;
        const bool departs = answer.acceleration(i) > small_force * numbers.D(k, k);
        slots_.closed(now, k) = departs ? 0.0 : 1.0;
        if (pushes) pushing.push_back(k);
        if (!pushes && !departs) unloaded.push_back(k);
    }
    // Beside those that push, an unloaded contact needs a reaction of its own only where its gap rate does not follow from
    // those that have one already: three feet on a line need two, whichever carry.
    std::vector<Index> holding = pushing;
    std::vector<Index> undecided;
    std::vector<Index> carried;
    for (const Index k : unloaded) {
        const bool follows = depends_on(numbers.D, k, holding);
        (follows ? carried : undecided).push_back(k);
        if (follows)
            slots_.closed(now, k) = k_carried;
        else
            holding.push_back(k);
    }
    if (undecided.empty()) return true;
    const auto rates = reaction_rates_(now);
    bool opened = false;
    for (const Index k : undecided) {
        if (!(rates[static_cast<std::size_t>(k)] < 0.0)) continue;
        slots_.closed(now, k) = 0.0;
        std::erase(holding, k);
        opened = true;
    }
    for (const Index k : carried) {
        if (!opened || depends_on(numbers.D, k, holding)) continue;
        slots_.closed(now, k) = 1.0;
        holding.push_back(k);
    }
    keep_held(now, undecided);
    return true;
}

void ContactClosing::keep_held(Instant& now, const std::vector<Index>& leaving) const {
    for (const Index k : leaving) {
        if (slots_.closed(now, k) == 0.0 && held(now, k)) slots_.closed(now, k) = k_carried;
    }
}

bool ContactClosing::held(Instant& now, Index k) const {
    std::vector<Index> carrying;
    for (const Index i : slots_.closed_set(now)) {
        if (slots_.closed(now, i) == 1.0) carrying.push_back(i);
    }
    if (carrying.empty()) return false;
    const double still = 1e-10 * std::max(slots_.sizes().acceleration, slots_.speed(now));
    return depends_on(slots_.problem().sparse_at(now).D, k, carrying) &&
           std::abs(gap_acceleration(now, k)) <= still;
}

// Guards that are zero by construction: after a bounce g ~ t, after an immediate opening g ~ t², after a
// lift-off g ~ t³.
void ContactClosing::arm(Instant& now, const std::vector<Index>& at_zero,
                         const std::vector<char>& released, const VectorXd& rate, double still,
                         std::size_t first_guard, Outcome& outcome) const {
    const auto holds = [&](Index k) { return slots_.closed(now, k) != 0.0; };
    std::vector<double> force;
    std::vector<double> force_rate;
    if (std::any_of(at_zero.begin(), at_zero.end(), holds)) {
        force = reactions_(now);
        force_rate = reaction_rates_(now);
    }
    for (const Index k : at_zero) {
        const std::size_t gap_guard = first_guard + 2 * static_cast<std::size_t>(k);
        if (holds(k)) {
            const auto i = static_cast<std::size_t>(k);
            // A reaction that starts from zero and grows.
            if (force[i] <= 1e-11 * std::max(slots_.sizes().force, std::abs(force_rate[i])))
                outcome.armed.push_back({gap_guard + 1, 1, false});
            continue;
        }
        int multiplicity = 1;
        if (rate(k) <= still) {
            const double acceleration = gap_acceleration(now, k);
            multiplicity = ContactSlots::in(released, k) ||
                                   acceleration <= 1e-10 * std::max(slots_.sizes().acceleration,
                                                                    slots_.speed(now))
                               ? 3
                               : 2;
        }
        outcome.armed.push_back({gap_guard, multiplicity, false});
    }
}

// g̈ with the contacts that are closed now.
double ContactClosing::gap_acceleration(Instant& now, Index k) const {
    const SparseContactNumbers numbers = slots_.problem().sparse_at(now);
    const auto set = slots_.closed_set(now);
    if (set.empty()) return numbers.b(k);
    const VectorXd force = -held_by(numbers.D, set, numbers.b(set));
    double value = numbers.b(k);
    for (std::size_t j = 0; j < set.size(); ++j)
        value += numbers.D(k, set[j]) * force(static_cast<Index>(j));
    return value;
}

} // namespace liaison::realise
