// SPDX-License-Identifier: Apache-2.0
// The modes of all contacts that rest: every solution of their problem, one of them chosen and written down.
#include "liaison/flow/decisions.hpp"
#include "liaison/laws/contact_islands.hpp"
#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/coulomb_directions.hpp"
#include "liaison/laws/minimal_support.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/realise/independent_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;
using laws::ContactMode;
using laws::CoulombContact;

namespace {

// Of a contact that carries nothing: it slips with the body, or is about to.
Touch touch_along(const CoulombContact& c, const VectorXd& acceleration, double still) {
    if (c.slips == 2) return c.moving ? Touch::slip_plus : Touch::stick;
    if (c.slips == 0) return Touch::stick;
    const double along = c.moving ? c.direction(0) : acceleration(c.slip);
    if (!c.moving && std::abs(along) <= still) return Touch::stick;
    return along < 0.0 ? Touch::slip_minus : Touch::slip_plus;
}

} // namespace

// The relays hold the gap, and with it as much of the force as they can.
Touch FrictionTransition::idle_touch(const Moment& m, Index k) const {
    if (slip_count(k) != 0 && slip_speed(m.w, k) > 0.0) {
        const bool backwards = slip_count(k) == 1 && m.w(events_.problem->slip_row(k)) < 0.0;
        return backwards ? Touch::slip_minus : Touch::slip_plus;
    }
    return Touch::stick;
}

// Contacts that do not push each other are decided apart: their modes would multiply.
bool FrictionTransition::choose_modes(Instant& now, Moment& m, Outcome& outcome) const {
    std::vector<laws::CoulombContact> contacts;
    if (!m.following.empty()) measure_beside(now, m);
    for (const Index k : m.at_zero) contacts.push_back(coulomb(now, m, k));
    drop_preloads(now, m);
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
    Jam jam = hold_preloaded(now, m, island, outcome);
    if (jam.holds) return *jam.holds;
    std::vector<Exclusion> excluded = exclusions(m);
    Ended ended;
    for (int round = 0; round < k_most_rounds; ++round) {
        measure_beside(now, m);
        std::vector<Index> resting;
        for (const Index k : island) {
            if (std::abs(m.w(k)) > m.still)
                modes_.set(now, k, Touch::open, false, false);
            else if (!(m.numbers.D(k, k) > 0.0)) // relays hold its gap, or move it
                modes_.set(now, k, m.numbers.b(k) > 0.0 ? Touch::open : idle_touch(m, k), false,
                           false);
            else
                resting.push_back(k);
        }
        if (resting.empty()) return true;
        std::vector<laws::CoulombContact> contacts;
        std::vector<std::optional<ContactMode>> present;
        std::vector<Exclusion>& mine = ended.modes;
        mine.clear();
        ended.force =
            m.numbers.b.cwiseAbs().maxCoeff() / m.numbers.D.diagonal().cwiseAbs().maxCoeff();
        for (std::size_t j = 0; j < resting.size(); ++j) {
            const Index k = resting[j];
            contacts.push_back(coulomb(now, m, k));
            const bool goes_on = !m.at_start && m.struck[index(k)] == 0 &&
                                 m.before[index(k)] != Touch::open && m.stopped[index(k)] == 0;
            present.emplace_back();
            if (goes_on) present.back() = mode_of(m.before[index(k)], slip_count(k) > 0);
            for (const Exclusion& e : excluded) {
                if (e.contact == index(k)) mine.push_back({j, e.mode, e.bound});
            }
        }
        std::optional<bool> shared;
        if (may_share(resting) && !mine.empty() && !jam.ends)
            shared = share_on(now, m, resting, contacts, present);
        if (shared.value_or(false)) return true;
        // A bound that fired was one of a sharing, and which of them is first is a matter of the sharing: what is over is that
        // all of them stay as they are.
        if (shared) mine.clear();
        laws::CoulombAnswer answer =
            solutions(now, m, contacts, present, shared.has_value(), ended);
        if (!answer.complete && answer.solutions.empty())
            return fail(outcome, "the contact problem could not be decided: " + answer.note, now);
        if (!answer.complete) {
            m.case_name = "not certified";
            m.rule = answer.note;
            if (m.at_start) tell_at_start(now, m, resting, outcome);
        }
        const bool left = jam.ends && leave_jam(jam, m, answer);
        if (left) {
            m.case_name = "indeterminate";
            m.rule = "preload ends";
        }
        std::optional<std::size_t> at_boundary;
        for (std::size_t j = 0; j < resting.size(); ++j) {
            if (m.singular && resting[j] == *m.singular && contacts[j].moving) at_boundary = j;
        }
        FrictionChoice choice = choose_motion(answer, m.numbers.D, contacts, present, ended,
                                              at_boundary, events_.paradox);
        if (at_boundary) m.singular.reset();
        if (!choice.case_name.empty()) {
            m.case_name = choice.case_name;
            m.rule = left ? "preload ends, " + choice.rule : choice.rule;
        }
        if (choice.together && !choice.stop) {
            const auto struck = tangential_impacts(now, m, island, choice, outcome);
            if (!struck.value_or(true)) return false;
            if (struck) {
                excluded.clear();
                ended.tried.clear();
                continue;
            }
            m.rule = "separate";
        }
        if (choice.tangential && !choice.stop) {
            const Index k = resting[*choice.tangential];
            const auto struck = tangential_impact(now, m, k, island, choice, outcome);
            if (!struck.value_or(true)) return false;
            if (struck) {
                excluded.clear();
                ended.tried.clear();
                continue;
            }
            if (answer.solutions.empty()) return fail(outcome, no_way_on(now, m, k), now);
            // Others leave the contact one direction only, and no impulse ends its compression: it can only part.
            choice = choose_motion(answer, m.numbers.D, contacts, present, ended, at_boundary,
                                   model::Paradox::separate);
            m.rule = choice.rule;
        }
        if (choice.solution != nullptr) {
            const bool last = round + 1 == k_most_rounds;
            const auto done =
                write_down(now, m, resting, contacts, answer, choice, ended, excluded, outcome);
            if (done || last) return done.value_or(true);
            continue;
        }
        return fail(outcome, paradox_facts(choice, answer, now, m, resting, contacts), now);
    }
    return fail(outcome, "the modes of the contacts do not settle", now);
}

