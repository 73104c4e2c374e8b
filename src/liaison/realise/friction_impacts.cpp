// SPDX-License-Identifier: Apache-2.0
// Impacts at one instant, ordinary and tangential: applied to the state and told as events.
#include "liaison/flow/decisions.hpp"
#include "liaison/laws/tangential_limit.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/realise/restitution_range.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;
using laws::ContactMode;

std::vector<laws::ImpactContact> FrictionTransition::impact_contacts(const Instant& now,
                                                                     const Moment& m) const {
    std::vector<laws::ImpactContact> contacts;
    for (const Index k : m.at_zero)
        contacts.push_back(
            {coulomb(now, m, k), m.numbers.restitution(k), events_.restitution[index(k)]});
    return contacts;
}

bool FrictionTransition::impacts(Instant& now, Moment& m, Outcome& outcome) const {
    laws::NormalImpactOptions options = events_.impacts;
    options.rate_tolerance = m.still;
    bool approaching = false;
    for (const Index k : m.at_zero) approaching = approaching || m.w(k) < -options.rate_tolerance;
    if (!approaching) return true;
    for (const Index k : m.at_zero) {
        if (!in_range(m.numbers.restitution(k)))
            return fail(outcome, out_of_range(side(k).name, m.numbers.restitution(k)), now);
    }
    const auto contacts = impact_contacts(now, m);
    const auto result = laws::friction_impact(m.numbers.D, m.w, contacts, options);
    if (!result.solved) {
        // Theory of many contacts §4.1.
        const char* why = result.none ? ": friction can lock them, and a surface or a law of "
                                        "impact asks them to move on,"
                                      : "";
        return fail(outcome, fmt::format("{} (contacts {}){}", result.reason, among(m), why), now);
    }
    // One problem for all of them; a sequence of collisions follows its rule and has none.
    if (options.rule != laws::ImpactRule::sequential) {
        const bool one = result.collisions.front().solutions == 1;
        // Nobody looks for other expansions of Poisson's law.
        const bool all = result.note.empty() && options.rule == laws::ImpactRule::simultaneous;
        flow::tell(!all  ? flow::Certificate::found
                   : one ? flow::Certificate::unique_enumerated
                         : flow::Certificate::several_enumerated,
                   now.time.rounded());
    }
    int stage = 0;
    for (const laws::FrictionCollision& c : result.collisions) {
        flow::Event e = collision_event(flow::EventKind::impact, c, now, m);
        e.stage = result.collisions.size() > 1 ? ++stage : 0;
        if (!result.note.empty()) {
            e.case_name = "not certified";
            e.rule = result.note;
        }
        if (result.collapsed && &c == &result.collisions.back()) {
            e.case_name = "collapse completed";
            e.rule = "plastic projection";
        }
        outcome.events.push_back(std::move(e));
    }
    return true;
}

std::string FrictionTransition::among(const Moment& m) const {
    std::string names;
    for (const Index k : m.at_zero) {
        names += names.empty() ? "" : ", ";
        names += side(k).side.empty() ? side(k).name : side(k).name + " " + side(k).side;
    }
    return names;
}

flow::Event FrictionTransition::collision_event(flow::EventKind kind,
                                                const laws::FrictionCollision& c, Instant& now,
                                                Moment& m) const {
    const Index k = m.at_zero[c.contact];
    flow::Event e = event(kind, k, now, m.accuracy);
    const double before = events_.problem->energy(now);
    const VectorXd jump = m.numbers.response * c.impulse;
    for (Index i = 0; i < jump.size(); ++i) now.state[n_positions_ + index(i)] += jump(i);
    m.w = c.after;
    e.state_plus = now.state;
    e.impulse = c.impulse(k);
    const Index slip = events_.problem->slip_row(k);
    for (Index j = 0; j < slip_count(k); ++j) e.tangential.push_back(c.impulse(slip + j));
    e.energy = events_.problem->energy(now) - before;
    e.energy_relative = c.energy();
    e.gap_rate = c.before(k);
    if (c.course) e.course = course(*c.course, slip_count(k));
    for (std::size_t j = 0; j < m.at_zero.size(); ++j) {
        if (c.impulse(m.at_zero[j]) != 0.0) m.struck[index(m.at_zero[j])] = 1;
    }
    if (!c.mode.empty() && c.mode.size() > 1) e.contacts = shares(c, m);
    if (c.solutions > 1) {
        e.case_name = fmt::format("{} solutions of the impact", c.solutions);
        e.rule = "most sticking";
    }
    if (c.scaled) {
        e.case_name = "energy would grow";
        e.rule = fmt::format("restitution times {:.9g}", *c.scaled);
    }
    if (c.plastic_instead) {
        e.case_name = "no impact with restitution";
        e.rule = "plastic";
    }
    if (c.poisson_instead) {
        e.case_name = "energy would grow";
        e.rule = "poisson";
    }
    return e;
}

flow::ImpactCourse FrictionTransition::course(const laws::FrictionImpact& impact, Index slips) {
    flow::ImpactCourse result{impact.compression, impact.work_normal, impact.work_friction, {}};
    for (const laws::ImpactPhase& p : impact.phases) {
        result.phases.push_back({p.sticking, p.impulse, p.normal_rate, {}});
        for (Index j = 0; j < slips; ++j) result.phases.back().slip.push_back(p.slip(j));
    }
    return result;
}

