// SPDX-License-Identifier: Apache-2.0
// Forces of redundant contacts, in space or in the plane where rest holds more than slip: rows that depend on others hold
// given forces.
//
// Contacts that depend on each other share their forces in many ways. As rows of one system those that are independent
// carry what the others do not, which must be in the cones of all; a contact slips or opens only where no sharing keeps it
// (theory of many contacts §3.4). The given forces are linear in time, so that they last as long as the load changes
// evenly; where it does not they are given anew, ever closer to the instant at which no sharing is left.
#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/self_stress.hpp"
#include "liaison/laws/shared_forces.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/realise/independent_rows.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using flow::Instant;
using laws::ContactMode;
using laws::CoulombContact;

bool FrictionTransition::may_share(const std::vector<Index>& resting) const {
    return resting.size() > 1 &&
           std::ranges::all_of(resting, [&](Index k) { return !modes_.at(k).given_rate.empty(); });
}

// Friction of a contact that slips does work, so that its force is no matter of taste: none where the others need none of it.
laws::CoulombLabel FrictionTransition::spared(const Moment& m,
                                              const std::vector<CoulombContact>& contacts,
                                              laws::CoulombLabel label) {
    const auto dispensable = [&](std::size_t k) {
        std::vector<Index> gaps;
        std::vector<Index> slips;
        for (std::size_t j = 0; j < contacts.size(); ++j) {
            if (j == k || label.mode[j] == ContactMode::open) continue;
            gaps.push_back(contacts[j].normal);
            for (int i = 0; i < contacts[j].slips && label.mode[j] == ContactMode::stick; ++i)
                slips.push_back(contacts[j].slip + i);
        }
        return held_by_slips(m.numbers.D, contacts[k].normal, gaps, slips);
    };
    const bool sticks = std::ranges::find(label.mode, ContactMode::stick) != label.mode.end();
    for (std::size_t k = contacts.size(); sticks && k-- > 0;) {
        if (laws::is_slip(label.mode[k]) && dispensable(k)) label.mode[k] = ContactMode::open;
    }
    return label;
}

std::optional<bool> FrictionTransition::share_in_space(Instant& now, const Moment& m,
                                                       const std::vector<Index>& resting,
                                                       const std::vector<CoulombContact>& contacts,
                                                       const laws::CoulombLabel& label) const {
    const laws::CoulombLabel sparing = spared(m, contacts, label);
    if (sparing.mode != label.mode) {
        const auto shared = share_among(now, m, resting, contacts, sparing);
        const bool lasts =
            shared || (admissible(now, m, resting) && turning_back(now, m, resting).empty());
        if (shared.value_or(lasts)) return true;
    }
    return share_among(now, m, resting, contacts, label);
}

std::optional<bool> FrictionTransition::share_among(Instant& now, const Moment& m,
                                                    const std::vector<Index>& resting,
                                                    const std::vector<CoulombContact>& contacts,
                                                    const laws::CoulombLabel& label) const {
    const ContactNumbers then = numbers_at(ahead(now, m, moment(), label.force), m);
    const auto contacts_ahead = contacts_then(contacts, then);
    const laws::LaterProblem later{moment(), then.D, then.b, contacts_ahead};
    const auto shared = laws::share_forces(m.numbers.D, m.numbers.b, contacts, label, &later);
    if (!shared) return std::nullopt;
    // Too close to the last instant, in time, or in forces that cannot be told from their bounds: what comes after it is due.
    constexpr double k_soon = 1e-13;
    constexpr double k_bound = 1e-11;
    if (!(shared->lasts > k_soon * std::max(sizes_.time, std::abs(now.field_time))) ||
        !(shared->margin > k_bound))
        return false;
    laws::CoulombLabel known = label;
    if (known.force.size() == 0) known.force = shared->force; // present modes come without forces
    give(now, m, resting, contacts, known, shared->force, shared->rate, true);
    return true;
}

std::optional<bool>
FrictionTransition::share_on(Instant& now, const Moment& m, const std::vector<Index>& resting,
                             const std::vector<CoulombContact>& contacts,
                             const std::vector<std::optional<ContactMode>>& present) const {
    laws::CoulombLabel label;
    bool sticks = false;
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const auto& mode = present[j];
        if (!mode || (laws::is_slip(*mode) && !contacts[j].moving)) return std::nullopt;
        label.mode.push_back(*mode);
        label.side.push_back(1);
        label.direction.push_back(contacts[j].direction);
        sticks = sticks || *mode == ContactMode::stick;
    }
    if (!sticks) return std::nullopt;
    return share_in_space(now, m, resting, contacts, label);
}

