// SPDX-License-Identifier: Apache-2.0
// Contacts beside relays: modes that both accept.
//
// What a contact does depends on the forces of the relays, and what a relay does on its surface on the contacts. Relays and
// contacts that do not act on each other are decided apart. Of the others all possibilities of the relays on their surfaces are
// looked at: each side, sliding with a value that follows, and, where contacts hold the surface, a value that goes on as it is.
// For each the contacts decide; it is a motion where the relays accept what the contacts decided, and the contacts the values
// that the relays then have. Of many relays both decide in turn first, from the present modes on: what both accept is a motion
// as well, and there are as many ways to look through as powers of four.
#include "liaison/flow/decisions.hpp"
#include "liaison/realise/friction_transition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

namespace {

constexpr std::size_t k_few = 3; // relays, whose possibilities are looked through at once
constexpr std::size_t k_most_possibilities = 4096;
constexpr int k_most_turns = 30;

bool tells_force(const GuardRole& f) {
    return f.role == Role::normal || f.role == Role::idle || f.role == Role::bound_plus ||
           f.role == Role::bound_minus;
}

} // namespace

void FrictionTransition::measure_beside(const Instant& now, Moment& m) const {
    if (m.following.empty()) {
        measure(now, m);
        return;
    }
    m.numbers = numbers_at(now, m);
    m.measured.clear();
}

ContactNumbers FrictionTransition::numbers_at(const Instant& now, const Moment& m) const {
    if (m.following.empty()) return events_.problem->at(now);
    Instant free = now;
    modes_.open_all(free);
    return events_.relays->eliminate(*events_.problem, std::move(free), m.following);
}

std::vector<FrictionTransition::RelayOption>
FrictionTransition::relay_options(const Instant& now, const Moment& m, std::size_t relay) const {
    const RelayRule& rule = events_.relays->rule();
    const int side = rule.side(now, relay);
    const bool follows = side == 0 && rule.follows(now, relay);
    double value = 0.0;
    if (side == 0) {
        value = rule.values(now)(static_cast<Index>(relay));
        value = std::isfinite(value) ? std::clamp(value, -1.0, 1.0) : 0.0;
    }
    const RelayOption follow{0, 0.0, true};
    const RelayOption held{0, value, false};
    std::vector<RelayOption> list = follows ? std::vector{follow, held} : std::vector{held, follow};
    // Where a force of a contact came to its limit what relay and contact hold may be shared anew: the relay all it can, or its
    // limit, and the contact the rest.
    const bool anew = std::ranges::any_of(m.fired, tells_force);
    if (anew) list.push_back({0, 0.0, true, true});
    for (const double limit : {1.0, -1.0}) {
        if (side != 0 || follows || value != limit) list.push_back({0, limit, false, anew});
    }
    if (anew && !follows) std::ranges::rotate(list.begin() + 1, list.begin() + 2, list.end());
    for (const int s : side > 0 ? std::array{-1, 1} : std::array{1, -1})
        list.push_back({s, static_cast<double>(s), false});
    return list;
}

bool FrictionTransition::choose_beside_relays(Instant& now, Moment& m, Outcome& outcome) const {
    if (!events_.relays || m.at_zero.empty()) return choose_modes(now, m, outcome);
    const RelaysBeside& relays = *events_.relays;
    const Instant before = now;
    const auto zero = relays.zero(now, m.relays);
    relays.take_sides(now, zero);
    if (!m.relays_before) m.relays_before = before;
    if (zero.empty()) return choose_modes(now, m, outcome);
    Instant free = now;
    modes_.open_all(free);
    const std::vector<Index> all = m.at_zero;
    const Instant start = now;
    for (const auto& island : relays.islands(*events_.problem, free, all, zero)) {
        if (island.contacts.empty()) continue; // the relays alone decide
        m.at_zero = island.contacts;
        const bool decided = island.relays.empty() ? choose_modes(now, m, outcome)
                                                   : choose_with(now, m, island.relays, outcome);
        m.at_zero = all;
        if (!decided) return false;
        // A tangential impact moved the state, perhaps off the surfaces: what follows is decided there.
        if (now.state != start.state && m.strikes++ < 3)
            return choose_beside_relays(now, m, outcome);
    }
    m.following.clear();
    measure(now, m);
    return true;
}

