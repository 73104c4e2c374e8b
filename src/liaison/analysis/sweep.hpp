// SPDX-License-Identifier: Apache-2.0
// Many motions of one flow over a grid or a random sample of parameters and starts.
//
// The flow is compiled once. Every motion depends on its place in the grid alone, so that the result is the same to the
// last bit on any number of threads, and when finished motions are taken from an earlier sweep that was cut short.
#pragma once

#include "liaison/analysis/section.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct SweepAxis {
    enum class Kind { parameter, state };
    Kind kind = Kind::parameter;
    std::size_t index = 0; // of the parameter, or of the start state
    std::string name;
    double from = 0.0;
    double to = 0.0;
    std::size_t points = 2;

    [[nodiscard]] double at(std::size_t i) const {
        return points < 2
                   ? from
                   : from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1);
    }
};

enum class Carry { none, up, down };

// The start of a motion for values of the axes.
struct SweepStart {
    std::vector<double> parameters;
    std::vector<double> state;
    double time = 0.0;
    double period = 0.0; // of the force
    std::string problem; // the model has no start for these values
};

struct SweepPlan {
    SectionOptions section;
    std::vector<SweepAxis> axes; // the first one runs fastest
    std::size_t random = 0; // a sample of this size instead of the grid
    std::uint64_t seed = 1;
    Carry carry =
        Carry::none; // along the first axis: the next motion begins where the last one ended
    // For a point and the values of its axes; called from one thread at a time.
    std::function<SweepStart(std::size_t, std::span<const double>)> start;

    [[nodiscard]] std::size_t points() const;
    // Values of the axes at a point.
    [[nodiscard]] std::vector<double> values(std::size_t point) const;
    // Points that are computed one after the other by one worker: a line of a sweep that is carried on, else one point.
    [[nodiscard]] std::size_t line() const;
};

// Takes what is finished, knows what was finished before; called from one thread at a time.
class SweepStore {
  public:
    virtual ~SweepStore() = default;
    [[nodiscard]] virtual bool has(std::size_t point) const = 0;
    // False: nothing more can be written, and the sweep stops.
    virtual bool put(std::size_t point, const SectionResult& result) = 0;
};

struct SweepControl {
    std::size_t threads = 1;
    // Motions that a thread computes side by side: 4, 8 where the processor has such registers, 1 for one after the other,
    // 0 for as many as it can.
    std::size_t lanes = 0;
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(std::size_t)> progress = {}; // points done; called from one thread at a time
};

// True: every point is in the store.
[[nodiscard]] bool sweep(const flow::Flow& flow, const SweepPlan& plan, SweepStore& store,
                         const SweepControl& control);

// Motions of one attractor have one number, in the order in which the sweep meets them; 0: none (not settled, failed).
// Attractors are told apart by label, period and the sections of one period in ascending order.
[[nodiscard]] std::vector<std::size_t> attractors(const std::vector<SectionResult>& results,
                                                  const SectionOptions& options);

} // namespace liaison::analysis
