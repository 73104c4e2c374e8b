// SPDX-License-Identifier: Apache-2.0
// The modes of all contacts that rest: every solution of their problem, one of them chosen and written down.
#include "liaison/laws/contact_islands.hpp"
#include "liaison/laws/minimal_support.hpp"
#include "liaison/realise/friction_transition.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;
using laws::ContactMode;

// Contacts that do not push each other are decided apart: their modes would multiply.
bool FrictionTransition::choose_modes(Instant& now, Moment& m, Outcome& outcome) const {
    std::vector<laws::CoulombContact> contacts;
    for (const Index k : m.at_zero) contacts.push_back(coulomb(now, m, k));
    for (const auto& members : laws::contact_islands(m.numbers.D, contacts)) {
        std::vector<Index> island;
        for (const std::size_t j : members) island.push_back(m.at_zero[j]);
        if (!choose_modes(now, m, island, outcome)) return false;
    }
    return true;
}

bool FrictionTransition::choose_modes(Instant& now, Moment& m, const std::vector<Index>& island,
                                      Outcome& outcome) const {
    constexpr int k_most_rounds = 20;
    std::vector<Exclusion> excluded = exclusions(m);
    for (int round = 0; round < k_most_rounds; ++round) {
        m.numbers = events_.problem->at(now);
        std::vector<Index> resting;
        for (const Index k : island) {
            if (std::abs(m.w(k)) <= rate_tolerance(now))
                resting.push_back(k);
            else
                modes_.set(now, k, Touch::open, false, false);
        }
        if (resting.empty()) return true;
        std::vector<laws::CoulombContact> contacts;
        std::vector<std::optional<ContactMode>> present;
        std::vector<Exclusion> mine;
        for (std::size_t j = 0; j < resting.size(); ++j) {
            const Index k = resting[j];
            contacts.push_back(coulomb(now, m, k));
            const bool goes_on = !m.at_start && m.struck[index(k)] == 0 &&
                                 m.before[index(k)] != Touch::open && m.stopped[index(k)] == 0;
            present.emplace_back();
            if (goes_on) present.back() = mode_of(m.before[index(k)], slip_count(k) > 0);
            for (const Exclusion& e : excluded) {
                if (e.contact == index(k)) mine.push_back({j, e.mode});
            }
        }
        auto answer = laws::solve_coulomb(m.numbers.D, m.numbers.b, contacts);
        // A mode is over and what else there is was not enumerated: the problem a little later shows it.
        if (!answer.complete && !mine.empty()) {
            auto later = laws::solve_coulomb(m.numbers.D, free_ahead(now, m), contacts);
            if (!later.solutions.empty()) answer = std::move(later);
        }
        if (!answer.complete && answer.solutions.empty())
            return fail(outcome, "the contact problem could not be decided: " + answer.note, now);
        if (!answer.complete) {
            m.case_name = "not certified";
            m.rule = answer.note;
            // Contacts that are closed from the start have no event of their own that could say so.
            if (m.at_start) {
                flow::Event e = event(flow::EventKind::attach, resting.front(), now, 0.0);
                e.closes = true;
                e.case_name = m.case_name;
                e.rule = m.rule;
                outcome.events.push_back(std::move(e));
            }
        }
        std::optional<std::size_t> at_boundary;
        for (std::size_t j = 0; j < resting.size(); ++j) {
            if (m.singular && resting[j] == *m.singular && contacts[j].moving) at_boundary = j;
        }
        const FrictionChoice choice = choose_motion(answer, m.numbers.D, contacts, present, mine,
                                                    at_boundary, events_.paradox);
        if (at_boundary) m.singular.reset();
        if (!choice.case_name.empty()) {
            m.case_name = choice.case_name;
            m.rule = choice.rule;
        }
        if (choice.solution != nullptr) {
            const laws::CoulombLabel& label = choose_label(*choice.solution, mine);
            apply(now, m, resting, contacts, *choice.solution, label);
            if (!admissible(now, m, resting)) apply_support(now, m, resting, contacts, label);
            const auto more = turning_back(now, m, resting);
            if (more.empty() || round + 1 == k_most_rounds) return true;
            excluded.insert(excluded.end(), more.begin(), more.end());
            continue;
        }
        if (!choice.tangential)
            return fail(outcome, paradox_facts(choice, answer, now, m, resting, contacts), now);
        if (!tangential_impact(now, m, resting[*choice.tangential], choice, outcome)) return false;
        excluded.clear();
    }
    return fail(outcome, "the modes of the contacts do not settle", now);
}

std::vector<Exclusion> FrictionTransition::exclusions(const Moment& m) const {
    std::vector<Exclusion> list;
    for (const GuardRole& f : m.fired) add_exclusions(f, slip_count(f.side), list);
    return list;
}

