// SPDX-License-Identifier: Apache-2.0
// One step of a one-step method: polynomials of the state and of every guard over the step.
#pragma once

#include "liaison/flow/transition.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace liaison::motion {

enum class StepStatus {
    ok,
    not_finite,   // the field is not a number here
    singular,     // the accelerations are not determined (mass matrix or constraints lost rank)
    too_small,    // the step that would meet the tolerance is below the resolution of time
};

// What a step promises: on [0, h] the polynomials differ from the motion by at most the remainders.
struct Step {
    StepStatus status = StepStatus::ok;
    double h = 0.0;
    std::string reason;
};

class Stepper {
  public:
    virtual ~Stepper() = default;

    // Expands the motion at `now` and chooses the length of the step, at most h_max.
    virtual Step advance(const flow::Instant& now, double h_max) = 0;

    // The parameters are no longer those of the last step.
    virtual void forget() {}

    // The guards that matter from now on (1: watched): the step keeps their polynomials accurate too.
    virtual void watch(std::span<const char> watched) = 0;

    // Whether the polynomials are series, which go on analytically where a root turns (flow/root_guard.hpp); otherwise
    // they fit the functions themselves.
    [[nodiscard]] virtual bool expands() const { return false; }
    // The next step begins where a root turns: the functions have values beyond, but no series here.
    virtual void leave_branch_point() {}
    // Whether the polynomials of the last step, which began at `now`, agree with the functions themselves after the time tau:
    // a series of a function with branch points may have gone on as another one.
    [[nodiscard]] virtual bool confirms(const flow::Instant& now, double tau) {
        (void)now, (void)tau;
        return true;
    }

    // Coefficients c_0 … c_p in the time since the start of the step.
    [[nodiscard]] virtual std::span<const double> state(std::size_t i) const = 0;
    [[nodiscard]] virtual std::span<const double> guard(std::size_t k) const = 0;
    // Bound on |g − polynomial| over the last step of length h.
    [[nodiscard]] virtual double guard_remainder(std::size_t k, double h) const = 0;

    // Order of the method: what its steps promise.
    [[nodiscard]] virtual int order() const = 0;
    // Degree of the polynomials of the state.
    [[nodiscard]] virtual int degree() const { return order(); }
    // The remainder of the guards grows like this power of the time since the start of the step; 0: it may be as large
    // anywhere in the step.
    [[nodiscard]] virtual int remainder_order() const { return order() + 1; }
    [[nodiscard]] virtual std::size_t evaluations() const = 0;
    // What the user should know about the steps made so far.
    [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }

    // The last step leads through a singular position of the constraints, where they do not determine the state: its
    // polynomials are on the constraints and not to be corrected there.
    [[nodiscard]] virtual bool passes_singular() const { return false; }
    // It ends there.
    [[nodiscard]] virtual bool ends_singular() const { return false; }
};

} // namespace liaison::motion
