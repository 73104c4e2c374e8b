// SPDX-License-Identifier: Apache-2.0
// What the user said, table by table, before names are resolved: plain structures to be filled in.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/model/written.hpp"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::model {

// An expression for a coordinate, a quasi-velocity, an output, …
struct Component {
    Name name;
    Written value;
};

struct FamilyDraft {
    Name index;
    long first = 0;
    long last = -1;
};

struct ParameterDraft {
    Name name;
    std::vector<double> values;   // one, or a list that is used as m[i]
    bool list = false;
    std::string unit;
    std::optional<std::pair<double, double>> range;
    std::string about;
    base::Span value_span, unit_span, range_span;
};

struct StateDraft {
    Name name;
    double value = 0.0;
};

struct ForceDraft {
    Name name;
    std::vector<Component> components;
    std::vector<Written> at, vector;
};

// friction = expression, or { static, dynamic }.
struct FrictionDraft {
    Written coefficient;
    Written sticking, sliding;
    base::Span span;
};

struct StabiliseDraft {
    Stabilise::Kind kind = Stabilise::Kind::automatic;
    Written p;
    Written frequency, damping;
    std::vector<std::vector<Written>> rows;
    base::Span span;
};

struct ConstraintDraft {
    Name name;
    Written equation;             // "left = right"; an expression stands for itself = 0
    std::optional<double> tolerance;
    base::Span tolerance_span;
    StabiliseDraft stabilise;
    std::vector<Component> actuator;
    std::vector<Written> slip;
    FrictionDraft friction;
};

struct ContactDraft {
    Name name;
    Written gap;
    std::vector<Written> between;  // lower, f, upper
    base::Span between_span;
    Written restitution;
    std::optional<RestitutionLaw> law;
    base::Span law_span;
    std::vector<Written> slip;
    FrictionDraft friction;
    Written stiffness, damping, damping_ratio, profile, potential, preload;
    // A law of the spring by its name, instead of an expression.
    enum class Spring { quadratic, hertz, hunt_crossley, pieces };
    Spring spring = Spring::quadratic;
    std::vector<std::vector<Written>> pieces; // rows [penetration, stiffness from there on]
    base::Span spring_span;
    Elasticity::Exit exit = Elasticity::Exit::gap;
};

struct RelayDraft {
    Name name;
    Written surface;
    Written above, below, holding;
    base::Span values_span;
    std::vector<Component> force;
    RelayBranch branch = RelayBranch::none;
};

struct BodyDraft {
    Name name;
    Body::Kind kind = Body::Kind::free;
    Written mass, weight;
    std::vector<std::vector<Written>> inertia; // one row of three principal moments, or three rows
    std::vector<Written> center, gyrostat;
    base::Span inertia_span, center_span, gyrostat_span;
};

struct KinematicsDraft {
    Written speed;
    std::vector<Component> velocity;
    base::Span velocity_span;
    bool partition = false;
    std::vector<std::vector<Written>> directions;
    base::Span span;
};

struct TableDraft {
    Name name;
    std::vector<double> x, y;
    int order = 3;
    base::Span x_span, y_span;
};

struct EventDraft {
    Name name;
    Written when;
    std::optional<Event::Direction> direction;
    base::Span direction_span;
    bool stop = false;
    std::vector<Component> set, set_velocity, set_state;
};

struct InvertDraft {
    std::vector<Name> unknown, positions;
    std::vector<Written> free;
    std::vector<Component> follow; // equations
    bool positional = false;
    Written stabilise;
    base::Span span;
};

struct StartDraft {
    std::vector<Component> values, velocities;
    std::vector<Name> closed, solve;
    Written time;
    Inconsistent inconsistent = Inconsistent::refuse;
    base::Span span, closed_span, solve_span;
};

struct RunDraft {
    Written until, step, hold_rate;
    std::vector<Name> hold;
    RunOptions options; // everything that needs no names
    bool bilateral_given = false;
    base::Span method_span, tolerance_span, contact_span;
};

struct PeriodicDraft {
    Written period, phase;
    std::vector<Name> drift;
    std::vector<Component> symmetry;
    base::Span span;
};

struct DrawDraft {
    Draw::Shape shape = Draw::Shape::segment;
    std::vector<std::vector<Written>> points;
    Written radius;
    std::string text, colour, label;
    Name body;
    base::Span span;
};

struct Draft {
    std::string name, about;
    std::deque<FamilyDraft> families;
    std::vector<Name> coordinates;
    std::vector<Name> velocities;
    std::vector<Component> rates;
    std::deque<ParameterDraft> parameters;
    std::deque<StateDraft> states;
    std::vector<Component> lets;
    Written T, V, L;
    std::deque<ForceDraft> forces;
    std::deque<ConstraintDraft> constraints;
    std::deque<ContactDraft> contacts;
    std::deque<RelayDraft> relays;
    std::deque<BodyDraft> bodies;
    std::vector<Component> system;
    std::optional<KinematicsDraft> kinematics;
    std::deque<TableDraft> tables;
    std::vector<Component> observes;
    std::deque<EventDraft> events;
    std::vector<Component> integrals;
    std::optional<InvertDraft> invert;
    StartDraft start;
    RunDraft run;
    std::optional<PeriodicDraft> periodic;
    std::deque<DrawDraft> draws;

    bool incomplete = false; // some names could not be read, and that was told already

    base::Span coordinates_span, velocities_span, energy_span, system_span, rates_span;
};

} // namespace liaison::model
