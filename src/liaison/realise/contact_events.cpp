// SPDX-License-Identifier: Apache-2.0
// The transition of ideal contacts: impacts, then which contacts stay closed, then which guards are armed.
//
// At one instant, always the same lines (theory of many contacts): collect the contacts with g = 0; impacts while
// one of them approaches; then, for those at rest in the normal direction, the complementarity problem
//   g̈ = b + D λ,   0 ≤ λ ⊥ g̈ ≥ 0
// for all of them together: opening one may load another.
#include "liaison/realise/contact_events.hpp"

#include "liaison/flow/outcome_room.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/realise/contact_accumulation.hpp"
#include "liaison/realise/contact_closing.hpp"
#include "liaison/realise/displaced_gap.hpp"
#include "liaison/realise/usual_bounce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;

class ContactTransition final : public flow::Transition, public flow::LaneOwner {
  public:
    ContactTransition(ContactSlots slots, ContactImpacts impacts, ContactAccumulation accumulation,
                      ContactClosing closing, std::shared_ptr<const ContactProblem> problem,
                      std::size_t first_guard, VectorXd start_D)
        : slots_(std::move(slots)), impacts_(std::move(impacts)), in_turn_(slots_, {}),
          accumulation_(std::move(accumulation)), closing_(std::move(closing)),
          problem_(std::move(problem)), guard_(first_guard), start_D_(std::move(start_D)) {}

    Outcome start(Instant& now) const override { return start(now, nullptr); }
    Outcome start(Instant& now, Stages* stages) const {
        const SparseContactNumbers numbers = problem_->sparse_at(now);
        std::vector<Index> touching;
        for (Index k = 0; k < slots_.count(); ++k) {
            slots_.closed(now, k) = 0.0;
            slots_.last_time(now, k) = slots_.chatter(now, k).met =
                -std::numeric_limits<double>::infinity();
            if (std::abs(numbers.gap(k)) <= slots_.gap_tolerance(now)) touching.push_back(k);
        }
        return resolve(now, touching, {}, 0.0, true, stages);
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        return transit(fired, now, nullptr);
    }
    Outcome transit(std::span<const flow::Firing> fired, Instant& now, Stages* stages) const {
        thread_local std::vector<Index> hit;
        thread_local std::vector<Index> released;
        hit.clear();
        released.clear();
        double accuracy = 0.0;
        for (const flow::Firing& f : fired) {
            const auto k = static_cast<Index>((f.guard - guard_) / 2);
            ((f.guard - guard_) % 2 == 0 ? hit : released).push_back(k);
            accuracy = std::max(accuracy, f.accuracy);
        }
        return resolve(now, hit, released, accuracy, false, stages);
    }

    // Another owner changed the state (a user event set positions or velocities): contacts that are closed stay so
    // only if they are still there and at rest, and a jump may have made open ones approach at g = 0.
    Outcome refresh(Instant& now) const override { return refresh(now, nullptr); }
    Outcome refresh(Instant& now, Stages* stages) const {
        const SparseContactNumbers numbers = problem_->sparse_at(now);
        bool disturbed = false;
        Outcome moved;
        const double far = k_displaced * slots_.gap_tolerance(now);
        for (Index k = 0; k < slots_.count(); ++k) {
            if (numbers.gap(k) < -far)
                return contact_failure(put_inside(slots_.side(k).name, numbers.gap(k)), now);
            if (slots_.closed(now, k) == 0.0) continue;
            disturbed = disturbed || std::abs(numbers.rate(k)) > slots_.rate_tolerance(now);
            if (!(numbers.gap(k) > far)) continue;
            disturbed = true;
            slots_.closed(now, k) = 0.0;
            moved.events.push_back(slots_.event(flow::EventKind::release, k, now, 0.0));
        }
        if (!disturbed) return {};
        std::vector<Index> touching;
        for (Index k = 0; k < slots_.count(); ++k) {
            if (slots_.closed(now, k) != 0.0) touching.push_back(k);
            slots_.closed(now, k) = 0.0;
        }
        Outcome outcome = resolve(now, touching, {}, 0.0, false, stages);
        outcome.events.insert(outcome.events.begin(), moved.events.begin(), moved.events.end());
        return outcome;
    }

