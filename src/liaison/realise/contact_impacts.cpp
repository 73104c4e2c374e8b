// SPDX-License-Identifier: Apache-2.0
// The law of impact applied to the state, collision by collision.
#include "liaison/realise/contact_impacts.hpp"

#include "liaison/flow/decisions.hpp"
#include "liaison/flow/outcome_room.hpp"
#include "liaison/realise/resting_contacts.hpp"
#include "liaison/realise/restitution_range.hpp"

#include <fmt/format.h>

namespace liaison::realise {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

bool ContactImpacts::strike(Instant& now, const SparseContactNumbers& numbers,
                            const std::vector<Index>& at_zero, VectorXd& rate, double still,
                            double accuracy, Outcome& outcome, Stages* stages) const {
    bool approaching = false;
    for (const Index k : at_zero) approaching = approaching || rate(k) < -still;
    if (!approaching) return true;
    for (const Index k : at_zero) {
        if (in_range(numbers.restitution(k))) continue;
        outcome = contact_failure(out_of_range(slots_.side(k).name, numbers.restitution(k)), now);
        return false;
    }
    if (at_zero.size() == 1) {
        strike_alone(now, numbers, at_zero.front(), rate, accuracy, outcome, stages);
        return true;
    }

    laws::NormalImpactOptions options = rule_;
    options.rate_tolerance = still;
    const auto result = laws::normal_impact(numbers.D.block(at_zero), rate(at_zero),
                                            numbers.restitution(at_zero), options);
    if (!result.solved) {
        outcome = contact_failure(result.reason, now);
        return false;
    }
    // One complementarity problem for all of them; a sequence of collisions follows its rule and has none.
    if (flow::heard() && options.rule != laws::ImpactRule::sequential)
        flow::tell(definite(numbers.D, at_zero) ? flow::Certificate::unique_p_matrix
                                                : flow::Certificate::unique_accelerations,
                   now.time.rounded());
    if (stages != nullptr) note(result, at_zero, *stages);
    const Index n_velocities = numbers.v_dot.size();
    int stage = 0;
    // Several that approach at one instant are told, also where no order of their collisions makes a difference.
    const bool together = options.rule == laws::ImpactRule::sequential && at_zero.size() <= 8 &&
                          (rate(at_zero).array() < -still).count() > 1;
    for (const laws::Collision& c : result.collisions) {
        const Index k = at_zero[c.contact];
        flow::Event e = slots_.event(flow::EventKind::impact, k, now, accuracy);
        e.state_minus = now.state;
        const double before = slots_.problem().energy(now);
        const VectorXd jump = numbers.response.combined(at_zero, c.impulse, n_velocities);
        for (Index i = 0; i < jump.size(); ++i)
            now.state[slots_.positions() + static_cast<std::size_t>(i)] += jump(i);
        e.state_plus = now.state;
        e.impulse = c.impulse(static_cast<Index>(c.contact));
        e.energy = slots_.problem().energy(now) - before;
        e.energy_relative = c.energy;
        e.gap_rate = c.rate_before(static_cast<Index>(c.contact));
        // One coefficient rules a collision of the sequence: restitution returns e times the compression.
        if (options.rule == laws::ImpactRule::sequential || result.energy_avoided > 0.0)
            e.course = {*e.impulse / (1.0 + numbers.restitution(k)), c.energy, 0.0, {}};
        e.stage = result.collisions.size() > 1 ? ++stage : 0;
        if (result.order_difference > options.rate_tolerance) {
            e.case_name = fmt::format("simultaneous impact, result depends on the order: gap rates "
                                      "differ by {:.6g}",
                                      result.order_difference);
            e.rule = "sequential";
        } else if (together) {
            e.case_name = "simultaneous impact, the same in every order";
            e.rule = "sequential";
        }
        if (result.energy_avoided > 0.0) {
            e.case_name = fmt::format("the simultaneous law would create {:.6g} of energy at a "
                                      "contact that separates already",
                                      result.energy_avoided);
            e.rule = "sequential";
        }
        if (options.rule != laws::ImpactRule::sequential && result.energy_avoided == 0.0)
            e.contacts = shares(at_zero, c);
        if (result.collapsed && &c == &result.collisions.back()) {
            e.case_name = "collapse completed";
            e.rule = "plastic projection";
        }
        outcome.events.push_back(std::move(e));
    }
    for (std::size_t j = 0; j < at_zero.size(); ++j)
        rate(at_zero[j]) = result.rate_after(static_cast<Index>(j));
    return true;
}

// The usual impact: one contact, nothing else touches. All rules agree.
void ContactImpacts::strike_alone(Instant& now, const SparseContactNumbers& numbers, Index k,
                                  VectorXd& rate, double accuracy, Outcome& outcome,
                                  Stages* stages) const {
    const auto impact = laws::lone_impact(numbers.D(k, k), rate(k), numbers.restitution(k));
    if (stages != nullptr) stages->list.push_back({{{k, ImpulseStage::Rule::bounce}}});
    flow::Event& e = outcome.events.emplace_back();
    e.time = now.time;
    e.kind = flow::EventKind::impact;
    e.where = slots_.side(k).name;
    e.side = slots_.side(k).side;
    e.accuracy = accuracy;
    e.state_minus = flow::state_copy(now.state);
    const double before = slots_.problem().energy(now);
    numbers.response.add(k, impact.impulse, now.state.data() + slots_.positions());
    e.state_plus = flow::state_copy(now.state);
    e.impulse = impact.impulse;
    e.energy = slots_.problem().energy(now) - before;
    e.energy_relative = impact.energy;
    e.gap_rate = rate(k);
    if (rule_.rule == laws::ImpactRule::sequential)
        e.course = {impact.impulse / (1.0 + numbers.restitution(k)), impact.energy, 0.0, {}};
    rate(k) = impact.rate_after;
}

// The parts of all contacts in an impact that they share.
std::vector<flow::ContactShare> ContactImpacts::shares(const std::vector<Index>& at_zero,
                                                       const laws::Collision& c) const {
    std::vector<flow::ContactShare> all;
    for (std::size_t j = 0; j < at_zero.size(); ++j) {
        const auto i = static_cast<Index>(j);
        flow::ContactShare share;
        share.where = slots_.side(at_zero[j]).name;
        share.side = slots_.side(at_zero[j]).side;
        share.impulse = c.impulse(i);
        share.gap_rate = c.rate_before(i);
        share.gap_rate_after = c.rate_after(i);
        share.mode = c.impulse(i) > 0.0 ? "struck" : "untouched";
        all.push_back(std::move(share));
    }
    return all;
}

// The collisions of an impact as stages: who took an impulse, and by which rule.
void ContactImpacts::note(const laws::NormalImpact& result, const std::vector<Index>& at_zero,
                          Stages& stages) const {
    for (const laws::Collision& c : result.collisions) {
        const bool plastic = result.collapsed && &c == &result.collisions.back();
        ImpulseStage stage;
        for (std::size_t j = 0; j < at_zero.size(); ++j) {
            const auto i = static_cast<Index>(j);
            if (!(c.impulse(i) > 0.0)) continue;
            const bool bounce = !plastic && c.rate_before(i) < 0.0;
            stage.members.push_back(
                {at_zero[j], bounce ? ImpulseStage::Rule::bounce : ImpulseStage::Rule::stop});
        }
        stages.known =
            stages.known && (rule_.rule != laws::ImpactRule::poisson || stage.members.size() == 1);
        stages.list.push_back(std::move(stage));
    }
}

} // namespace liaison::realise