void FrictionTransition::give(Instant& now, const Moment& m, const std::vector<Index>& resting,
                              const std::vector<CoulombContact>& contacts,
                              const laws::CoulombLabel& label, const VectorXd& force,
                              const VectorXd& rate, bool lasts) const {
    const auto carried = independent_rows(m, contacts, label);
    const auto ruled = ruled_normals(m, contacts, label);
    for (std::size_t j = 0; j < resting.size(); ++j) {
        if (label.mode[j] == ContactMode::open) continue;
        const bool sticks = label.mode[j] == ContactMode::stick;
        const bool rests = !laws::is_slip(label.mode[j]); // sticks, or is closed without friction
        if (rests) modes_.set(now, resting[j], Touch::stick, carried[j].normal, carried[j].slip);
        if (laws::is_slip(label.mode[j])) modes_.carry(now, resting[j], carried[j].normal);
        Vector3d held = Vector3d::Zero();
        Vector3d changes = Vector3d::Zero();
        const auto hold = [&](Index i, Index row) {
            held(i) = force(row);
            changes(i) = rate(row);
        };
        const bool follows = ruled[j] != 0 && modes_.may_follow(resting[j]) && !(lasts && sticks);
        if (!carried[j].normal && !follows) hold(0, contacts[j].normal);
        for (Index i = 0; i < contacts[j].slips && sticks; ++i) {
            if (!carried[j].slip[static_cast<std::size_t>(i)]) hold(1 + i, contacts[j].slip + i);
        }
        if (rests || !held.isZero(0.0)) modes_.give(now, resting[j], held, changes);
    }
    follow_others(now, m, resting, contacts, label, lasts);
}

std::vector<char> FrictionTransition::ruled_normals(const Moment& m,
                                                    const std::vector<CoulombContact>& contacts,
                                                    const laws::CoulombLabel& label) {
    std::vector<Index> normals;
    std::vector<char> slip;
    std::vector<std::size_t> closed;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        if (label.mode[j] == ContactMode::open) continue;
        closed.push_back(j);
        normals.push_back(contacts[j].normal);
        slip.push_back(laws::is_slip(label.mode[j]) ? 1 : 0);
    }
    const auto concerned = laws::slipping_groups(laws::self_stress(m.numbers.D, normals), slip);
    std::vector<char> ruled(contacts.size(), 0);
    for (std::size_t i = 0; i < closed.size(); ++i) ruled[closed[i]] = concerned[i];
    return ruled;
}

void FrictionTransition::follow_others(Instant& now, const Moment& m,
                                       const std::vector<Index>& resting,
                                       const std::vector<CoulombContact>& contacts,
                                       const laws::CoulombLabel& label, bool given) const {
    if (std::ranges::none_of(label.mode, laws::is_slip)) return;
    const auto carried = independent_rows(m, contacts, label);
    const auto ruled = ruled_normals(m, contacts, label);
    std::vector<Index> bearing; // normals by side
    for (std::size_t j = 0; j < resting.size(); ++j) {
        if (carried[j].normal) bearing.push_back(resting[j]);
    }
    // Modes that go on are known before their forces.
    const double nothing = label.force.size() > 0 ? 1e-9 * label.force.cwiseAbs().maxCoeff() : 0.0;
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const ContactMode mode = label.mode[j];
        const bool has_force = given && mode == ContactMode::stick;
        if (mode == ContactMode::open || carried[j].normal || has_force || ruled[j] == 0) continue;
        const Index row = contacts[j].normal;
        if (!modes_.may_follow(resting[j]) || (!label.even && !(label.force(row) > nothing)))
            continue;
        modes_.follow(now, resting[j], bearing,
                      solve::least_norm(m.numbers.D(bearing, bearing), m.numbers.D(bearing, row)));
    }
}

void FrictionTransition::watch_idle(Instant& now, const Moment& m,
                                    const std::vector<Index>& resting,
                                    const laws::CoulombLabel& label) const {
    if (std::ranges::none_of(label.mode, laws::is_slip)) return;
    std::vector<Index> bearing;
    for (const Index k : resting) {
        if (now.mode[modes_.at(k).closed] == 1.0) bearing.push_back(k);
    }
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const Index k = resting[j];
        const bool idle = modes_.closed(now, k) && label.mode[j] == ContactMode::open;
        if (!idle || !modes_.may_follow(k)) continue;
        modes_.wait(now, k, bearing,
                    solve::least_norm(m.numbers.D(bearing, bearing), m.numbers.D(bearing, k)));
    }
}

std::string FrictionTransition::sharing_facts(const std::vector<Index>& resting,
                                              const laws::CoulombLabel& label) const {
    std::string names;
    for (std::size_t j = 0; j < resting.size(); ++j)
        names += fmt::format("{}{} {:.9g}", j == 0 ? "" : ", ", side(resting[j]).name,
                             label.force(resting[j]));
    return fmt::format(
        "the contacts hold, but their forces are not unique, and those of the contacts that determine the motion would "
        "leave their friction (admissible normal forces: {}). One contact less decides",
        names);
}

} // namespace liaison::realise