    [[nodiscard]] bool settles(const Instant&) const override { return false; }
    // A contact that is open stays open.
    [[nodiscard]] bool listens(const Instant& now) const override { return slots_.any_closed(now); }
    [[nodiscard]] std::shared_ptr<const flow::UsualReset>
    usual_reset(const flow::Flow& flow) const override {
        return usual_bounce(flow, slots_, guard_, start_D_);
    }
    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const override;

  private:
    // Bodies that strike each other in turn, ever faster, end at an instant at which only one of their gaps fires: a ball that
    // collapses between another one and the floor. What an impact throws against a contact that touches strikes it in turn.
    bool strike_back(Instant& now, const SparseContactNumbers& numbers, VectorXd& rate,
                     double still, double accuracy, std::vector<Index>& at_zero,
                     std::vector<Index>& struck, Outcome& outcome, Stages* stages) const {
        const auto here = slots_.marks(at_zero);
        std::vector<Index> touching;
        for (Index k = 0; k < slots_.count(); ++k) {
            if (!ContactSlots::in(here, k) &&
                touches(numbers.gap(k), numbers.rate(k), slots_.gap_rounding(now),
                        now.time.rounded(), slots_.sizes()))
                touching.push_back(k);
        }
        if (touching.empty()) return true;
        const SparseContactNumbers after = problem_->sparse_at(now);
        // A contact whose rate the impact leaves as it was is thrown against by nobody: its own gap fires.
        std::erase_if(touching, [&](Index k) { return after.rate(k) == numbers.rate(k); });
        bool approaching = false;
        for (const Index k : touching) {
            rate(k) = after.rate(k);
            approaching = approaching || rate(k) < -still;
        }
        if (!approaching) return true;
        for (const Index k : touching) {
            at_zero.push_back(k);
            struck.push_back(k);
        }
        std::ranges::sort(at_zero);
        return in_turn_.strike(now, numbers, at_zero, rate, still, accuracy, outcome, stages);
    }

    Outcome resolve(Instant& now, const std::vector<Index>& hit, const std::vector<Index>& released,
                    double accuracy, bool at_start, Stages* stages) const {
        Outcome outcome = flow::outcome_with_room();
        // Storage of the last instant, used again.
        thread_local SparseContactNumbers numbers;
        thread_local std::vector<Index> at_zero;
        thread_local std::vector<Index> struck;
        thread_local std::vector<Index> resting;
        thread_local std::vector<char> was_closed;
        thread_local VectorXd rate;
        problem_->measure(now, numbers);
        if (!numbers.regular)
            return contact_failure("the accelerations are not determined at a contact", now);

        // Contacts with g = 0: those that are closed (their gap rate is zero by their mode) and those just hit.
        at_zero.clear();
        was_closed.assign(static_cast<std::size_t>(slots_.count()), 0);
        rate = numbers.rate;
        constexpr char k_hit = 2;
        for (const Index k : hit) was_closed[static_cast<std::size_t>(k)] = k_hit;
        for (Index k = 0; k < slots_.count(); ++k) {
            char& mark = was_closed[static_cast<std::size_t>(k)];
            const bool is_hit = mark == k_hit;
            const bool is_closed = slots_.closed(now, k) != 0.0;
            mark = is_closed ? 1 : 0;
            if (is_closed) rate(k) = 0.0;
            if (is_closed && stages != nullptr) stages->closed.push_back(k);
            if (is_closed || is_hit) at_zero.push_back(k);
        }
        const auto leaves = slots_.marks(released);
        for (const Index k : at_zero) {
            // One that leaves needs no direction of its reaction: it may have come to depend on constraints.
            if (ContactSlots::in(leaves, k)) continue;
            if (!(numbers.D(k, k) > k_vanished_gradient * start_D_(k))) {
                return contact_failure(
                    fmt::format("contact {}: the gradient of the gap vanishes where the "
                                "gap does, so that the reaction has no direction; write "
                                "the gap so that it grows linearly with the distance",
                                slots_.side(k).name),
                    now);
            }
        }

        // One measure of rest for the whole instant: what an impact leaves as not approaching must not count as moving
        // because the body has become slower.
        const double still = slots_.rate_tolerance(now);
        struck.clear();
        for (const Index k : at_zero) {
            if (rate(k) < -still) struck.push_back(k);
        }
        if (!impacts_.strike(now, numbers, at_zero, rate, still, accuracy, outcome, stages))
            return outcome;
        if (!struck.empty() &&
            !strike_back(now, numbers, rate, still, accuracy, at_zero, struck, outcome, stages))
            return outcome;
        accumulation_.complete(now, numbers, at_zero, rate, still, was_closed, outcome, stages);
        for (const Index k : struck)
            accumulation_.complete_together(now, k, at_zero, rate, outcome, stages);

        // Which of the contacts at rest carry a reaction.
        for (const Index k : at_zero)
            if (ContactSlots::in(leaves, k)) slots_.closed(now, k) = 0.0;
        resting.clear();
        for (const Index k : at_zero)
            if (!ContactSlots::in(leaves, k) && std::abs(rate(k)) <= still) resting.push_back(k);
        if (!closing_.close(now, resting, outcome)) return outcome;
        const auto rests = slots_.marks(resting);
        for (const Index k : at_zero) {
            if (!ContactSlots::in(rests, k)) slots_.closed(now, k) = 0.0;
        }
        if (!released.empty()) {
            std::vector<Index> gone = released;
            std::erase_if(gone, [&](Index k) { return std::abs(rate(k)) > still; });
            closing_.keep_held(now, gone);
        }

        report(now, at_zero, rate, still, was_closed, accuracy, at_start, outcome);
        closing_.arm(now, at_zero, leaves, rate, still, guard_, outcome);
        return outcome;
    }

