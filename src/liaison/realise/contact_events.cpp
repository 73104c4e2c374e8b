// SPDX-License-Identifier: Apache-2.0
// The transition of ideal contacts: impacts, then which contacts stay closed, then which guards are armed.
//
// At one instant, always the same lines (theory of many contacts): collect the contacts with g = 0; impacts while
// one of them approaches; then, for those at rest in the normal direction, the complementarity problem
//   g̈ = b + D λ,   0 ≤ λ ⊥ g̈ ≥ 0
// for all of them together: opening one may load another.
#include "liaison/realise/contact_events.hpp"

#include "liaison/realise/accumulation_limit.hpp"
#include "liaison/realise/carried_contact.hpp"
#include "liaison/realise/impulse_stages.hpp"
#include "liaison/realise/resting_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

// What an instant did to the velocities, for its derivative.
struct Stages {
    std::vector<ImpulseStage> list;
    std::vector<Index> closed; // before it
    bool known = true; // false: not a sequence of stages
};

class ContactTransition final : public flow::Transition {
  public:
    ContactTransition(ContactEvents events, std::size_t first_guard, std::size_t first_slot,
                      std::size_t n_positions, flow::Probe reactions, flow::Probe reaction_rates,
                      VectorXd start_D)
        : events_(std::move(events)), n_(events_.problem->sides().size()), guard_(first_guard),
          slot_(first_slot), n_positions_(n_positions), reactions_(std::move(reactions)),
          reaction_rates_(std::move(reaction_rates)), start_D_(std::move(start_D)) {}

    Outcome start(Instant& now) const override { return start(now, nullptr); }
    Outcome start(Instant& now, Stages* stages) const {
        const SparseContactNumbers numbers = events_.problem->sparse_at(now);
        std::vector<Index> touching;
        for (Index k = 0; k < count(); ++k) {
            closed(now, k) = 0.0;
            last_time(now, k) = met(now, k) = -std::numeric_limits<double>::infinity();
            if (std::abs(numbers.gap(k)) <= gap_tolerance(now)) touching.push_back(k);
        }
        return resolve(now, touching, {}, 0.0, true, stages);
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        return transit(fired, now, nullptr);
    }
    Outcome transit(std::span<const flow::Firing> fired, Instant& now, Stages* stages) const {
        std::vector<Index> hit;
        std::vector<Index> released;
        double accuracy = 0.0;
        for (const flow::Firing& f : fired) {
            const auto k = static_cast<Index>((f.guard - guard_) / 2);
            ((f.guard - guard_) % 2 == 0 ? hit : released).push_back(k);
            accuracy = std::max(accuracy, f.accuracy);
        }
        return resolve(now, hit, released, accuracy, false, stages);
    }

    // Another owner changed the state (a user event set velocities): contacts that are closed stay so only if
    // they are still at rest, and a jump may have made open ones approach at g = 0.
    Outcome refresh(Instant& now) const override { return refresh(now, nullptr); }
    Outcome refresh(Instant& now, Stages* stages) const {
        const SparseContactNumbers numbers = events_.problem->sparse_at(now);
        bool disturbed = false;
        for (Index k = 0; k < count(); ++k) {
            if (closed(now, k) != 0.0)
                disturbed = disturbed || std::abs(numbers.rate(k)) > rate_tolerance(now);
        }
        if (!disturbed) return {};
        std::vector<Index> touching;
        for (Index k = 0; k < count(); ++k) {
            if (closed(now, k) != 0.0) touching.push_back(k);
            closed(now, k) = 0.0;
        }
        return resolve(now, touching, {}, 0.0, false, stages);
    }

    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const override;