// Modes that go on, with a new direction of slip, are no decision. `shared`: the present modes have no sharing of forces left.
laws::CoulombAnswer FrictionTransition::solutions(
    const Instant& now, const Moment& m, const std::vector<CoulombContact>& contacts,
    const std::vector<std::optional<ContactMode>>& present, bool shared, const Ended& ended) const {
    auto answer = go_on(m, contacts, present);
    if (!answer.solutions.empty()) return answer;
    const bool some_end = !ended.modes.empty();
    answer = solve_here_or_ahead(now, m, contacts, shared || some_end, shared);
    // A reaction that vanishes is pressed or not by rounding: the guard knows that it has ended, and the load ahead why.
    if (some_end && !answer.solutions.empty() && all_ended(answer, contacts, ended)) {
        auto ahead = solve_ahead(now, m, contacts);
        if (!ahead.solutions.empty() && !all_ended(ahead, contacts, ended))
            answer = std::move(ahead);
    }
    if (const auto known = certificate_of(answer)) flow::tell(*known, now.time.rounded());
    return answer;
}

std::optional<bool> FrictionTransition::write_down(Instant& now, Moment& m,
                                                   const std::vector<Index>& resting,
                                                   const std::vector<CoulombContact>& contacts,
                                                   const laws::CoulombAnswer& answer,
                                                   const FrictionChoice& choice, Ended& ended,
                                                   std::vector<Exclusion>& excluded,
                                                   Outcome& outcome) const {
    const laws::CoulombLabel& label = choose_label(*choice.solution, contacts, ended);
    apply(now, m, resting, contacts, *choice.solution, label);
    if (m.at_start && (choice.rule == "even share" || choice.rule == "least norm"))
        tell_at_start(now, m, resting, outcome);
    // In the plane a body that sticks anywhere rests on as few contacts as hold it (apply_support).
    const bool holds = std::ranges::find(label.mode, ContactMode::stick) != label.mode.end();
    const bool in_space = std::ranges::any_of(resting, [&](Index k) { return slip_count(k) == 2; });
    if (!holds && !(in_space && may_share(resting)))
        follow_others(now, m, resting, contacts, label, false);
    if (!admissible(now, m, resting)) apply_support(now, m, resting, contacts, label, false);
    if (may_share(resting) && (in_space || holds) && !choice.solution->forces_unique()) {
        const auto held =
            holds ? share_in_space(now, m, resting, contacts, label) : std::optional<bool>();
        if (held.value_or(false)) return true;
        give(now, m, resting, contacts, label, label.force, VectorXd::Zero(label.force.size()),
             false);
        // One solution was found, and other sharings would have others.
        if (choice.case_name.empty() && !holds && !answer.complete)
            m.rule = answer.note + "; even share";
        // No sharing is left, and the problem ahead knows of nothing else: better told than tried for ever.
        if (held && !turning_back(now, m, resting).empty())
            return fail(outcome, sharing_facts(resting, label), now);
        if (!admissible(now, m, resting)) return fail(outcome, sharing_facts(resting, label), now);
    }
    watch_idle(now, m, resting, label);
    auto more = turning_back(now, m, resting);
    // Of forces that are not unique others may last.
    if (!more.empty() && !choice.solution->forces_unique()) {
        apply_support(now, m, resting, contacts, label, true);
        if (admissible(now, m, resting)) more = turning_back(now, m, resting);
    }
    if (more.empty() && !closes_again(now, m, resting)) return true;
    ended.tried.push_back(label.mode);
    excluded.insert(excluded.end(), more.begin(), more.end());
    return std::nullopt;
}