    void report(Instant& now, const std::vector<Index>& at_zero, const VectorXd& rate, double still,
                const std::vector<char>& was_closed, double accuracy, bool at_start,
                Outcome& outcome) const {
        for (const Index k : at_zero) {
            const bool before = was_closed[static_cast<std::size_t>(k)] != 0;
            const bool after = slots_.closed(now, k) != 0.0;
            bool struck = false;
            for (flow::Event& e : outcome.events) {
                if (e.where != slots_.side(k).name || e.side != slots_.side(k).side) continue;
                struck = true;
                if (e.kind == flow::EventKind::impact) e.closes = after;
            }
            // At the start a contact without gap and gap rate that opens is a release: it was closed until now.
            const bool leaves_at_start =
                at_start && !after && !struck && std::abs(rate(k)) <= still;
            if ((before && !after) || leaves_at_start) {
                flow::Event e = slots_.event(flow::EventKind::release, k, now, accuracy);
                e.state_minus = now.state;
                e.state_plus = now.state;
                outcome.events.push_back(std::move(e));
            } else if (!before && after && !struck && !at_start) {
                flow::Event e = slots_.event(flow::EventKind::attach, k, now, accuracy);
                e.closes = true;
                e.state_minus = now.state;
                e.state_plus = now.state;
                outcome.events.push_back(std::move(e));
            }
        }
    }

    ContactSlots slots_;
    ContactImpacts impacts_;
    ContactImpacts in_turn_; // whatever the law of several at once
    ContactAccumulation accumulation_;
    ContactClosing closing_;
    std::shared_ptr<const ContactProblem> problem_;
    std::size_t guard_;
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
        *this, ImpulseDerivative(flow, problem_, atoms),
        flow::difference_reset(*this, flow, flow::Atoms(flow, atoms)));
}

} // namespace

void install(const ContactEvents& events, flow::Flow& flow) {
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
        const expr::Expr pressing = events.responses.empty()
                                        ? events.reactions[k]
                                        : events.reactions[k] * events.responses[k];
        flow.guards.push_back({name + " reaction",
                               pressing,
                               flow::Direction::down,
                               owner,
                               {{first_slot + k, 1.0}},
                               false,
                               true});
    }
    const SparseContactNumbers numbers = events.problem->sparse_at(flow::start_instant(flow));
    VectorXd start_D(static_cast<Index>(sides.size()));
    for (Index k = 0; k < start_D.size(); ++k) start_D(k) = numbers.D(k, k);
    flow::Probe reactions(flow, events.reactions);
    flow::Probe rates(flow, flow::rates_along(flow, events.reactions));
    VectorXd speeds(numbers.rate.size() + numbers.slip.size());
    speeds << numbers.rate, numbers.slip;
    const ContactSlots slots(events.problem, first_slot, flow.n_positions,
                             contact_sizes(flow, numbers.gap, speeds, numbers.b, start_D));
    flow.transitions.push_back(std::make_shared<ContactTransition>(
        slots, ContactImpacts(slots, events.impacts), ContactAccumulation(slots),
        ContactClosing(slots, std::move(reactions), std::move(rates)), events.problem, first_guard,
        std::move(start_D)));
}

} // namespace liaison::realise
