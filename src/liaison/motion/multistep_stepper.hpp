// SPDX-License-Identifier: Apache-2.0
// What solvers with a past share: steps as polynomials, continued or begun anew after events.
//
// A multistep method lives on its past, which an event destroys. The step last made by the solver therefore stays in use as
// long as the motion is on its polynomial (an event that only reports does not end it), and the solver is restarted only
// where state, mode or time differ from what it computed.
#pragma once

#include "liaison/motion/field_stepper.hpp"

#include <exception>

namespace liaison::motion {

class MultistepStepper : public FieldStepper {
  public:
    MultistepStepper(std::unique_ptr<Field> field, double tolerance);

    Step advance(const flow::Instant& now, double h_max) final;
    // Called after transitions: what changed the state there is no correction but a new motion.
    void watch(std::span<const char> watched) override {
        FieldStepper::watch(watched);
        after_event_ = true;
    }
    [[nodiscard]] int order() const override { return last_.order; }

    static constexpr std::size_t k_degree =
        5; // highest order of the backward differentiation formulas

  protected:
    // One step in the solver's own time, which counts from its last restart.
    struct Taken {
        double begin = 0.0;
        double end = 0.0;
        int order = 1;
    };

    // Flags of the solver: negative is failure.
    virtual int restart(std::span<const double> state) = 0;
    // One step of its own choice, not beyond `end`.
    virtual int step(double end, Taken& taken) = 0;
    // Derivative k of the step's polynomial at time t, and the estimated local errors.
    virtual int derivative(double t, int k, std::span<double> out) = 0;
    virtual int errors(std::span<double> out) = 0;
    // What the flag of a failed step means.
    [[nodiscard]] virtual Step failure(int flag) const = 0;

    // Calls a function that evaluates the field, from a callback of the solver: 0 ok, 1 the solver may try a shorter step,
    // −1 an exception is kept for the caller of advance().
    template <class Call>
    int guarded(Call call) {
        try {
            status_ = call();
            return status_ == FieldStatus::ok ? 0 : 1;
        } catch (...) {
            thrown_ = std::current_exception();
            return -1;
        }
    }
    // What the field last said, for the reason of a failure.
    [[nodiscard]] FieldStatus last_status() const { return status_; }
    // The state of the motion where the solver has x: corrections after steps (constraints, integrals) shift the one
    // against the other without ending the solver's past.
    [[nodiscard]] std::span<const double> shifted(std::span<const double> x);
    // States the solver finds itself, whatever they were before: those without a rate, from this one on.
    void solve_from(std::size_t first) { first_solved_ = first; }
    // The time of the field at time t of the solver.
    [[nodiscard]] double field_time(double t) const { return origin_field_ + t; }

  private:
    Step begin_anew(const flow::Instant& now);
    Step next_step(double h_max);
    [[nodiscard]] bool on_step(const flow::Instant& now, double offset);
    bool read_step();
    void serve(const flow::Instant& now, double offset);

    bool started_ = false;
    bool after_event_ = false;
    Taken last_;
    solve::DoubleLength origin_; // of the solver's time
    double origin_field_ = 0.0;
    std::size_t first_solved_;
    std::vector<double> step_; // polynomials of the solver's last step
    std::vector<double> work_;
    std::vector<double> error_;
    std::vector<double> shift_;
    std::vector<double> shifted_;
    std::vector<double> correction_;
    FieldStatus status_ = FieldStatus::ok;
    std::exception_ptr thrown_;
    int tiny_ = 0; // steps in a row at the resolution of time
};

} // namespace liaison::motion