// Contacts that are closed from the start have no event of their own that could say how they were decided.
void FrictionTransition::tell_at_start(const Instant& now, const Moment& m,
                                       const std::vector<Index>& resting, Outcome& outcome) const {
    flow::Event e = event(flow::EventKind::attach, resting.front(), now, 0.0);
    e.closes = true;
    e.case_name = m.case_name;
    e.rule = m.rule;
    outcome.events.push_back(std::move(e));
}

// A new direction of slip is due, and nothing else happened: the modes go on where they still have a solution.
laws::CoulombAnswer
FrictionTransition::go_on(const Moment& m, const std::vector<CoulombContact>& contacts,
                          const std::vector<std::optional<ContactMode>>& present) const {
    laws::CoulombAnswer answer;
    const bool turns = !m.fired.empty() && std::ranges::all_of(m.fired, [](const GuardRole& f) {
        return f.role == Role::lead_end;
    });
    if (!turns) return answer;
    laws::ModeChoices modes;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const auto& mode = present[j];
        if (!mode) return answer;
        modes.push_back({*mode, contacts[j].direction, 1});
    }
    laws::CoulombAssignment assignment(m.numbers.D, m.numbers.b, contacts, {});
    if (!laws::starting_slips(modes, contacts).empty()) return answer;
    bool undecided = false;
    if (auto found = assignment.examine(modes, undecided))
        answer.solutions.push_back({std::move(found->acceleration), {std::move(found->label)}});
    return answer;
}

std::vector<Exclusion> FrictionTransition::exclusions(const Moment& m) const {
    std::vector<Exclusion> list;
    for (const GuardRole& f : m.fired) add_exclusions(f, slip_count(f.side), list);
    return list;
}

std::vector<FrictionTransition::Carried>
FrictionTransition::independent_rows(const Moment& m,
                                     const std::vector<laws::CoulombContact>& contacts,
                                     const laws::CoulombLabel& label) {
    IndependentRows rows(m.numbers.D);
    std::vector<Carried> carried(contacts.size());
    // Contacts that press first, with their friction, and of them those that stick: the floor holds a body at a wall that carries
    // nothing, or slips along it and need not.
    const auto turn = [&](std::size_t j) {
        const bool presses =
            label.force.size() == 0 ||
            label.force(contacts[j].normal) > 1e-9 * label.force.cwiseAbs().maxCoeff();
        return !presses ? 2 : laws::is_slip(label.mode[j]) ? 1 : 0;
    };
    for (const int now : {0, 1, 2}) {
        std::vector<std::pair<std::size_t, int>> waiting;
        for (std::size_t j = 0; j < contacts.size(); ++j) {
            if (label.mode[j] == ContactMode::open || turn(j) != now) continue;
            carried[j].normal = rows.add(contacts[j].normal);
            if (label.mode[j] != ContactMode::stick) continue;
            for (int i = 0; i < contacts[j].slips; ++i) waiting.emplace_back(j, i);
        }
        // Of the slips that are kept zero always the one that the others determine least.
        while (!waiting.empty()) {
            const auto next = std::ranges::max_element(waiting, std::less<>{}, [&](const auto& w) {
                const CoulombContact& c = contacts[w.first];
                // Ties go to the contact that is named first.
                const double rest = rows.rest(c.slip + w.second);
                return carried[w.first].normal ? rest : 1e-6 * rest;
            });
            const auto [j, i] = *next;
            waiting.erase(next);
            carried[j].slip[static_cast<std::size_t>(i)] = rows.add(contacts[j].slip + i);
        }
    }
    return carried;
}