void FrictionTransition::apply(Instant& now, Moment& m, const std::vector<Index>& resting,
                               const std::vector<laws::CoulombContact>& contacts,
                               const laws::CoulombSolution& solution,
                               const laws::CoulombLabel& label) const {
    std::vector<Index> carried;
    const auto independent = [&](Index row) {
        const MatrixXd& D = m.numbers.D;
        double rest = D(row, row);
        if (!carried.empty()) {
            const VectorXd coupling = D(carried, row);
            rest -= coupling.dot(MatrixXd(D(carried, carried)).ldlt().solve(coupling));
        }
        return rest > 1e-10 * D(row, row);
    };
    std::vector<char> normal(resting.size(), 0);
    std::vector<char> friction(resting.size(), 0);
    for (std::size_t j = 0; j < resting.size(); ++j) {
        if (label.mode[j] == ContactMode::open || !independent(contacts[j].normal)) continue;
        normal[j] = 1;
        carried.push_back(contacts[j].normal);
    }
    for (std::size_t j = 0; j < resting.size(); ++j) {
        if (label.mode[j] != ContactMode::stick) continue;
        bool all = true;
        for (int i = 0; i < contacts[j].slips; ++i) all = all && independent(contacts[j].slip + i);
        if (!all) continue;
        friction[j] = 1;
        for (int i = 0; i < contacts[j].slips; ++i) carried.push_back(contacts[j].slip + i);
    }
    const double still = 1e-9 * solution.acceleration.cwiseAbs().maxCoeff();
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const laws::CoulombContact& c = contacts[j];
        Touch touch = Touch::open;
        switch (label.mode[j]) {
        case ContactMode::open: break;
        case ContactMode::closed:
        case ContactMode::stick: touch = Touch::stick; break;
        case ContactMode::slip_plus: touch = Touch::slip_plus; break;
        case ContactMode::slip_minus: touch = Touch::slip_minus; break;
        }
        // Kept closed, or at rest, by the other contacts.
        if (touch == Touch::open && !independent(c.normal) &&
            std::abs(solution.acceleration(c.normal)) <= still)
            touch = Touch::stick;
        if (slips(touch) && !c.moving && c.slips == 1 && !independent(c.slip))
            touch = touch == Touch::slip_plus ? Touch::held_plus : Touch::held_minus;
        if (slips(touch) && !c.moving && c.slips == 2)
            start_slip(now, m, c, label.direction[j], carried);
        modes_.set(now, resting[j], touch, normal[j] != 0, friction[j] != 0);
    }
}

// Free accelerations extrapolated until they have changed by a small part: decides where the present ones are on a
// boundary.
VectorXd FrictionTransition::free_ahead(const Instant& now, const Moment& m) const {
    constexpr double k_moment = 1e-7; // of time, to see how they change
    constexpr double k_part = 1e-5;
    Instant later = now;
    later.time = now.time + k_moment;
    later.field_time += k_moment;
    const auto field = field_(now);
    for (std::size_t i = 0; i < later.state.size(); ++i) later.state[i] += k_moment * field[i];
    const VectorXd change = events_.problem->at(later).b - m.numbers.b;
    const double size = m.numbers.b.cwiseAbs().maxCoeff();
    const double speed = change.cwiseAbs().maxCoeff();
    if (!(speed > 0.0) || !change.allFinite()) return m.numbers.b;
    return m.numbers.b + k_part * size / speed * change;
}

bool FrictionTransition::admissible(const Instant& now, const Moment& m,
                                    const std::vector<Index>& resting) const {
    const auto values = values_(now);
    const double small = 1e2 * small_force(values, m);
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        const GuardRole& f = guards_.roles[g];
        const bool force =
            f.role == Role::normal || f.role == Role::bound_plus || f.role == Role::bound_minus;
        if (!force || !watched(now, f) || values[g] >= -zero_below(f, small)) continue;
        if (std::find(resting.begin(), resting.end(), f.side) != resting.end()) return false;
    }
    return true;
}

void FrictionTransition::apply_support(Instant& now, const Moment& m,
                                       const std::vector<Index>& resting,
                                       const std::vector<laws::CoulombContact>& contacts,
                                       const laws::CoulombLabel& label) const {
    const auto support = laws::minimal_support(m.numbers.D, contacts, label);
    if (support.empty()) return;
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const bool forwards = support[j].forwards > 0.0;
        const bool backwards = support[j].backwards > 0.0;
        Touch touch = Touch::stick;
        if (label.mode[j] == ContactMode::open) touch = Touch::open;
        if (label.mode[j] == ContactMode::slip_plus) touch = Touch::slip_plus;
        if (label.mode[j] == ContactMode::slip_minus) touch = Touch::slip_minus;
        const bool sticking = label.mode[j] == ContactMode::stick;
        // Friction at its bound: forwards, as if the contact slipped backwards.
        if (sticking && forwards != backwards)
            touch = forwards ? Touch::held_minus : Touch::held_plus;
        modes_.set(now, resting[j], touch, forwards || backwards,
                   sticking && forwards && backwards);
    }
}

std::vector<Exclusion> FrictionTransition::turning_back(const Instant& now, const Moment& m,
                                                        const std::vector<Index>& resting) const {
    std::vector<Exclusion> list;
    const auto values = values_(now);
    const auto rates = rates_(now);
    const double small = small_force(values, m);
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        const GuardRole& f = guards_.roles[g];
        if (f.role != Role::normal && f.role != Role::bound_plus && f.role != Role::bound_minus)
            continue;
        if (std::find(resting.begin(), resting.end(), f.side) == resting.end()) continue;
        if (!watched(now, f) || std::abs(values[g]) > zero_below(f, small)) continue;
        if (rates[g] < -1e-9 * std::max(1.0, std::abs(values[g])))
            add_exclusions(f, slip_count(f.side), list);
    }
    return list;
}

} // namespace liaison::realise
