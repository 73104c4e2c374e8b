// SPDX-License-Identifier: Apache-2.0
// Watches the guards of a flow over one step and finds the first that fires.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/stepper.hpp"

#include <span>
#include <vector>

namespace liaison::motion {

struct GuardGraze {
    std::size_t guard = 0;
    double tau = 0.0;
    double value = 0.0;
};

// What the guards say about a step.
struct Watch {
    double tau = 0.0;         // time of the first firing, or the whole step
    double correction = 0.0;  // tau + correction to double length
    std::vector<flow::Firing> fired;     // all that fire together at tau
    std::vector<GuardGraze> grazes;      // touched zero before tau without a certain crossing
    bool unresolved = false;             // the search gave up; guard named in `unresolved_guard`
    std::size_t unresolved_guard = 0;
    bool identically_zero = false;       // a watched guard vanishes along the whole step
    std::size_t zero_guard = 0;
};

class GuardWatch {
  public:
    // `roots`: the guards of branch points are watched too, as series need it.
    GuardWatch(const flow::Flow& flow, bool roots);

    // A new piece begins: which guards are watched in this mode, and which start at a zero that must not
    // fire again.
    void begin(std::span<const double> mode, std::span<const flow::Armed> armed);
    // Searches the step. The result stays valid until the next call.
    const Watch& search(const Stepper& step, double h);
    [[nodiscard]] const Watch& result() const { return watch_; }
    // The step was taken as a whole: sides are remembered, armed zeros are behind us.
    void advance();

    // The side of a guard at the end of the searched stretch, ±1 where it is certain there, else 0.
    [[nodiscard]] int certain_side(std::size_t k) const { return certain_side_[k]; }
    // How the guard k starts: its side just before, 0 where that is not known, and the multiplicity of a zero there.
    [[nodiscard]] int side(std::size_t k) const { return side_[k]; }
    [[nodiscard]] int multiplicity(std::size_t k) const { return multiplicity_[k]; }
    [[nodiscard]] std::span<const std::size_t> list() const { return watched_; }
    // As advance(), of a step that was searched elsewhere.
    void advance(std::span<const int> sides) {
        for (const std::size_t k : watched_) {
            multiplicity_[k] = 0;
            side_[k] = sides[k];
        }
    }
    // 1 for every guard that is watched in the present mode.
    [[nodiscard]] std::span<const char> watched() const { return active_; }

  private:
    void withhold_turned(const Stepper& step, double h, double together);
    void remember_sides(const Stepper& step);

    const flow::Flow& flow_;
    bool roots_; // watched
    std::vector<char> turns_; // guards with roots in them; empty: there are none
    std::vector<char> active_;
    std::vector<int> multiplicity_;
    std::vector<int> side_;
    std::vector<int> next_side_;
    std::vector<int> certain_side_;
    std::vector<std::size_t> watched_; // the guards with active_ = 1, in order
    // Guards that vanished with a root, and the side they came from.
    struct Withheld {
        std::size_t guard = 0;
        int side = 0;
    };
    std::vector<Withheld> withheld_;
    Watch watch_;
};

} // namespace liaison::motion