void FrictionTransition::apply(Instant& now, Moment& m, const std::vector<Index>& resting,
                               const std::vector<laws::CoulombContact>& contacts,
                               const laws::CoulombSolution& solution,
                               const laws::CoulombLabel& label) const {
    const double still = 1e-9 * m.numbers.b.cwiseAbs().maxCoeff();
    const auto carried = independent_rows(m, contacts, label);
    IndependentRows rows(m.numbers.D);
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        if (carried[j].normal) rows.add(contacts[j].normal);
        for (int i = 0; i < contacts[j].slips; ++i) {
            if (carried[j].slip[static_cast<std::size_t>(i)]) rows.add(contacts[j].slip + i);
        }
    }
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const CoulombContact& c = contacts[j];
        Touch touch = Touch::open;
        switch (label.mode[j]) {
        case ContactMode::open: break;
        case ContactMode::closed:
        case ContactMode::stick: touch = Touch::stick; break;
        case ContactMode::slip_plus: touch = Touch::slip_plus; break;
        case ContactMode::slip_minus: touch = Touch::slip_minus; break;
        }
        // Kept closed, or at rest, by the other contacts.
        if (touch == Touch::open && !rows.independent(c.normal) &&
            std::abs(solution.acceleration(c.normal)) <= still)
            touch = touch_along(c, solution.acceleration, still);
        // Where gaps move, others may well drive its slip.
        if (slips(touch) && !c.moving && c.slips == 1 && !rows.independent(c.slip) &&
            std::abs(solution.acceleration(c.slip)) <= still)
            touch = touch == Touch::slip_plus ? Touch::held_plus : Touch::held_minus;
        modes_.set(now, resting[j], touch, carried[j].normal, carried[j].slip);
    }
    lead_slow_slips(now, m, resting, contacts, label);
}

laws::CoulombAnswer
FrictionTransition::solve_here_or_ahead(const Instant& now, const Moment& m,
                                        const std::vector<laws::CoulombContact>& contacts,
                                        bool ended, bool none_left) const {
    laws::CoulombAnswer here;
    if (!none_left) here = laws::solve_coulomb(m.numbers.D, m.numbers.b, contacts);
    if (!ended || (!none_left && here.complete)) return here;
    auto ahead = solve_ahead(now, m, contacts);
    if (!ahead.solutions.empty()) return ahead;
    return none_left ? laws::solve_coulomb(m.numbers.D, m.numbers.b, contacts) : here;
}

bool FrictionTransition::admissible(const Instant& now, const Moment& m,
                                    const std::vector<Index>& resting) const {
    const auto& values = guard_values(now, m);
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
                                       const laws::CoulombLabel& label, bool later) const {
    auto support = laws::minimal_support(m.numbers.D, contacts, label);
    if (support.empty()) return;
    // A contact that carries nothing now would leave as well as come: the load a little later tells which one it is.
    if (later || std::ranges::any_of(support, &laws::ConeEdges::idle)) {
        laws::ModeChoices modes;
        for (std::size_t j = 0; j < contacts.size(); ++j)
            modes.push_back({label.mode[j], label.direction[j], label.side[j]});
        const Ahead there = problem_ahead(now, m, contacts);
        bool undecided = false;
        laws::CoulombAssignment then(there.D, there.b, contacts, {});
        if (const auto found = then.examine(modes, undecided)) {
            auto next = laws::minimal_support(m.numbers.D, contacts, found->label);
            if (std::ranges::none_of(next, &laws::ConeEdges::idle)) support = std::move(next);
        }
    }
    for (std::size_t j = 0; j < resting.size(); ++j) {
        const laws::ConeEdges& edges = support[j];
        const bool forwards = edges.forwards > 0.0;
        const bool backwards = edges.backwards > 0.0;
        Touch touch = Touch::stick;
        // Open, or kept closed by the others without a force of its own.
        if (label.mode[j] == ContactMode::open) touch = modes_.touch(now, resting[j]);
        if (label.mode[j] == ContactMode::slip_plus) touch = Touch::slip_plus;
        if (label.mode[j] == ContactMode::slip_minus) touch = Touch::slip_minus;
        const bool sticking = label.mode[j] == ContactMode::stick;
        // Friction at its bound: forwards, as if the contact slipped backwards.
        if (sticking && !edges.smooth && forwards != backwards)
            touch = forwards ? Touch::held_minus : Touch::held_plus;
        modes_.set(now, resting[j], touch, edges.carries(), sticking && forwards && backwards);
    }
}

