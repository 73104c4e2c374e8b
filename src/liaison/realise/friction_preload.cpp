// SPDX-License-Identifier: Apache-2.0
// Contacts jammed by the forces that a user stated: they stick under them until friction gives way.
//
// Between contacts that can jam the forces are a state that the rigid model does not have; a stated preload is its value at the
// start, and selects the jam among the motions (theory of many contacts §5.5). As long as nothing interrupts the rest,
// pressed contacts keep their forces and friction carries what the load changes; normal forces follow it only where
// friction alone could not. Where one contact comes to the bound of its friction and others have some left, it is shared anew;
// where none is left the stress is gone: the contacts are decided again, without a jam if
// there is any other motion.
#include "liaison/flow/decisions.hpp"
#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/stated_forces.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/realise/independent_rows.hpp"
#include "liaison/realise/preload_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::Vector3d;
using flow::Instant;
using flow::Outcome;
using laws::ContactMode;
using laws::CoulombContact;

namespace {

// A jam whose friction is used up to this part of it is over.
constexpr double k_last = 1e-11;

// The part of the friction of all contacts that stick, at the one where it is least, that is not used.
double friction_left(const std::vector<CoulombContact>& contacts, const laws::CoulombLabel& label) {
    double left = 1.0;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const CoulombContact& c = contacts[j];
        if (label.mode[j] != ContactMode::stick) continue;
        const double most = c.sticking * label.force(c.normal);
        left = std::min(left, 1.0 - label.force.segment(c.slip, c.slips).norm() / most);
    }
    return left;
}

} // namespace

void FrictionTransition::state_preloads(Instant& now, const Moment& m) const {
    const auto values = preloads_(now);
    for (Index k = 0; k < count(); ++k) {
        const auto slot = modes_.at(k).preload;
        if (slot) now.mode[*slot] = m.hit[index(k)] != 0 ? std::max(values[index(k)], 0.0) : 0.0;
    }
}

// A contact that opened has none left.
void FrictionTransition::drop_preloads(Instant& now, const Moment& m) const {
    for (Index k = 0; k < count(); ++k) {
        const auto slot = modes_.at(k).preload;
        if (slot && std::ranges::find(m.at_zero, k) == m.at_zero.end()) now.mode[*slot] = 0.0;
    }
}

FrictionTransition::Jam FrictionTransition::hold_preloaded(Instant& now, Moment& m,
                                                           const std::vector<Index>& island,
                                                           Outcome& outcome) const {
    std::vector<Index> resting;
    std::vector<CoulombContact> contacts;
    std::vector<std::optional<double>> stated;
    std::vector<std::string> names;
    Jam jam;
    bool rests = true;
    for (const Index k : island) {
        const auto slot = modes_.at(k).preload;
        const bool pressed = slot && now.mode[*slot] > 0.0;
        if (pressed) jam.contacts.push_back(k);
        if (std::abs(m.w(k)) > m.still) {
            rests = rests && !pressed;
            if (pressed && m.at_start) {
                const PreloadTrouble t = moving_preload(side(k).name, now.mode[*slot], m.w(k));
                jam.holds = fail(outcome, t.what + ": " + t.cause, now);
                return jam;
            }
            continue;
        }
        resting.push_back(k);
        contacts.push_back(coulomb(now, m, k));
        names.push_back(side(k).name);
        stated.emplace_back();
        if (pressed) stated.back() = now.mode[*slot];
    }
    if (jam.contacts.empty()) return jam;
    const bool gives_way = std::ranges::any_of(m.fired, [&](const GuardRole& f) {
        const bool force =
            f.role == Role::normal || f.role == Role::bound_plus || f.role == Role::bound_minus;
        return force && std::ranges::find(island, f.side) != island.end();
    });
    if (rests) {
        measure_beside(now, m);
        const auto forces = laws::state_forces(m.numbers.D, m.numbers.b, contacts, stated);
        if (forces.problem != laws::StatedForces::Problem::none && m.at_start) {
            const PreloadTrouble t = preload_trouble(forces, stated, names);
            jam.holds = fail(outcome, t.what + ": " + t.cause, now);
            return jam;
        }
        const std::vector<std::optional<ContactMode>> nothing(contacts.size());
        const FrictionChoice choice = choose_motion(forces.answer, m.numbers.D, contacts, nothing,
                                                    {}, std::nullopt, events_.paradox);
        const bool shared_anew =
            choice.solution != nullptr && friction_left(contacts, choice.solution->best()) > k_last;
        if (choice.solution != nullptr && (!gives_way || shared_anew)) {
            for (const Index k : island) {
                if (std::ranges::find(resting, k) == resting.end())
                    modes_.set(now, k, Touch::open, false, false);
            }
            press(now, m, resting, contacts, stated, choice.solution->best());
            if (turning_back(now, m, resting).empty()) {
                // Forces that the balance determines anyway were not chosen by a preload.
                bool chosen = false;
                for (std::size_t j = 0; j < stated.size(); ++j)
                    chosen = chosen || (stated[j] && forces.determined[j] == 0);
                if (m.at_start && chosen) tell_jam(now, m, resting, contacts, outcome);
                jam.holds = true;
                return jam;
            }
        }
    }
    for (const Index k : jam.contacts)
        if (const auto slot = modes_.at(k).preload) now.mode[*slot] = 0.0;
    jam.ends = true;
    return jam;
}

