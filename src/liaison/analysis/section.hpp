// SPDX-License-Identifier: Apache-2.0
// A motion looked at once per period or at certain events: Poincaré's section, and what kind of motion it shows.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/motion/simulate.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::analysis {

struct SectionRule {
    enum class Kind {
        period, // once per period of the force
        event, // at events of this name or kind
        end, // once, at the end
    };
    Kind kind = Kind::period;
    double phase = 0.0; // share of the period
    std::string where; // contact, relay, event, or kind of event
    bool before = false; // the state just before the event, not just after
};

// What is written down: an output of the flow, the time, or the phase of the force in [0, 1).
struct Observed {
    enum class What { output, time, phase };
    What what = What::output;
    std::size_t output = 0; // index into Flow::outputs
    std::string label;
};

struct SectionOptions {
    SectionRule rule;
    std::vector<Observed> observed;
    std::size_t drop = 200; // sections, or periods, before the first that is kept
    std::size_t keep = 100;
    double until = 0.0; // longest time of a motion looked at by events or at its end
    double tolerance = 1e-9;
    double limit = 1e6; // a state larger than this has diverged
    double recurrence =
        1e-6; // a section this close to an earlier one, as a share of the size of the motion, repeats it
    double expected_points = 1.0; // motions to come: decides whether compiling pays
};

enum class MotionLabel : std::uint8_t {
    periodic,
    irregular, // does not repeat within the sections kept
    rest,
    chattering, // impacts accumulate again and again
    moving, // looked at only once
    divergence,
    unmet, // too few sections in the time given
    inadmissible, // the start violates a contact or a constraint
    failed,
};
[[nodiscard]] std::string_view name(MotionLabel label);

struct SectionResult {
    MotionLabel label = MotionLabel::failed;
    std::uint32_t period = 0; // sections until it repeats; 0: does not
    std::uint32_t impacts = 0; // between the sections kept
    std::string reason; // of a failure
    std::vector<double> values; // by section, by quantity observed
};

// One motion after another, with the same compiled flow. Results depend on what is asked, never on what was asked
// before.
class SectionWatch {
  public:
    SectionWatch(const flow::Flow& flow, SectionOptions options);
    SectionWatch(const SectionWatch&) = delete;
    SectionWatch& operator=(const SectionWatch&) = delete;

    // `period` of the force; 0: none.
    [[nodiscard]] SectionResult run(std::span<const double> parameters,
                                    std::span<const double> start, double start_time, double period,
                                    const std::atomic<bool>* interrupt = nullptr);
    // The same in two parts, for motions that are computed side by side. False: there is no motion, and conclude()
    // says why. The watch itself belongs to the motion until then.
    [[nodiscard]] bool prepare(std::span<const double> parameters, std::span<const double> start,
                               double start_time, double period,
                               const std::atomic<bool>* interrupt);
    [[nodiscard]] const motion::SimulateOptions& simulation() const { return simulate_; }
    // Computes the motion that was prepared.
    [[nodiscard]] SectionResult simulate();
    // An event in a lane, of which there is no record.
    void see_usual(flow::EventKind kind, const flow::Instant& now);
    [[nodiscard]] SectionResult conclude(motion::Trajectory&& trajectory);
    // Where the last motion ended: the start of the next one of a sweep that carries it on.
    [[nodiscard]] const std::vector<double>& last_state() const { return last_.state; }
    [[nodiscard]] const flow::Flow& flow() const { return flow_; }
    // Some ten from one section to the next.
    [[nodiscard]] double steps_per_motion() const {
        return 10.0 * static_cast<double>(options_.drop + options_.keep);
    }
    [[nodiscard]] const SectionOptions& options() const { return options_; }

  private:
    friend class SectionWitness;
    // Nothing depends on states that are carried along (work of forces): they are left out of the motion and are zero
    // wherever all states are expected.
    void leave_out_carried();
    [[nodiscard]] flow::Instant whole(const flow::Instant& now) const;
    [[nodiscard]] std::string start_violation();
    void take(const flow::Instant& now);
    void see(const flow::Outcome& outcome, const flow::Instant* before, const flow::Instant& now);
    void label(const motion::Trajectory& t, SectionResult& result) const;
    [[nodiscard]] std::uint32_t recurrence(const SectionResult& result) const;

    flow::Flow flow_;
    std::size_t all_states_ = 0; // with those that are left out
    SectionOptions options_;
    flow::Probe observed_; // the outputs among what is observed
    flow::Probe rates_; // of the motion
    flow::Probe admissible_; // gaps, then violations
    std::vector<std::string> admissible_names_;
    std::size_t n_gaps_ = 0;
    std::vector<double> values_; // scratch
    std::unique_ptr<motion::Stepper> stepper_;
    motion::Trajectory last_;

    // Of the motion being watched.
    motion::SimulateOptions simulate_;
    bool begins_ = false;
    double period_ = 0.0;
    double kept_from_ = 0.0; // events before it belong to the transient
    SectionResult result_;
    std::size_t met_ = 0;
    std::uint32_t accumulations_ = 0;
    std::atomic<bool> enough_ = false;
};

} // namespace liaison::analysis