// With g = ġ = g̈ = 0 the next derivative decides (theory of many contacts §3.4).
bool FrictionTransition::closes_again(const Instant& now, const Moment& m,
                                      const std::vector<Index>& resting) const {
    constexpr double k_still = 1e-9;
    constexpr double k_falls = 1e-6;
    const double size = m.numbers.b.cwiseAbs().maxCoeff();
    std::vector<Index> undecided;
    if (std::ranges::all_of(resting, [&](Index k) { return modes_.closed(now, k); })) return false;
    const VectorXd a = accelerations(now, m.numbers);
    if (!a.allFinite() || a.size() == 0) return false;
    for (const Index k : resting) {
        if (!modes_.closed(now, k) && std::abs(a(k)) <= k_still * size) undecided.push_back(k);
    }
    if (undecided.empty()) return false;
    const Instant later = ahead(now, m, moment(), VectorXd());
    const VectorXd then = accelerations(later, numbers_at(later, m));
    return then.allFinite() && std::ranges::any_of(undecided, [&](Index k) {
               return then(k) - a(k) < -k_falls * moment() / sizes_.time * size;
           });
}

std::vector<Exclusion> FrictionTransition::turning_back(const Instant& now, const Moment& m,
                                                        const std::vector<Index>& resting) const {
    std::vector<Exclusion> list;
    const auto& values = guard_values(now, m);
    const auto& rates = guard_rates(now, m);
    const double small = small_force(values, m);
    // Well above the rounding of a difference of rates.
    constexpr double k_bent = 1e-6;
    const double bent = k_bent * m.numbers.b.cwiseAbs().maxCoeff() /
                        m.numbers.D.diagonal().cwiseAbs().maxCoeff() / (sizes_.time * sizes_.time);
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        const GuardRole& f = guards_.roles[g];
        const bool decides = f.role == Role::normal || f.role == Role::idle ||
                             f.role == Role::bound_plus || f.role == Role::bound_minus;
        if (!decides) continue;
        if (std::find(resting.begin(), resting.end(), f.side) == resting.end()) continue;
        if (!watched(now, f) || std::abs(values[g]) > zero_below(f, small)) continue;
        const double steady = 1e2 * zero_below(f, small) / sizes_.time;
        // A load that grows from zero like t² (a bead released at the side of a ring) presses one side of its guide and
        // would pull the other.
        const bool force = f.role == Role::normal || f.role == Role::idle;
        if (rates[g] < -steady ||
            (force && std::abs(rates[g]) <= steady && guard_bends(now, m)[g] < -bent))
            add_exclusions(f, slip_count(f.side), list);
    }
    return list;
}

// Second derivatives of the guards, from their rates a moment later. Series of the guards at the instant would replace that.
const std::vector<double>& FrictionTransition::guard_bends(const Instant& now,
                                                           const Moment& m) const {
    const auto& rates = guard_rates(now, m);
    if (!m.guards.bends.empty()) return m.guards.bends;
    m.guards.bends = rates_(ahead(now, m, moment(), VectorXd()));
    for (std::size_t g = 0; g < rates.size(); ++g)
        m.guards.bends[g] = (m.guards.bends[g] - rates[g]) / moment();
    return m.guards.bends;
}

} // namespace liaison::realise