  private:
    [[nodiscard]] Index count() const { return static_cast<Index>(n_); }
    [[nodiscard]] double& closed(Instant& now, Index k) const {
        return now.mode[slot_ + static_cast<std::size_t>(k)];
    }
    // Hidden slots: the last impact of a contact and the accumulation time estimated then.
    [[nodiscard]] double& last_time(Instant& now, Index k) const {
        return now.mode[slot_ + n_ + static_cast<std::size_t>(k)];
    }
    [[nodiscard]] double& last_limit(Instant& now, Index k) const {
        return now.mode[slot_ + 2 * n_ + static_cast<std::size_t>(k)];
    }
    // For contacts that chatter together: the last impact, the interval before it, the common end estimated then.
    [[nodiscard]] double& met(Instant& now, Index k) const {
        return now.mode[slot_ + 3 * n_ + static_cast<std::size_t>(k)];
    }
    [[nodiscard]] double& interval(Instant& now, Index k) const {
        return now.mode[slot_ + 4 * n_ + static_cast<std::size_t>(k)];
    }
    [[nodiscard]] double& common_limit(Instant& now, Index k) const {
        return now.mode[slot_ + 5 * n_ + static_cast<std::size_t>(k)];
    }
    [[nodiscard]] const ContactSide& side(Index k) const {
        return events_.problem->sides()[static_cast<std::size_t>(k)];
    }

    [[nodiscard]] double speed(const Instant& now) const {
        double s = 1.0;
        for (std::size_t i = n_positions_; i < now.state.size(); ++i)
            s = std::max(s, std::abs(now.state[i]));
        return s;
    }
    [[nodiscard]] double rate_tolerance(const Instant& now) const { return 1e-13 * speed(now); }
    [[nodiscard]] double gap_tolerance(const Instant& now) const {
        double s = 1.0;
        for (std::size_t i = 0; i < n_positions_; ++i) s = std::max(s, std::abs(now.state[i]));
        return std::max(1e-12, now.tolerance) * s;
    }

    // Marks by contact.
    [[nodiscard]] std::vector<char> marks(const std::vector<Index>& set) const {
        if (set.empty()) return {};
        std::vector<char> result(n_, 0);
        for (const Index k : set) result[static_cast<std::size_t>(k)] = 1;
        return result;
    }
    static bool in(const std::vector<char>& set, Index k) {
        return !set.empty() && set[static_cast<std::size_t>(k)] != 0;
    }

    flow::Event event(flow::EventKind kind, Index k, const Instant& now, double accuracy) const {
        flow::Event e;
        e.time = now.time;
        e.kind = kind;
        e.where = side(k).name;
        e.side = side(k).side;
        e.accuracy = accuracy;
        return e;
    }

    Outcome resolve(Instant& now, const std::vector<Index>& hit, const std::vector<Index>& released,
                    double accuracy, bool at_start, Stages* stages) const {
        Outcome outcome;
        SparseContactNumbers numbers = events_.problem->sparse_at(now);
        if (!numbers.regular)
            return failure("the accelerations are not determined at a contact", now);

        // Contacts with g = 0: those that are closed (their gap rate is zero by their mode) and those just hit.
        std::vector<Index> at_zero;
        std::vector<char> was_closed(n_, 0);
        constexpr char k_hit = 2;
        for (const Index k : hit) was_closed[static_cast<std::size_t>(k)] = k_hit;
        for (Index k = 0; k < count(); ++k) {
            const bool is_hit = was_closed[static_cast<std::size_t>(k)] == k_hit;
            was_closed[static_cast<std::size_t>(k)] = closed(now, k) != 0.0 ? 1 : 0;
            if (closed(now, k) != 0.0) numbers.rate(k) = 0.0;
            if (closed(now, k) != 0.0 && stages != nullptr) stages->closed.push_back(k);
            if (closed(now, k) != 0.0 || is_hit) at_zero.push_back(k);
        }
        for (const Index k : at_zero) {
            // |∇g|² beside that of the start: the gradient may have any size, but not vanish at the contact.
            constexpr double k_vanished = 1e-14;
            if (!(numbers.D(k, k) > k_vanished * start_D_(k))) {
                return failure(fmt::format("contact {}: the gradient of the gap vanishes where the "
                                           "gap does, so that the reaction has no direction; write "
                                           "the gap so that it grows linearly with the distance",
                                           side(k).name),
                               now);
            }
        }

        VectorXd rate = std::move(numbers.rate);
        // One measure of rest for the whole instant: what an impact leaves as not approaching must not count as moving
        // because the body has become slower.
        const double still = rate_tolerance(now);
        std::vector<Index> struck;
        for (const Index k : at_zero) {
            if (rate(k) < -still) struck.push_back(k);
        }
        if (!impact(now, numbers, at_zero, rate, still, accuracy, outcome, stages)) return outcome;
        complete_accumulations(now, numbers, at_zero, rate, still, was_closed, outcome, stages);
        for (const Index k : struck) {
            if (complete_together(now, k, at_zero, rate, outcome, stages)) break;
        }

        // Which of the contacts at rest carry a reaction.
        const auto leaves = marks(released);
        std::vector<Index> resting;
        for (const Index k : at_zero) {
            if (!in(leaves, k) && std::abs(rate(k)) <= still) resting.push_back(k);
        }
        if (!close(now, resting, outcome)) return outcome;
        const auto rests = marks(resting);
        for (const Index k : at_zero) {
            if (!in(rests, k)) closed(now, k) = 0.0;
        }

        report(now, at_zero, rate, still, was_closed, accuracy, at_start, outcome);
        arm(now, at_zero, leaves, rate, still, outcome);
        return outcome;
    }

