// SPDX-License-Identifier: Apache-2.0
// Several motions of one flow side by side, each with its own parameters, time, step and events.
//
// Steps are expanded, chosen, searched for roots and evaluated in the lanes of vector registers; an event whose transition
// has a usual case (usual_reset.hpp) is made in its lane too. Whatever is unusual — grazing, chatter, rest, sticking, a
// guard that the proof for whole steps does not settle — is done by the Simulation of that lane alone, from the same
// polynomials, and the motion stays in its lane. No number of a lane depends on what the other lanes hold.
#pragma once

#include "liaison/compile/taylor_lanes.hpp"
#include "liaison/motion/lane_view.hpp"
#include "liaison/motion/simulation.hpp"
#include "liaison/solve/lane_search.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace liaison::motion {

class Lanes {
  public:
    // `usual`: events whose transition is the usual one may be made in lanes, without a record. `width`: four lanes, or
    // eight where the processor has such registers.
    Lanes(const flow::Flow& flow, double tolerance, double expected_steps, bool usual,
          std::size_t width = compile::usual_lanes());
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

    [[nodiscard]] std::size_t width() const { return width_; }
    // False: there is no vector code for this flow here, and one motion after the other is as quick.
    [[nodiscard]] bool quick() const { return batch_->backend() == compile::Backend::llvm; }

    // A motion of the flow above with parameters, start and options of its own; both live until it is done.
    struct Motion {
        const flow::Flow* flow = nullptr;
        const SimulateOptions* options = nullptr;
        Simulation::Witness witness = {}; // of usual events
    };
    // Lanes ask for motions as they become free, until there is none left.
    using Next = std::function<std::optional<Motion>(std::size_t lane)>;
    using Done = std::function<void(std::size_t lane, Trajectory&& trajectory)>;
    void run(const Next& next, const Done& done);

  private:
    enum class Course : char {
        idle,
        alone, // the Simulation takes the step
        odd, // and the scalar stepper makes it
        pass, // no event
        strike, // one guard fires
    };
    struct Lane {
        std::unique_ptr<Simulation> motion; // null: the lane is free
        Motion of;
        LaneView view;
        Course course = Course::idle;
        flow::Firing firing; // of a strike
        double correction = 0.0; // of its time
        std::vector<int> sides; // of the guards at the end of the step
    };
    // The numbers of the usual reset of one owner, for all lanes.
    struct Reset {
        std::shared_ptr<const flow::UsualReset> rule;
        compile::Evaluator numbers;
        compile::Evaluator::Workspace workspace;
        std::vector<double> values;
        compile::Stage from = compile::Stage::constant;
    };

    void fill(std::size_t lane, const Next& next, const Done& done);
    void read_lanes();
    void choose();
    void search();
    void search(std::size_t guard);
    void judge(std::size_t lane, std::size_t guard, const solve::LaneRoots& found);
    void evaluate();
    void finish_steps();
    void strike();
    void step_alone(Lane& lane, std::size_t l);
    void step_oddly(Lane& lane);

    const flow::Flow& flow_;
    std::size_t width_;
    compile::Tolerance tolerance_;
    std::unique_ptr<compile::TaylorBatch> batch_;
    compile::TaylorWorkspace workspace_;
    std::vector<Lane> lanes_;
    std::unique_ptr<Stepper> spare_; // for steps that lanes cannot choose
    std::vector<std::optional<Reset>> resets_; // by owner
    std::vector<std::size_t> used_; // mode slots on which field, guards or resets depend
    bool changed_ = true; // parameters or modes

    // Numbers of the lanes, number i of lane l at [i·width + l].
    std::vector<double> parameters_;
    std::vector<double> modes_;
    std::vector<double> state_;
    std::vector<double> moved_; // at the end of the step
    std::vector<double> low_;
    std::vector<double> inputs_; // of the resets
    compile::LaneValues time_{};
    compile::LaneValues left_{};
    compile::LaneValues step_{};
    compile::LaneValues tau_{};
};

} // namespace liaison::motion