std::vector<flow::ContactShare> FrictionTransition::shares(const laws::FrictionCollision& c,
                                                           const Moment& m) const {
    std::vector<flow::ContactShare> list;
    for (std::size_t j = 0; j < m.at_zero.size(); ++j) {
        const Index k = m.at_zero[j];
        flow::ContactShare share{
            side(k).name, side(k).side, c.impulse(k), {}, c.before(k), c.after(k), {}};
        for (Index i = 0; i < slip_count(k); ++i)
            share.tangential.push_back(c.impulse(events_.problem->slip_row(k) + i));
        switch (c.mode[j]) {
        case ContactMode::open: share.mode = "open"; break;
        case ContactMode::closed: share.mode = "closed"; break;
        case ContactMode::stick: share.mode = "stick"; break;
        case ContactMode::slip_plus:
        case ContactMode::slip_minus: share.mode = "slip"; break;
        }
        list.push_back(std::move(share));
    }
    return list;
}

bool FrictionTransition::turn_out(Instant& now, Moment& m, Index k, Outcome& outcome) const {
    if (slip_count(k) != 2) return false;
    const Index t = events_.problem->slip_row(k);
    const double mu = m.numbers.sliding_plus(k);
    const double D_nn = m.numbers.D(k, k);
    const Eigen::Vector2d c = m.numbers.D.block<2, 1>(t, k);
    const Eigen::Matrix2d D_tt = m.numbers.D.block<2, 2>(t, t);
    const Eigen::Vector2d v = m.w.segment<2>(t);
    const Eigen::Vector2d s = v.normalized();
    const Eigen::Vector2d across(-s(1), s(0));
    const Eigen::Vector2d rate = c - mu * D_tt * s; // dv/dN
    const double beta = -mu / v.norm() * c.dot(across) * across.dot(rate); // dB₁'/dN
    // The motion from B₁' = 0 has the impulse B₁'/β; with a part of it the normal force is bounded.
    constexpr double k_clear = 1e-6;
    const double N = k_clear * D_nn / beta;
    if (!(beta > 0.0) || !(N * rate.norm() < 1e-3 * v.norm())) return false;
    const Eigen::Vector2d halfway = (v + 0.5 * N * rate).normalized();
    VectorXd impulse = VectorXd::Zero(m.w.size());
    impulse.segment<2>(t) = -mu * N * halfway;
    impulse(k) = -c.dot(impulse.segment<2>(t)) / D_nn; // the contact stays closed
    const VectorXd jump = m.numbers.response * impulse;
    for (Index i = 0; i < jump.size(); ++i) now.state[n_positions_ + index(i)] += jump(i);
    m.w += m.numbers.D * impulse;
    m.w(k) = 0.0;
    flow::Event e = event(flow::EventKind::slip, k, now, m.accuracy);
    e.case_name = "boundary";
    e.rule = "slip turns out of the paradox";
    outcome.events.push_back(std::move(e));
    m.case_name.clear();
    m.rule.clear();
    return true;
}

std::optional<bool> FrictionTransition::tangential_impact(Instant& now, Moment& m, Index k,
                                                          const std::vector<Index>& island,
                                                          const FrictionChoice& choice,
                                                          Outcome& outcome) const {
    measure(now, m); // relays have no part in impacts
    const auto contacts = impact_contacts(now, m);
    const auto at = static_cast<std::size_t>(std::find(m.at_zero.begin(), m.at_zero.end(), k) -
                                             m.at_zero.begin());
    const auto collision = laws::single_impact(m.numbers.D, m.w, contacts, at);
    // Where others leave the contact one direction only, no impulse ends the compression.
    const bool ends = collision.impulse(k) > 0.0 && collision.course && collision.course->finished;
    if (!ends) {
        if (turn_out(now, m, k, outcome)) return true;
        return tangential_impacts(now, m, island, choice, outcome);
    }
    flow::Event e = collision_event(flow::EventKind::tangential_impact, collision, now, m);
    e.case_name = choice.case_name;
    e.rule = choice.rule;
    outcome.events.push_back(std::move(e));
    m.case_name.clear();
    m.rule.clear();
    // The others may approach now.
    return impacts(now, m, outcome);
}

std::optional<laws::FrictionCollision>
FrictionTransition::limit_of(const Instant& now, const Moment& m,
                             const std::vector<Index>& island) const {
    std::vector<std::size_t> members;
    for (std::size_t j = 0; j < m.at_zero.size(); ++j) {
        if (std::ranges::find(island, m.at_zero[j]) != island.end()) members.push_back(j);
    }
    return laws::tangential_limit(m.numbers.D, m.w, m.numbers.b, impact_contacts(now, m), members);
}

std::optional<bool> FrictionTransition::tangential_impacts(Instant& now, Moment& m,
                                                           const std::vector<Index>& island,
                                                           const FrictionChoice& choice,
                                                           Outcome& outcome) const {
    measure(now, m); // relays have no part in impacts
    const auto collision = limit_of(now, m, island);
    if (!collision) return std::nullopt;
    flow::Event e = collision_event(flow::EventKind::tangential_impact, *collision, now, m);
    e.case_name = choice.case_name;
    e.rule = collision->solutions > 1
                 ? fmt::format("moreau-limit, most sticking of {}", collision->solutions)
                 : "moreau-limit";
    if (!collision->certified) e.rule += ", others were not looked for";
    outcome.events.push_back(std::move(e));
    m.case_name.clear();
    m.rule.clear();
    return impacts(now, m, outcome);
}

} // namespace liaison::realise