    static Outcome failure(std::string what, const Instant& now) {
        Outcome outcome;
        outcome.fail = true;
        outcome.reason = fmt::format("{} at t = {:.15g}", what, now.time.rounded());
        return outcome;
    }

    // Impacts at this instant; velocities and gap rates are those after it. False: no solution.
    bool impact(Instant& now, const SparseContactNumbers& numbers,
                const std::vector<Index>& at_zero, VectorXd& rate, double still, double accuracy,
                Outcome& outcome, Stages* stages) const {
        laws::NormalImpactOptions options = events_.impacts;
        options.rate_tolerance = still;
        bool approaching = false;
        for (const Index k : at_zero)
            approaching = approaching || rate(k) < -options.rate_tolerance;
        if (!approaching) return true;

        const auto result = laws::normal_impact(numbers.D.block(at_zero), rate(at_zero),
                                                numbers.restitution(at_zero), options);
        if (!result.solved) {
            outcome = failure(result.reason, now);
            return false;
        }
        if (stages != nullptr) note(result, at_zero, *stages);
        const Index n_velocities = numbers.v_dot.size();
        int stage = 0;
        for (const laws::Collision& c : result.collisions) {
            const Index k = at_zero[c.contact];
            flow::Event e = event(flow::EventKind::impact, k, now, accuracy);
            e.state_minus = now.state;
            const double before = events_.problem->energy(now);
            const VectorXd jump = numbers.response.combined(at_zero, c.impulse, n_velocities);
            for (Index i = 0; i < jump.size(); ++i)
                now.state[n_positions_ + static_cast<std::size_t>(i)] += jump(i);
            e.state_plus = now.state;
            e.impulse = c.impulse(static_cast<Index>(c.contact));
            e.energy = events_.problem->energy(now) - before;
            e.energy_relative = c.energy;
            e.gap_rate = c.rate_before(static_cast<Index>(c.contact));
            // One coefficient rules a collision of the sequence: restitution returns e times the compression.
            if (options.rule == laws::ImpactRule::sequential)
                e.course = {*e.impulse / (1.0 + numbers.restitution(k)), c.energy, 0.0, {}};
            e.stage = result.collisions.size() > 1 ? ++stage : 0;
            if (result.order_difference > options.rate_tolerance) {
                e.case_name =
                    fmt::format("simultaneous impact, result depends on the order: gap rates "
                                "differ by {:.6g}",
                                result.order_difference);
                e.rule = "sequential";
            }
            if (result.energy_avoided > 0.0) {
                e.case_name = fmt::format("the simultaneous law would create {:.6g} of energy at a "
                                          "contact that separates already",
                                          result.energy_avoided);
                e.rule = "sequential";
            }
            if (options.rule != laws::ImpactRule::sequential && at_zero.size() > 1)
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

    // The parts of all contacts in an impact that they share.
    std::vector<flow::ContactShare> shares(const std::vector<Index>& at_zero,
                                           const laws::Collision& c) const {
        std::vector<flow::ContactShare> all;
        for (std::size_t j = 0; j < at_zero.size(); ++j) {
            const auto i = static_cast<Index>(j);
            flow::ContactShare share;
            share.where = side(at_zero[j]).name;
            share.side = side(at_zero[j]).side;
            share.impulse = c.impulse(i);
            share.gap_rate = c.rate_before(i);
            share.gap_rate_after = c.rate_after(i);
            share.mode = c.impulse(i) > 0.0 ? "struck" : "untouched";
            all.push_back(std::move(share));
        }
        return all;
    }

    // The collisions of an impact as stages: who took an impulse, and by which rule.
    void note(const laws::NormalImpact& result, const std::vector<Index>& at_zero,
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
            stages.known = stages.known && (events_.impacts.rule != laws::ImpactRule::poisson ||
                                            stage.members.size() == 1);
            stages.list.push_back(std::move(stage));
        }
    }

    // Infinitely many bounces in finite time: completed once two successive estimates of their limit agree.
    void complete_accumulations(Instant& now, const SparseContactNumbers& before,
                                const std::vector<Index>& at_zero, VectorXd& rate, double still,
                                const std::vector<char>& was_closed, Outcome& outcome,
                                Stages* stages) const {
        for (const Index k : at_zero) {
            if (was_closed[static_cast<std::size_t>(k)] != 0 || !(rate(k) > still)) continue;
            const double since = now.time.rounded() - last_time(now, k);
            last_time(now, k) = now.time.rounded();
            // Bounces that are far too high to be left out need no estimate.
            constexpr double k_far = 1e6;
            const double height = rate(k) * rate(k) / (2.0 * std::abs(before.b(k)));
            if (height > k_far * gap_tolerance(now) || before.restitution(k) == 1.0) continue;
            const double e = events_.problem->sparse_at(now).restitution(k);
            if (!(e > 0.0) || !(e < 1.0)) continue;
            const auto numbers = [this](const Instant& at) { return events_.problem->at(at); };
            const auto limit = accumulation_limit(*events_.problem, numbers, now, n_positions_, k,
                                                  rate(k), e, since, closed_set(now));
            if (!limit) {
                last_limit(now, k) = 0.0;
                continue;
            }
            const double t_limit = now.time.rounded() + limit->remaining;
            const double change = std::abs(t_limit - last_limit(now, k));
            last_limit(now, k) = t_limit;
            // The bounces that are left out must be invisible at the tolerance, in time and in height.
            const bool settled = change <= now.tolerance * std::max(1.0, std::abs(t_limit));
            if (!settled || limit->height > gap_tolerance(now)) continue;

            flow::Event a = event(flow::EventKind::accumulation, k, now, change);
            a.time = now.time + limit->remaining;
            a.closes = true;
            a.state_minus = now.state;
            if (stages != nullptr) {
                ImpulseStage stop{{{k, ImpulseStage::Rule::stop}}};
                for (const Index c : closed_set(now))
                    stop.members.push_back({c, ImpulseStage::Rule::hold});
                stages->list.push_back(std::move(stop));
            }
            const double energy = events_.problem->energy(now);
            for (std::size_t i = 0; i < limit->velocity.size(); ++i)
                now.state[n_positions_ + i] = limit->velocity[i];
            a.state_plus = now.state;
            a.energy = events_.problem->energy(now) - energy;
            flow::Event attach = event(flow::EventKind::attach, k, now, change);
            attach.time = a.time;
            attach.closes = true;
            outcome.events.push_back(std::move(a));
            outcome.events.push_back(std::move(attach));
            rate(k) = 0.0;
        }
    }

    // Several contacts that chatter together (theory of many contacts, §5.3): one cycle of impacts shrinks the next by a
    // constant factor ρ, so that from two intervals between impacts of one contact t∞ = t + Δ ρ/(1 − ρ). Completed once
    // two successive estimates agree, the bounces left out are invisible, and every one of the contacts would carry
    // load at rest. Their gap rates are taken away together.
    bool complete_together(Instant& now, Index k, std::vector<Index>& at_zero, VectorXd& rate,
                           Outcome& outcome, Stages* stages) const {
        const double t = now.time.rounded();
        const double since = t - std::exchange(met(now, k), t);
        const double before = std::exchange(interval(now, k), since);
        const double ratio = since / before;
        if (!(before > 0.0) || !std::isfinite(before) || !(ratio < 1.0)) return false;
        const double remaining = since * ratio / (1.0 - ratio);
        const double change =
            std::abs(t + remaining - std::exchange(common_limit(now, k), t + remaining));
        if (change > now.tolerance * std::max(1.0, std::abs(t))) return false;

        const SparseContactNumbers numbers = events_.problem->sparse_at(now);
        const double low = gap_tolerance(now);
        const auto listed = marks(at_zero);
        std::vector<Index> set; // closed, touching or about to touch
        for (Index i = 0; i < count(); ++i) {
            const bool here = in(listed, i);
            if (!here && !(numbers.gap(i) <= low)) continue;
            if (!here) rate(i) = numbers.rate(i);
            if (!(numbers.restitution(i) < 1.0)) return false;
            set.push_back(i);
        }
        // Each may have been completed on its own.
        if (set.size() < 2 || !(rate(set).cwiseAbs().maxCoeff() > rate_tolerance(now)))
            return false;
        const auto load = resting_reactions(numbers.D, set, numbers.b(set));
        if (!load.solved) return false;
        for (std::size_t j = 0; j < set.size(); ++j) {
            const Index i = set[j];
            const double pressing = numbers.D(i, i) * load.force(static_cast<Index>(j));
            if (!(pressing > 0.0) || rate(i) * rate(i) > 2.0 * low * pressing) return false;
        }
        const VectorXd stop = -held_by(numbers.D, set, rate(set));
        const VectorXd jump = numbers.response.combined(set, stop, numbers.v_dot.size());
        flow::Event a = event(flow::EventKind::accumulation, k, now, change);
        a.time = now.time + remaining;
        a.closes = true;
        a.case_name = "several contacts together";
        a.rule = "common limit";
        a.state_minus = now.state;
        const double energy = events_.problem->energy(now);
        for (Index i = 0; i < jump.size(); ++i)
            now.state[n_positions_ + static_cast<std::size_t>(i)] += jump(i);
        a.state_plus = now.state;
        a.energy = events_.problem->energy(now) - energy;
        const auto end = a.time;
        outcome.events.push_back(std::move(a));
        for (const Index i : set) {
            rate(i) = 0.0;
            if (closed(now, i) != 0.0) continue;
            flow::Event attach = event(flow::EventKind::attach, i, now, change);
            attach.time = end;
            attach.closes = true;
            outcome.events.push_back(std::move(attach));
        }
        at_zero = std::move(set);
        if (stages != nullptr) stages->known = false;
        return true;
    }

    std::vector<Index> closed_set(Instant& now) const {
        std::vector<Index> set;
        for (Index k = 0; k < count(); ++k) {
            if (closed(now, k) != 0.0) set.push_back(k);
        }
        return set;
    }

    // The complementarity problem of the resting contacts; those that carry a reaction stay closed.
    bool close(Instant& now, const std::vector<Index>& resting, Outcome& outcome) const {
        if (resting.empty()) return true;
        const SparseContactNumbers numbers = events_.problem->sparse_at(now);
        const VectorXd b = numbers.b(resting);
        const auto answer = resting_reactions(numbers.D, resting, b);
        if (!answer.solved) {
            std::string names;
            for (const Index k : resting) names += (names.empty() ? "" : ", ") + side(k).name;
            outcome = failure(
                fmt::format("contacts {} cannot all be kept: no reactions ≥ 0 hold them", names),
                now);
            return false;
        }
        // A force that is zero to rounding is decided by its rate while closed.
        double stiffest = 0.0;
        for (const Index k : resting) stiffest = std::max(stiffest, numbers.D(k, k));
        const double small_force = 1e-11 * std::max(answer.force.cwiseAbs().maxCoeff(),
                                                    b.cwiseAbs().maxCoeff() / stiffest);
        std::vector<Index> pushing;
        std::vector<Index> unloaded;
        for (std::size_t j = 0; j < resting.size(); ++j) {
            const auto i = static_cast<Index>(j);
            const Index k = resting[j];
            const bool pushes = answer.force(i) > small_force;
            const bool departs = answer.acceleration(i) > small_force * numbers.D(k, k);
            closed(now, k) = departs ? 0.0 : 1.0;
            if (pushes) pushing.push_back(k);
            if (!pushes && !departs) unloaded.push_back(k);
        }
        std::vector<Index> undecided;
        for (const Index k : unloaded) {
            if (depends_on(numbers.D, k, pushing))
                closed(now, k) = k_carried;
            else
                undecided.push_back(k);
        }
        if (undecided.empty()) return true;
        const auto rates = reaction_rates_(now);
        for (const Index k : undecided) {
            if (rates[static_cast<std::size_t>(k)] < 0.0) closed(now, k) = 0.0;
        }
        return true;
    }

    void report(Instant& now, const std::vector<Index>& at_zero, const VectorXd& rate, double still,
                const std::vector<char>& was_closed, double accuracy, bool at_start,
                Outcome& outcome) const {
        for (const Index k : at_zero) {
            const bool before = was_closed[static_cast<std::size_t>(k)] != 0;
            const bool after = closed(now, k) != 0.0;
            bool struck = false;
            for (flow::Event& e : outcome.events) {
                if (e.where != side(k).name || e.side != side(k).side) continue;
                struck = true;
                if (e.kind == flow::EventKind::impact) e.closes = after;
            }
            // At the start a contact without gap and gap rate that opens is a release: it was closed until now.
            const bool leaves_at_start =
                at_start && !after && !struck && std::abs(rate(k)) <= still;
            if ((before && !after) || leaves_at_start) {
                flow::Event e = event(flow::EventKind::release, k, now, accuracy);
                e.state_minus = now.state;
                e.state_plus = now.state;
                outcome.events.push_back(std::move(e));
            } else if (!before && after && !struck && !at_start) {
                flow::Event e = event(flow::EventKind::attach, k, now, accuracy);
                e.closes = true;
                e.state_minus = now.state;
                e.state_plus = now.state;
                outcome.events.push_back(std::move(e));
            }
        }
    }

    // Guards that are zero by construction: after a bounce g ~ t, after an immediate opening g ~ t², after a
    // lift-off g ~ t³.
    void arm(Instant& now, const std::vector<Index>& at_zero, const std::vector<char>& released,
             const VectorXd& rate, double still, Outcome& outcome) const {
        const auto holds = [&](Index k) { return closed(now, k) != 0.0; };
        std::vector<double> force;
        std::vector<double> force_rate;
        if (std::any_of(at_zero.begin(), at_zero.end(), holds)) {
            force = reactions_(now);
            force_rate = reaction_rates_(now);
        }
        for (const Index k : at_zero) {
            const std::size_t gap_guard = guard_ + 2 * static_cast<std::size_t>(k);
            if (holds(k)) {
                const auto i = static_cast<std::size_t>(k);
                // A reaction that starts from zero and grows.
                if (force[i] <= 1e-11 * std::max(1.0, std::abs(force_rate[i])))
                    outcome.armed.push_back({gap_guard + 1, 1, false});
                continue;
            }
            int multiplicity = 1;
            if (rate(k) <= still) {
                const double acceleration = gap_acceleration(now, k);
                multiplicity =
                    in(released, k) || acceleration <= 1e-10 * std::max(1.0, speed(now)) ? 3 : 2;
            }
            outcome.armed.push_back({gap_guard, multiplicity, false});
        }
    }

    // g̈ with the contacts that are closed now.
    double gap_acceleration(Instant& now, Index k) const {
        const SparseContactNumbers numbers = events_.problem->sparse_at(now);
        const auto set = closed_set(now);
        if (set.empty()) return numbers.b(k);
        const VectorXd force = -held_by(numbers.D, set, numbers.b(set));
        double value = numbers.b(k);
        for (std::size_t j = 0; j < set.size(); ++j)
            value += numbers.D(k, set[j]) * force(static_cast<Index>(j));
        return value;
    }

    ContactEvents events_;
    std::size_t n_;
    std::size_t guard_;
    std::size_t slot_;
    std::size_t n_positions_;
    flow::Probe reactions_;
    flow::Probe reaction_rates_;
    VectorXd start_D_; // D_kk at the start
};

// Goes through the instant once more to see its stages, then differentiates them.
class ContactReset final : public flow::ResetDerivative {
  public:
    ContactReset(const ContactTransition& transition, ImpulseDerivative impulses,
                 std::shared_ptr<const flow::ResetDerivative> by_differences)
        : transition_(transition), impulses_(std::move(impulses)),
          by_differences_(std::move(by_differences)) {}

