// SPDX-License-Identifier: Apache-2.0
// What a flow does at its guards: maps the state, chooses the next mode, says what happened.
#pragma once

#include "liaison/flow/event.hpp"
#include "liaison/solve/double_length.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::expr {
class Expr;
}

namespace liaison::flow {

struct Flow;
class ResetDerivative; // reset_derivative.hpp

// The motion at one instant; transitions change state and mode in place.
struct Instant {
    solve::DoubleLength time;
    double field_time =
        0.0;  // time as the field sees it: reduced by whole periods where the flow is periodic
    std::vector<double> state;
    std::vector<double> mode;
    std::span<const double> parameters;
    double tolerance = 0.0;
};

// A guard that fired: its index in the flow, the direction it went and how well it is located.
struct Firing {
    std::size_t guard = 0;
    bool upwards = false;
    double rate = 0.0;       // dg/dt just before
    double accuracy = 0.0;   // of the located time
};

// A guard that is zero by construction right after the transition: a root of this multiplicity at the start
// of the next piece must not fire again (1 after an impact, 2 at tangency, 3 at lift-off).
struct Armed {
    std::size_t guard = 0;
    int multiplicity = 1;
    // The guard may go on to the far side of zero (a surface that was crossed). Otherwise being found there
    // right after the start means that the transition did not do its work, and the motion stops with that fact.
    bool crossed = false;
};

struct Outcome {
    std::vector<Event> events;
    std::vector<Armed> armed;
    // Nothing to tell, but others have to look at the mode: forces are found in another way.
    bool concerns_others = false;
    bool stop = false; // the motion ends here, as wanted (terminal event)
    bool fail = false; // the motion cannot go on; `reason` says why
    std::string reason;
};

// The owner of some guards. Called a few times per event, never inside a step.
class Transition {
  public:
    virtual ~Transition() = default;

    // Makes the mode agree with the state at the very start; may itself produce events (an impact at t = 0).
    virtual Outcome start(Instant& now) const = 0;
    // All guards of this owner that fire at this instant, together.
    virtual Outcome transit(std::span<const Firing> fired, Instant& now) const = 0;
    // After a step without an event: bring the state back to what the mode keeps (closed gaps, constraints).
    virtual void settle(Instant& now) const { (void)now; }
    // After a transition of another owner changed the state: bring the own mode up to date.
    virtual Outcome refresh(Instant& now) const {
        (void)now;
        return {};
    }
    // The same with the instant before that change, for owners that must know what was jumped over.
    virtual Outcome jump(const Instant& before, Instant& now) const {
        (void)before;
        return refresh(now);
    }
    // When all owners have decided at an instant: guards of this owner that were armed before the others changed state or
    // modes, and are not zero any more, are taken out. `earlier`: those that the last transition armed and the motion has not
    // left since (events of one instant are located a rounding apart); what is zero still is armed again.
    virtual void confirm(const Instant& now, std::span<const Armed> earlier,
                         std::vector<Armed>& armed) const {
        (void)now;
        (void)earlier;
        (void)armed;
    }
    // The derivatives of the four maps above by the atoms of the flow (see reset_derivative.hpp), asked for once,
    // when the flow is extended by its variational equations. Null: they are differentiated numerically, with an
    // estimate of the error. A transition whose branches depend on tolerances should supply its own.
    [[nodiscard]] virtual std::shared_ptr<const ResetDerivative>
    derivative(const Flow& flow, std::span<const expr::Expr> atoms) const {
        (void)flow;
        (void)atoms;
        return nullptr;
    }
};

} // namespace liaison::flow
