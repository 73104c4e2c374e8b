// SPDX-License-Identifier: Apache-2.0
// The contract in the middle of the house: one smooth field with modes as data, guards, transitions.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/flow/transition.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::flow {

using expr::Expr;

enum class Direction { up, down, both };

// g(t, x, p, mode) whose zero ends a piece. It is watched while every listed mode slot has its value.
struct Guard {
    struct Condition {
        std::size_t slot = 0;
        double value = 0.0;
    };
    std::string name;
    Expr value;
    Direction direction = Direction::both;
    std::size_t owner = 0; // index into Flow::transitions
    std::vector<Condition> active_when;
    // A guard that only reports (no transition): its firing is logged and the piece goes on.
    bool report_only = false;
    // The motion keeps this guard ≥ 0 (a gap, a reaction): found below zero at the start of a piece, by rounding in a
    // chatter of several contacts, it fires at once instead of being lost.
    bool kept_nonnegative = false;
};

// One component of the mode: a contact mask, a slip sign, a sheet, a relay value, a piece of a table.
struct ModeSlot {
    std::string name;
    Expr symbol;
    double initial = 0.0;
    // What the values mean to the user; a slot without words is internal and not shown.
    struct Word {
        double value = 0.0;
        std::string word;
    };
    std::vector<Word> words;
    // Takes any value, set from the state at events (a discrete state of the user): its variation matters. Other
    // slots change by jumps only.
    bool continuous = false;
};

enum class OutputGroup {
    q,
    v,
    a,
    reaction,
    gap,
    relay,
    observe,
    integral,
    violation,
    energy,
    sensitivity
};

// A quantity for the user, computed from (t, x, p, mode).
struct Output {
    OutputGroup group{};
    std::string name;
    std::string part; // "normal", "tangential" of a reaction; by what a sensitivity is taken
    Expr value;
};

// A bilateral constraint f = 0 as the flow holds it, for reports and certificates (theory of program constraints).
struct HeldConstraint {
    std::string name;
    Expr f;
    Expr rate; // ḟ where the law is of second order; empty otherwise
    Expr inside; // the node by which f enters the rates of a first-order flow; empty otherwise
    // What the violation obeys: ḟ = law[0] f, or f̈ = law[0] f + law[1] ḟ. Empty: coupled with other constraints.
    std::vector<Expr> law;
    std::optional<double> tolerance; // bound on |f| that was asked for
};

// A state that has no rate but follows from an equation: the multiplier of an implicit form.
struct Algebraic {
    Expr equation; // is zero along the motion
    Expr value; // consistent with the other states, to begin with
};

// x' = f(t, x, p, mode) between guards. The first `n_controlled` states are the motion; the others are carried along
// and nothing depends on them: work of forces, impulses, tangent vectors. All of them steer the step: a power
// swings twice as fast as its motion, and its integral is the check of the energy.
struct Flow {
    std::shared_ptr<expr::Pool> pool;
    std::string model;
    std::string realisation;

    Expr time;
    std::vector<Expr> states;
    std::vector<std::string> state_names;
    std::vector<Expr> rates;
    std::size_t n_controlled = 0;
    std::size_t n_positions =
        0; // the first states are positions q, then velocities up to n_controlled

    std::vector<Expr> parameters;
    std::vector<std::string> parameter_names;
    std::vector<double> parameter_values;

    std::vector<ModeSlot> modes;
    std::vector<Guard> guards;
    std::vector<std::shared_ptr<const Transition>> transitions;
    std::vector<Output> outputs;

    // Of the last states; their rates are zero and mean nothing. Only the method "dae" solves for them.
    std::vector<Algebraic> algebraic;

    std::vector<HeldConstraint> constraints;
    // False: constraints depend on each other; of the reactions that move the system alike the smallest are given.
    bool reactions_unique = true;
    // The last parameter is the decay rate of violations, to be chosen before the motion starts (stabilise = "auto").
    bool rate_to_choose = false;

    // Angular frequency: the field repeats after 2π/frequency; empty where t enters otherwise or not at all.
    // Time may then be reduced by whole periods, so that long runs lose no digits.
    Expr frequency;

    // States that are functions of the others (roots that are followed along the motion). `exact` has the value of the
    // state and the derivatives of the function: root − J⁻¹ R(root, x) with R = 0 along the motion.
    struct Followed {
        Expr state;
        Expr exact;
    };
    std::vector<Followed> followed;

    double start_time = 0.0;
    std::vector<double> start_state;
};

// Expressions of the flow as they are differentiated: followed states replaced by the functions they are.
std::vector<Expr> differentiable(const Flow& flow, std::span<const Expr> expressions);

// The index of the slot with this symbol.
std::size_t slot_of(const Flow& flow, Expr symbol);

} // namespace liaison::flow
