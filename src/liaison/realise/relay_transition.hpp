// SPDX-License-Identifier: Apache-2.0
// The transition of relays: collects the surfaces that are zero, asks the rule, says what changed, arms the guards.
#pragma once

#include "liaison/realise/relay_events.hpp"
#include "liaison/realise/relay_history.hpp"
#include "liaison/realise/relay_rule.hpp"
#include "liaison/realise/relays_beside.hpp"
#include "liaison/realise/surface_projection.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::realise {

// The mode slot that says whether the system moves, and which states are velocities.
struct RelayRest {
    std::optional<std::size_t> slot;
    std::size_t first_velocity = 0;
    std::size_t end = 0;
};

class RelayTransition final : public flow::Transition {
  public:
    static constexpr std::size_t k_guards = 4; // per relay

    // `convex`: the choice within Filippov's set, by name; empty under other definitions.
    RelayTransition(std::vector<RelaySurface> surfaces, RelayRule rule,
                    SurfaceProjection projection, RelayHistory history, RelayRest rest,
                    std::size_t first_guard, std::vector<std::string> names,
                    std::optional<std::string> convex,
                    std::shared_ptr<const ContactsBeside> contacts);
    flow::Outcome start(flow::Instant& now) const override;
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override;
    // Another owner moved the state or changed the forces: surfaces may have been jumped over or left, and those that
    // are kept need not be kept any longer.
    flow::Outcome refresh(flow::Instant& now) const override;
    void settle(flow::Instant& now) const override;
    std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const Expr> atoms) const override;

  private:
    void tell(flow::Event& e, flow::EventKind kind, std::size_t b, int side,
              const flow::Instant& now, double accuracy) const;
    flow::Event event(flow::EventKind kind, std::size_t b, int side, const flow::Instant& now,
                      double accuracy) const;
    [[nodiscard]] std::vector<std::size_t> sliding(const flow::Instant& now) const;
    // A sliding value that only touches its limit: it would return after an excess ẇ²/(2|ẅ|) that rounding hides, and
    // the motion slides on.
    std::optional<flow::Outcome> touch(std::span<const flow::Firing> fired,
                                       flow::Instant& now) const;
    flow::Outcome transit_fired(std::span<const flow::Firing> fired, flow::Instant& now) const;
    // What the relays do whose guards fired, in the present modes of contacts.
    flow::Outcome decide_fired(std::span<const flow::Firing> fired, flow::Instant& now) const;
    // One surface of first degree alone, and what happens is clear: crossing, entering, leaving by closed form.
    std::optional<flow::Outcome> alone(const flow::Firing& fired, flow::Instant& now) const;
    // A surface of higher degree is crossed with its rate, whatever the relay does.
    static std::optional<LoneChoice> crossing(const RelayRule::Alone& numbers);
    static flow::EventKind kind_of(int before, int after) {
        if (after == 0) return flow::EventKind::enter_sliding;
        return before == 0 ? flow::EventKind::exit_sliding : flow::EventKind::crossing;
    }
    static void tell_held(flow::Event& e) {
        e.case_name = "between the level in motion and the static one";
        e.rule = "static level holds";
    }
    // With all velocities zero and held there by surfaces that do not depend on time, nothing moves any more.
    void rest(flow::Instant& now) const;
    // Surfaces that slide or are zero to rounding at this instant belong to the same decision.
    void add_zeros(const flow::Instant& now, std::vector<std::size_t>& zero) const;
    flow::Outcome decide(flow::Instant& now, std::vector<std::size_t> zero, double accuracy,
                         bool at_start) const;
    // Of several motions those that are none with the contacts as they are go; all stay where none is left.
    void leave_what_contacts_accept(const flow::Instant& now, RelayDecision& decision) const;
    // A static level holds where it can: the choice that sticks is taken before those that cross, unless the user
    // wants to cross.
    void prefer_holding(RelayDecision& decision, const std::vector<std::size_t>& zero) const;
    // Of several motions those the user asked for; all where none of them is.
    void take_branch(RelayDecision& decision, const std::vector<std::size_t>& zero,
                     const std::vector<int>& before) const;
    // What was chosen is told, at the start too.
    void tell_branch(const flow::Instant& now, const std::vector<std::size_t>& zero,
                     const std::string& what, bool at_start, flow::Outcome& outcome) const;
    // The user wants one of the relays that slide to stay on its surface: values that nothing determines go on as they are, from
    // the least ones.
    [[nodiscard]] bool stays(const RelayChoice& choice, const std::vector<std::size_t>& zero) const;
    flow::Outcome refuse(const flow::Instant& now, const std::vector<std::size_t>& zero,
                         const RelayDecision& decision) const;
    // Infinitely many crossings in finite time: once the rest is invisible at the tolerance, the motion goes on in the
    // intersection of the surfaces that were crossed.
    void complete_accumulation(flow::Instant& now, std::vector<std::size_t>& zero,
                               const std::vector<std::size_t>& crossed,
                               flow::Outcome& outcome) const;
    void report(const flow::Instant& now, const std::vector<std::size_t>& zero,
                const std::vector<int>& before, const RelayChoice& choice, double accuracy,
                flow::Outcome& outcome) const;
    // Filippov's definition alone does not determine this motion: the range it leaves, and how one was chosen.
    void tell_interval(const flow::Instant& now, const std::vector<std::size_t>& zero,
                       bool at_start, flow::Outcome& outcome) const;
    // What is zero by construction at the start of the next piece.
    void arm(const flow::Instant& now, const std::vector<std::size_t>& zero,
             flow::Outcome& outcome) const;

    std::vector<RelaySurface> surfaces_;
    RelayRule rule_;
    SurfaceProjection projection_;
    RelayHistory history_;
    RelayRest rest_;
    std::size_t guard_;
    std::vector<std::string> names_; // of the states
    std::optional<std::string> convex_;
    std::shared_ptr<const ContactsBeside> contacts_; // null: none
};

} // namespace liaison::realise