    [[nodiscard]] flow::ResetJacobian at(const flow::Passage& passage) const override {
        Instant now = passage.before;
        Stages stages;
        switch (passage.call) {
        case flow::Passage::Call::start: transition_.start(now, &stages); break;
        case flow::Passage::Call::transit: transition_.transit(passage.fired, now, &stages); break;
        case flow::Passage::Call::refresh: transition_.refresh(now, &stages); break;
        case flow::Passage::Call::settle: break;
        }
        if (!stages.known) return by_differences_->at(passage);
        return {impulses_.at(passage.before, stages.list, stages.closed), 0.0, {}, {}};
    }
    [[nodiscard]] bool settles() const override { return false; }

  private:
    const ContactTransition& transition_;
    ImpulseDerivative impulses_;
    std::shared_ptr<const flow::ResetDerivative> by_differences_;
};

std::shared_ptr<const flow::ResetDerivative>
ContactTransition::derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const {
    return std::make_shared<ContactReset>(
        *this, ImpulseDerivative(flow, events_.problem, atoms),
        flow::difference_reset(*this, flow, flow::Atoms(flow, atoms)));
}

} // namespace

void install(ContactEvents events, flow::Flow& flow) {
    const auto& sides = events.problem->sides();
    const std::size_t owner = flow.transitions.size();
    const std::size_t first_guard = flow.guards.size();
    const std::size_t first_slot = flow::slot_of(flow, sides.front().mask);
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const std::string name =
            sides[k].side.empty() ? sides[k].name : sides[k].name + " " + sides[k].side;
        flow.guards.push_back({name,
                               sides[k].gap,
                               flow::Direction::down,
                               owner,
                               {{first_slot + k, 0.0}},
                               false,
                               true});
        flow.guards.push_back({name + " reaction",
                               events.reactions[k],
                               flow::Direction::down,
                               owner,
                               {{first_slot + k, 1.0}},
                               false,
                               true});
    }
    flow::Instant at_start;
    at_start.field_time = flow.start_time;
    at_start.state = flow.start_state;
    for (const flow::ModeSlot& slot : flow.modes) at_start.mode.push_back(slot.initial);
    at_start.parameters = flow.parameter_values;
    const SparseContactNumbers numbers = events.problem->sparse_at(at_start);
    VectorXd start_D(static_cast<Index>(sides.size()));
    for (Index k = 0; k < start_D.size(); ++k) start_D(k) = numbers.D(k, k);
    flow::Probe reactions(flow, events.reactions);
    flow::Probe rates(flow, flow::rates_along(flow, events.reactions));
    flow.transitions.push_back(std::make_shared<ContactTransition>(
        std::move(events), first_guard, first_slot, flow.n_positions, std::move(reactions),
        std::move(rates), std::move(start_D)));
}

} // namespace liaison::realise