// The choice of the relays that is what they do now, where they and the contacts at rest accept each other.
std::optional<RelayChoice> FrictionTransition::accepted(const Instant& there,
                                                        const std::vector<std::size_t>& zero,
                                                        const std::vector<Index>& contacts,
                                                        bool lasts) const {
    const RelayRule& rule = events_.relays->rule();
    for (const RelayChoice& choice : rule.decide(there, zero).choices) {
        bool same = true;
        for (const std::size_t b : zero) same = same && choice.side[b] == rule.side(there, b);
        if (!same) continue;
        Instant after = there;
        take(after, choice, zero);
        // A given value is for surfaces that contacts hold.
        const bool given = std::ranges::all_of(zero, [&](std::size_t b) {
            return rule.side(there, b) != 0 || rule.follows(there, b) == rule.follows(after, b);
        });
        if (!given || !agrees_here(after, contacts)) continue;
        if (!lasts || goes_on(after, contacts)) return choice;
    }
    return std::nullopt;
}

// What a choice says of these relays; the others go on.
void FrictionTransition::take(Instant& now, const RelayChoice& choice,
                              const std::vector<std::size_t>& zero) const {
    const RelayRule& rule = events_.relays->rule();
    Instant after = now;
    rule.apply(after, choice);
    for (const std::size_t b : zero) rule.copy_mode(after, now, b);
}

bool FrictionTransition::choose_with(Instant& now, Moment& m, const std::vector<std::size_t>& zero,
                                     Outcome& outcome) const {
    const RelayRule& rule = events_.relays->rule();
    std::vector<std::vector<RelayOption>> options;
    double possibilities = 1.0;
    for (const std::size_t b : zero) {
        options.push_back(relay_options(now, m, b));
        possibilities *= static_cast<double>(options.back().size());
    }
    const auto assign = [&](const std::vector<RelayOption>& chosen, Instant& there, Moment& mine) {
        mine.following.clear();
        for (std::size_t j = 0; j < zero.size(); ++j) {
            const RelayOption& o = chosen[j];
            rule.set(there, zero[j], o.side, o.value, o.follows);
            if (o.follows) mine.following.push_back(zero[j]);
            if (o.anew) std::erase_if(mine.fired, tells_force);
        }
        std::ranges::sort(mine.following);
    };
    // The contacts beside relays that do this; true: it is a motion, and taken. `there` is what the contacts decided otherwise.
    std::optional<Instant> there;
    const auto attempt = [&](const std::vector<RelayOption>& chosen, bool lasts) {
        there = now;
        {
            Moment mine = m;
            Outcome told = outcome;
            assign(chosen, *there, mine);
            const flow::Listening nobody(nullptr);
            if (!choose_modes(*there, mine, told)) {
                there.reset();
                return false;
            }
            settle_idle(*there, mine);
            if (there->state == now.state && !accepted(*there, zero, m.at_zero, lasts))
                return false;
        }
        there = now;
        Moment mine = m;
        Outcome told = outcome;
        assign(chosen, *there, mine);
        if (!choose_modes(*there, mine, told)) return false;
        settle_idle(*there, mine);
        if (const auto choice = accepted(*there, zero, m.at_zero, lasts))
            take(*there, *choice, zero);
        now = *there;
        m = std::move(mine);
        outcome = std::move(told);
        return true;
    };
    if (zero.size() > k_few && decide_in_turn(zero, options, attempt, there)) return true;
    // Those that last come first; where something else happens at once, those that agree now.
    if (possibilities <= static_cast<double>(k_most_possibilities)) {
        const auto count = static_cast<std::size_t>(possibilities);
        for (std::size_t i = 0; i < 2 * count; ++i) {
            std::size_t c = i % count;
            std::vector<RelayOption> chosen(zero.size());
            for (std::size_t j = zero.size(); j-- > 0;) {
                chosen[j] = options[j][c % options[j].size()];
                c /= options[j].size();
            }
            if (attempt(chosen, i < count)) return true;
        }
    }
    return choose_apart(now, m, zero, outcome);
}

// A contact that carries nothing while relays hold its gap slips where the others take it.
void FrictionTransition::settle_idle(Instant& now, const Moment& m) const {
    const ContactNumbers n = events_.problem->at(now);
    const VectorXd a = accelerations(now, n);
    if (a.size() == 0) return;
    const double still = 1e-8 * a.cwiseAbs().maxCoeff();
    for (const Index k : m.at_zero) {
        const bool idle = modes_.touch(now, k) == Touch::stick && !modes_.carries(now, k);
        if (!idle || slip_count(k) != 1 || slip_speed(m.w, k) > 0.0) continue;
        const double along = a(events_.problem->slip_row(k));
        if (std::abs(along) <= still) continue;
        modes_.set(now, k, along > 0.0 ? Touch::slip_plus : Touch::slip_minus, false, false);
    }
}

