// SPDX-License-Identifier: Apache-2.0
// Integrates a flow: step, first guard root, transition, until the end or a reason to stop.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/piece.hpp"
#include "liaison/motion/stepper.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace liaison::motion {

enum class Status {
    done,
    stopped,
    interrupted,
    unbalanced, // the end was reached, but the energy balance does not close: the motion is in doubt
};

struct Sample {
    double time = 0.0;
    double field_time = 0.0;
    std::vector<double> state;
    std::vector<double> mode;
};

struct Statistics {
    std::uint64_t steps = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t events = 0;
    double smallest_step = 0.0;
    int order = 0;
};

// Where a motion stands: one that goes on from here needs nothing else.
struct Standing {
    solve::DoubleLength time;
    std::vector<double> state;
    std::vector<double> state_low; // what the compensated sums still carry
    std::vector<double> mode;
    std::vector<flow::Armed> armed; // guards that are zero here by construction
};

struct SimulateOptions {
    double until = 0.0;
    double tolerance = 1e-10;
    // Goes on from here, in the mode given, instead of from the start of the flow.
    const Standing* from = nullptr;
    std::vector<double> sample_at = {}; // ascending
    std::uint64_t max_steps = 2'000'000'000;
    std::uint64_t max_events = 1'000'000'000;
    // Later ones are counted, not kept, and a warning says so: a log of this length takes about 100 MB.
    std::uint64_t keep_events = 200'000;
    // Called after every step; for dense results and progress. Empty: nothing is built.
    std::function<void(const Piece&)> on_piece = {};
    // With the mode in which the transition left the motion: what switched at the same instant has switched in it.
    std::function<void(const flow::Event&, std::span<const double> mode)> on_event = {};
    const std::atomic<bool>* interrupt = nullptr;
};

// The motion that was computed; never thrown away, whatever ended it.
struct Trajectory {
    Status status = Status::done;
    std::string reason; // why it stopped, with facts
    solve::DoubleLength time;
    std::vector<double> state;
    std::vector<double> mode;
    std::vector<double> state_low; // carried by the compensated sums
    std::vector<flow::Armed>
        armed; // guards at zero by the last transition, if it happened just now
    double field_time = 0.0;
    std::vector<double> start_mode; // after the transitions at the start
    double event_energy = 0.0; // sum of the energy changes of all events, kept or not
    std::vector<Sample> samples;
    std::vector<flow::Event> events;
    std::vector<std::string> warnings;
    Statistics statistics;
};

// The default method for this flow at this tolerance. It begins by interpreting and changes to machine code where
// that pays, by counting steps; who expects many makes it compile at once. The numbers are the same.
std::unique_ptr<Stepper> make_taylor_stepper(const flow::Flow& flow, double tolerance,
                                             double expected_steps = 0.0);

Trajectory simulate(const flow::Flow& flow, Stepper& stepper, const SimulateOptions& options);

} // namespace liaison::motion
