// SPDX-License-Identifier: Apache-2.0
// A simulation that remembers its instants: what was before and after every transition.
#pragma once

#include "liaison/flow/saltation_rule.hpp"
#include "liaison/motion/simulate.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace liaison::analysis {

struct PassedInstant {
    flow::Instant before;
    flow::Instant after;
    std::vector<flow::Firing> fired;
    std::vector<flow::Event> events;
    bool idle = false; // nothing changed: a surface that is only reported
};

// Of the events of an instant the one that tells what happened: passing a surface where a function is not smooth counts
// only where nothing else happens there.
[[nodiscard]] std::optional<flow::EventKind> telling_kind(const std::vector<flow::Event>& events);

struct ObservedMotion {
    motion::Trajectory trajectory;
    std::vector<PassedInstant> instants;
    std::vector<double> start_mode;
};

struct Observation {
    double until = 0.0;
    double tolerance = 1e-12;
    double keep_from = 0.0; // earlier instants are not kept
    std::size_t keep_most = 100000;
    std::vector<double> sample_at = {};
    std::function<void(const motion::Piece&)> on_piece = {};
    const std::atomic<bool>* interrupt = nullptr;
};

// Runs `flow` from its start; `rule` belongs to the same flow.
[[nodiscard]] ObservedMotion observe(const std::shared_ptr<const flow::SaltationRule>& rule,
                                     const flow::Flow& flow, const Observation& options);

} // namespace liaison::analysis