// What the contacts decide beside the present relays, then what the relays decide beside these contacts, and so on.
bool FrictionTransition::decide_in_turn(const std::vector<std::size_t>& zero,
                                        const std::vector<std::vector<RelayOption>>& options,
                                        const Attempt& attempt,
                                        const std::optional<Instant>& there) const {
    const RelayRule& rule = events_.relays->rule();
    std::vector<RelayOption> chosen;
    for (const auto& list : options) chosen.push_back(list.front());
    std::vector<std::vector<RelayOption>> tried;
    for (int turn = 0; turn < k_most_turns; ++turn) {
        if (attempt(chosen, true)) return true;
        tried.push_back(chosen);
        if (!there) return false;
        bool found = false;
        for (const RelayChoice& choice : rule.decide(*there, zero).choices) {
            Instant after = *there;
            take(after, choice, zero);
            std::vector<RelayOption> next;
            for (const std::size_t b : zero) {
                const int side = rule.side(after, b);
                const bool follows = rule.follows(after, b);
                const double value = choice.w(static_cast<Index>(b));
                next.push_back({side, follows ? 0.0 : side != 0 ? side : value, follows});
            }
            if (std::ranges::find(tried, next) != tried.end()) continue;
            chosen = std::move(next);
            found = true;
            break;
        }
        if (!found) return false;
    }
    return false;
}

// The relays decide themselves, with the contacts as they are now, and tell what changed. A value that contacts hold from now on goes on
// as it is.
void FrictionTransition::give_relays_back(Instant& now, const Moment& m) const {
    if (!m.relays_before) return;
    const RelayRule& rule = events_.relays->rule();
    for (std::size_t b = 0; b < rule.size(); ++b) {
        const bool held = rule.side(now, b) == 0 && !rule.follows(now, b);
        if (!held || rule.side(*m.relays_before, b) != 0) rule.copy_mode(*m.relays_before, now, b);
    }
}

// No motion of both was found: the contacts decide beside the relays as they are, and that is told.
bool FrictionTransition::choose_apart(Instant& now, Moment& m, const std::vector<std::size_t>& zero,
                                      Outcome& outcome) const {
    m.following.clear();
    if (!choose_modes(now, m, outcome)) return false;
    std::string names;
    for (const std::size_t b : zero)
        names += (names.empty() ? "" : ", ") + events_.relays->names()[b];
    m.case_name = "not certified";
    m.rule = fmt::format("decided beside {} as {}, not together", names,
                         zero.size() > 1 ? "they are" : "it is");
    m.apart = true;
    return true;
}

// No contact is closed or touches.
bool FrictionTransition::flies(const Instant& now) const {
    const auto values = values_(now);
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        const GuardRole& f = guards_.roles[g];
        if (f.role != Role::gap) continue;
        if (modes_.closed(now, f.side) || std::abs(values[g]) <= gap_rounding(now)) return false;
    }
    return true;
}

bool FrictionTransition::agrees(const Instant& now) const {
    if (!events_.relays || flies(now)) return true;
    std::vector<Index> all;
    for (Index k = 0; k < count(); ++k) all.push_back(k);
    return agrees_here(now, all) && goes_on(now, all);
}

// A force that is at its limit, or a slip that only starts, tells a short time later whether the modes last.
bool FrictionTransition::goes_on(const Instant& now, const std::vector<Index>& contacts) const {
    constexpr double k_part = 1e-5;
    const auto field = field_(now);
    const double left = k_part * time_of_change(now, field);
    Instant later = now;
    for (std::size_t i = 0; i < later.state.size(); ++i) later.state[i] += left * field[i];
    later.time = now.time + left;
    later.field_time += left;
    return agrees_here(later, contacts);
}

// Sizes of the accelerations of gaps and slips without contacts and relays.
VectorXd FrictionTransition::free_accelerations(const Instant& now) const {
    Instant without = now;
    const RelayRule& rule = events_.relays->rule();
    for (std::size_t r = 0; r < rule.size(); ++r) rule.set(without, r, 0, 0.0, false);
    return events_.problem->at(without).b.cwiseAbs();
}

