// SPDX-License-Identifier: Apache-2.0
// A finished run: the trajectory with its user quantities, energy balance and facts about its making.
#pragma once

#include "liaison/flow/decisions.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/record/block.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::record {

// Everything needed to know how the numbers were made and to make them again.
struct Provenance {
    std::string version;
    std::string command; // as it was typed
    std::vector<std::string> arguments; // the options that decide the numbers: "--set", "e=0.5", …
    std::string model_file;
    std::string model_text;
    std::string model_hash;
    std::string compiler;
    std::string target;
    std::string build; // "optimised, llvm, hdf5, …"
    std::string cpu;
    double tolerance = 0.0;
    std::string method;
    double step = 0.0; // of fixed-step methods, else 0
    // A run that went on from an earlier one: where that stood, and the file it was read from.
    std::optional<motion::Standing> from = {};
    std::string from_file;
};

// E(end) − E(start) = work + impacts + friction + relays + unexplained. The work is a quadrature along the motion,
// the impact losses are summed event by event, so the remainder is a genuine check.
struct EnergyBalance {
    double start = 0.0;
    double end = 0.0;
    double work = 0.0;
    double impacts = 0.0;
    double friction = 0.0;
    double relays = 0.0;
    double unexplained = 0.0;
};

// Fixed steps against the law of the violation: what every step adds, and what that bounds (Theorem 2-RK).
struct StepMonitor {
    std::string norm; // max, modal or lyapunov
    double alpha = 0.0; // what one step leaves of a violation, in that norm
    double defect = 0.0; // sup ‖δ‖ over the steps of the run
    double bound = 0.0; // on |f| for motions whose steps do no worse
};

// What is proven about all motions near the constraints, before any of them is computed (Theorem 2).
struct TubeProof {
    bool certified = false;
    double alpha = 0.0;
    std::optional<double> defect; // proven sup |δ|
    std::optional<double> attainable; // the bound that would be certified with this step
    std::string reason; // why not
    // Where: states that were covered in a range only; the others anywhere.
    std::map<std::string, std::pair<double, double>> region;
};

struct ConstraintReport {
    double max_violation = 0.0; // |f| on the accepted grid
    double max_violation_between = 0.0; // over the dense output
    std::optional<double> max_rate_violation; // of |ḟ| over the dense output
    std::optional<double> bound; // asked for
    std::optional<double> proven; // by interval arithmetic over the dense output
    std::string certificate = "none"; // certified, monitored, estimated or none
    std::optional<double> margin; // 1 − |f|/bound at the worst place
    std::optional<double> p; // decay rate of violations
    std::optional<std::pair<double, double>> p_range; // that keeps the bound with this step
    // The same from bounds of the second derivative over one box, on the constraint itself: no proof, but by hand.
    std::optional<std::pair<double, double>> p_range_crude;
    std::optional<double> step; // of a fixed-step method
    std::optional<StepMonitor> monitor; // of a fixed-step method
    std::optional<TubeProof> tube; // where a fixed-step method has one
};

// How independent the constraints were along the motion.
struct RankReport {
    std::size_t rank = 0; // at the start
    double smallest_ratio = 1.0; // of the singular values that count there
    double at = 0.0;
};

struct IntegralReport {
    double start = 0.0;
    double end = 0.0;
    double max_drift =
        0.0; // at the ends of steps, after corrections: from where the motion goes on
    double max_drift_between = 0.0; // everywhere, within steps too
};

// How well the decisions about rigid contacts meet their conditions, measured after them (contact_watch.hpp): the largest
// residuals of the run, relative, and how the problems were decided.
struct ContactReport {
    double complementarity = 0.0; // |min(λ_N D_ii, g̈)| of contacts at rest in the normal direction
    double impact_complementarity = 0.0; // |min(Λ D_ii, γ⁺ + e min(γ⁻, 0))|
    bool friction = false;
    double cone = 0.0; // max(0, |λ_T| − μ λ_N), of impulses too
    double direction = 0.0; // | λ_T |v_T| + μ λ_N v_T |
    double natural = 0.0; // |λ − proj_K(λ − ρ(g̈ + μ|v̇_T|, v̇_T))|
    double momentum = 0.0; // |M(v⁺ − v⁻) − W Λ| at impacts
    std::uint64_t decisions = 0; // that left contacts at rest in the normal direction
    std::uint64_t impacts = 0;
    flow::Decisions resolved;
};

// ∂of/∂by at the end of the run; not a number where an event has no derivative.
struct Sensitivity {
    std::string of;
    std::string by;
    double value = 0.0;
};

struct Run {
    Provenance provenance;
    std::string model;
    std::string realisation;
    std::string time_unit;
    std::vector<std::string> units; // of the flow's outputs; empty where nothing is known about any
    motion::Trajectory trajectory;
    Block samples; // of the flow's outputs, in the order of Flow::outputs
    std::vector<double> end; // values of the flow's outputs at the end
    // Points along every piece, with both sides of every jump: what a picture needs. Empty unless asked for.
    Block trace;
    // The motion itself, piece by piece; empty unless asked for.
    std::vector<motion::Piece> pieces;
    std::optional<EnergyBalance> energy;
    std::map<std::string, ConstraintReport> constraints;
    std::optional<RankReport> rank; // where there are several constraints
    std::map<std::string, IntegralReport> integrals;
    double smallest_gap = 0.0; // over the dense output; 0 when there are no contacts
    bool has_gaps = false;
    std::optional<ContactReport> contacts; // of rigid contacts by events
    double compile_ms = 0.0;
    double simulate_ms = 0.0;
    std::vector<std::string> warnings;
    std::vector<Sensitivity> sensitivity; // of runs that were asked for it
};

// How a mode slot is told to the user: a word per value ("open", "closed", …).
std::string mode_word(const flow::ModeSlot& slot, double value);

// "done", "stopped", "interrupted".
std::string status_word(motion::Status status);

nlohmann::ordered_json to_json(const Run& run, const flow::Flow& flow);
// The report on the terminal; `all_events` lists every event instead of the first few.
std::string to_text(const Run& run, const flow::Flow& flow, bool all_events);
std::string to_csv(const Run& run, const flow::Flow& flow);

// Where the motion ended, for a run that goes on.
motion::Standing standing_at_end(const Run& run);

} // namespace liaison::record