// Rows that carry: slips before normals, normals that were not stated before those that were. The others hold what they
// have in the solution.
void FrictionTransition::press(Instant& now, const Moment& m, const std::vector<Index>& resting,
                               const std::vector<CoulombContact>& contacts,
                               const std::vector<std::optional<double>>& stated,
                               const laws::CoulombLabel& label) const {
    IndependentRows rows(m.numbers.D);
    std::vector<Carried> carried(contacts.size());
    const auto stays = [&](std::size_t j) {
        return label.mode[j] == ContactMode::stick || label.mode[j] == ContactMode::closed;
    };
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        if (laws::is_slip(label.mode[j])) carried[j].normal = rows.add(contacts[j].normal);
    }
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        for (int i = 0; i < contacts[j].slips && label.mode[j] == ContactMode::stick; ++i)
            carried[j].slip[static_cast<std::size_t>(i)] = rows.add(contacts[j].slip + i);
    }
    for (const bool pressed : {false, true}) {
        for (std::size_t j = 0; j < contacts.size(); ++j) {
            if (stays(j) && stated[j].has_value() == pressed)
                carried[j].normal = rows.add(contacts[j].normal);
        }
    }
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        Touch touch = stays(j) ? Touch::stick : Touch::open;
        if (label.mode[j] == ContactMode::slip_plus) touch = Touch::slip_plus;
        if (label.mode[j] == ContactMode::slip_minus) touch = Touch::slip_minus;
        modes_.set(now, resting[j], touch, carried[j].normal, carried[j].slip);
    }
    lead_slow_slips(now, m, resting, contacts, label);
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        if (label.mode[j] == ContactMode::open) continue;
        Vector3d held = Vector3d::Zero();
        if (!carried[j].normal) held(0) = label.force(contacts[j].normal);
        for (int i = 0; i < contacts[j].slips && label.mode[j] == ContactMode::stick; ++i) {
            if (!carried[j].slip[static_cast<std::size_t>(i)])
                held(1 + i) = label.force(contacts[j].slip + i);
        }
        modes_.give(now, resting[j], held, Vector3d::Zero());
    }
}

// What else could have been, and that the preload chose.
void FrictionTransition::tell_jam(const Instant& now, Moment& m, const std::vector<Index>& resting,
                                  const std::vector<CoulombContact>& contacts,
                                  Outcome& outcome) const {
    const auto all = laws::solve_coulomb(m.numbers.D, m.numbers.b, contacts);
    if (const auto known = certificate_of(all)) flow::tell(*known, now.time.rounded());
    m.case_name = all.solutions.size() > 1 ? "indeterminate" : "forces not unique";
    m.rule = "preload";
    tell_at_start(now, m, resting, outcome);
}

// Of the motions those that stay jammed, unless there are no others.
bool FrictionTransition::leave_jam(const Jam& jam, const Moment& m,
                                   laws::CoulombAnswer& answer) const {
    const double still = 1e-8 * m.numbers.b.cwiseAbs().maxCoeff();
    const auto stays = [&](const laws::CoulombSolution& s) {
        return std::ranges::all_of(jam.contacts, [&](Index k) {
            const Index slip = events_.problem->slip_row(k);
            double most = std::abs(s.acceleration(k));
            for (Index j = 0; j < slip_count(k); ++j)
                most = std::max(most, std::abs(s.acceleration(slip + j)));
            return most <= still;
        });
    };
    if (std::ranges::all_of(answer.solutions, stays)) return false;
    return std::erase_if(answer.solutions, stays) > 0;
}

} // namespace liaison::realise