// The time in which velocities, v/a with at least v² = a s for the lengths s of the motion, or forces of contacts change by their own
// size. Where nothing says so, at rest in the origin under constant forces, it is one.
double FrictionTransition::time_of_change(const Instant& now,
                                          const std::vector<double>& field) const {
    double length = sizes_.start_length;
    double speed = sizes_.start_speed;
    // What contacts and relays hold, and the forces that belong to it: those of the moment may vanish.
    const VectorXd free = free_accelerations(now);
    const VectorXd response = events_.problem->at(now).D.diagonal();
    double acceleration = free.maxCoeff();
    double force = 0.0;
    for (Index i = 0; i < free.size(); ++i) {
        if (response(i) > 0.0) force = std::max(force, free(i) / response(i));
    }
    constexpr double k_seen = 1e-6; // beside errors of the motion
    for (std::size_t i = 0; i < n_controlled_; ++i) {
        const bool position = i < n_positions_;
        const double x = std::abs(now.state[i]);
        double& size = position ? length : speed;
        if (x > k_seen * (position ? sizes_.length : sizes_.speed)) size = std::max(size, x);
        if (!position) acceleration = std::max(acceleration, std::abs(field[i]));
    }
    speed = std::max(speed, std::sqrt(acceleration * length));
    const auto values = values_(now);
    const auto rates = rates_(now);
    double rate = 0.0;
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        const GuardRole& f = guards_.roles[g];
        if (!tells_force(f) || slip_count(f.side) == 2 || !watched(now, f)) continue;
        force = std::max(force, std::abs(values[g]));
        rate = std::max(rate, std::abs(rates[g]));
    }
    constexpr double k_rounding = 1e-12;
    const bool moves = speed > 0.0 && acceleration > 0.0;
    double time = moves ? speed / acceleration : 1.0;
    if (rate > k_rounding * force && (!moves || rate * time > force)) time = force / rate;
    return time;
}

// At a gap of zero: a bounce that is small beside what counts as closed is one all the same.
bool FrictionTransition::rests(const Instant& now, const ContactNumbers& n, Index k) const {
    return std::abs(n.gap(k)) <= gap_rounding(now) && std::abs(n.rate(k)) <= rate_tolerance(now);
}

bool FrictionTransition::agrees_here(const Instant& now, const std::vector<Index>& contacts) const {
    Moment m(count());
    m.numbers = events_.problem->at(now);
    const ContactNumbers& n = m.numbers;
    const auto field = field_(now);
    if (!n.regular || n.W.cols() != n.v_dot.size()) return true;
    VectorXd v_dot(n.v_dot.size());
    for (Index i = 0; i < v_dot.size(); ++i) v_dot(i) = field[n_positions_ + index(i)];
    if (!v_dot.allFinite()) return false;
    const VectorXd pushed = n.W * (v_dot - n.v_dot);
    const VectorXd a = n.b + pushed;
    const VectorXd w = velocities(n);
    // What relays hold leaves rounding of it: what is small is seen without them.
    m.numbers.b = n.b.cwiseAbs().cwiseMax(free_accelerations(now));
    const double still = 1e-8 * (m.numbers.b.maxCoeff() + pushed.cwiseAbs().maxCoeff());
    for (const Index k : contacts) {
        const Touch touch = modes_.touch(now, k);
        if (touch == Touch::open) {
            if (rests(now, n, k) && a(k) < -still) return false;
            continue;
        }
        m.at_zero.push_back(k);
        if (std::abs(a(k)) > still) return false;
        if (slip_count(k) == 0 || slip_speed(w, k) > rest_tolerance(now)) continue;
        const Index row = events_.problem->slip_row(k);
        if (sticks(touch)) {
            if (a.segment(row, slip_count(k)).cwiseAbs().maxCoeff() > still) return false;
        } else if (slip_count(k) == 1) {
            if ((touch == Touch::slip_plus ? a(row) : -a(row)) < -still) return false;
        }
    }
    return admissible(now, m, m.at_zero);
}

Outcome FrictionTransition::decide_again(Instant& now, std::span<const std::size_t> zero) const {
    Moment m(count());
    const ContactNumbers numbers = events_.problem->at(now);
    for (Index k = 0; k < count(); ++k) {
        m.hit[index(k)] = !modes_.closed(now, k) && rests(now, numbers, k) ? 1 : 0;
    }
    m.relays.assign(zero.begin(), zero.end());
    return resolve(now, m);
}

} // namespace liaison::realise
