// SPDX-License-Identifier: Apache-2.0
// One motion in the course of being computed: where it stands, and what a step or a guard does to it.
#pragma once

#include "liaison/flow/restorer.hpp"
#include "liaison/flow/usual_reset.hpp"
#include "liaison/motion/accumulation.hpp"
#include "liaison/motion/clock.hpp"
#include "liaison/motion/guard_watch.hpp"
#include "liaison/motion/mode_cycle.hpp"
#include "liaison/motion/progress.hpp"
#include "liaison/motion/simulate.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace liaison::motion {

// simulate() runs it from begin to end. Motions in lanes (lanes.hpp) go on step by step; the usual step and the usual
// event of a lane are told here by what came out of them, everything else is done here as for a motion alone.
class Simulation {
  public:
    Simulation(const flow::Flow& flow, Stepper& stepper, const SimulateOptions& options);

    Trajectory run();

    // The transitions at the start.
    void begin();
    std::vector<std::vector<std::size_t>> rehearse_start();
    // Whether a step is to be made; false: the motion is over.
    [[nodiscard]] bool goes_on();
    // Time left until the end.
    [[nodiscard]] double left() const { return (until_ - now_.time).rounded(); }
    // Takes the step that the stepper has just expanded, cut at the first guard that fires.
    void take(const Step& proposal);
    // What was computed; the motion cannot go on afterwards.
    Trajectory finish();

    [[nodiscard]] const flow::Instant& now() const { return now_; }
    [[nodiscard]] const GuardWatch& watch() const { return watch_; }
    [[nodiscard]] const std::vector<double>& carry() const { return carry_; }

    // What lanes do (simulation_lane.cpp). Whether they may make the next step: no owner corrects the state after it, and
    // guards that are zero at its start leave it in a way that the search of the whole step decides.
    [[nodiscard]] bool plain();
    // Whether the guard k may start the step on this side (±1): nothing was jumped over, and one that was armed leaves
    // zero for the side its direction comes from.
    [[nodiscard]] bool starts_rightly(std::size_t k, int side) const {
        return (required_[k] == 0 || required_[k] == side) &&
               (watch_.side(k) == 0 || watch_.side(k) == side);
    }
    // Whether the guard k, passing zero from this side, fires and is not one that take() must judge.
    [[nodiscard]] bool fires_rightly(std::size_t k, int from) const;
    // Whether a stretch τ may hold a sample; sample() takes those within it, with its end if no event cuts it there.
    [[nodiscard]] bool sample_is_near(double tau) const;
    void sample(double tau, bool whole);
    // The step was made without an event. Component i of the state is at [i·stride], its low part likewise; `sides` are
    // those of the guards.
    void pass(double h, const double* state, const double* low, std::size_t stride,
              std::span<const int> sides);
    // The step was cut at τ, where one guard fires; the state is the one just before its transition.
    void reach(double tau, double correction, const double* state, std::size_t stride,
               const flow::Firing& firing);
    // What happens there: the usual reset where it is one, from its numbers (number j at [j·stride]), else what the
    // transitions say.
    using Witness = std::function<void(flow::EventKind, const flow::Instant&)>;
    void transit_usually(const flow::UsualReset* reset, const double* numbers, std::size_t stride,
                         const Witness& witness);

  private:
    void step();
    std::optional<double> confirmed_step(double h);
    void transit();
    [[nodiscard]] std::vector<flow::Armed> armed_before() const;
    void confirm_armed();
    void after_transit();
    [[nodiscard]] bool gains_time();
    [[nodiscard]] bool keeps_pace();
    void stop_in_crowd(std::size_t events);
    [[nodiscard]] bool was_away(const Watch& seen);
    [[nodiscard]] bool never_left(double tau);
    void begin_piece();
    [[nodiscard]] double resolution() const;
    bool tell_others(std::size_t owner, const flow::Instant& before, int depth);
    bool turned_back(const Watch& seen);
    [[nodiscard]] std::string uncompleted_bounces() const;
    void forget_guards_left(double tau);
    [[nodiscard]] bool came_back(std::size_t k) const;
    [[nodiscard]] double beyond(std::size_t k, double tau) const;
    void warn_of_zero(std::size_t k);
    bool accept(flow::Outcome&& outcome, std::vector<flow::Armed>& armed);
    void move(double tau);
    void note_step(double tau);
    void build_piece(double tau);
    void sample_until(double tau, const Piece* piece, bool inclusive);
    void restore(Sample& sample);
    void report_graze(const GuardGraze& graze);
    [[nodiscard]] std::string describe(const Step& step) const;
    [[nodiscard]] std::string described(std::string facts) const;
    void stop(std::string reason);
    void read_clock();
    [[nodiscard]] bool nobody_settles() const;
    [[nodiscard]] bool nobody_listens(std::size_t owner) const;

    const flow::Flow& flow_;
    Stepper& stepper_;
    const SimulateOptions& options_;
    GuardWatch watch_;
    Clock clock_;
    solve::DoubleLength until_;
    flow::Instant now_;
    flow::Instant before_; // a transition
    std::vector<double>
        spoken_; // the state the only owner of what fired left; empty: there were several
    std::vector<flow::Armed> said_;
    std::vector<double> carry_;
    std::size_t n_moving_;
    Piece piece_;
    std::vector<const flow::Restorer*> restorers_; // of samples inside steps
    std::vector<flow::Firing> fired_;
    std::vector<flow::Firing> owned_; // by one transition
    std::vector<std::size_t>
        spoke_; // owners that decided anew at this instant, without a guard of theirs
    std::vector<flow::Armed> armed_;
    std::vector<flow::Armed> just_armed_; // before a transition, and not left since
    AccumulationWatch accumulation_;
    solve::DoubleLength chain_time_{-std::numeric_limits<double>::infinity()};
    ModeCycle cycle_; // of the transitions at one instant
    Progress progress_;
    bool seen_ = true; // some guard that fires was away from zero in the step before
    std::size_t next_sample_ = 0;
    bool over_ = false;
    bool fresh_ = false; // some guards are at zero since the last transition
    bool lingers_ = false; // and have been for more than a step
    // For lanes:
    std::vector<const flow::LaneOwner*> owners_; // by transition; null: one that knows no lanes
    bool piece_is_new_ = true; // what follows is not known yet
    bool plain_ = false;
    std::vector<int> required_; // the side on which a guard must start; 0: any
    std::vector<char> zero_told_;
    Trajectory result_;
};

} // namespace liaison::motion
