// SPDX-License-Identifier: Apache-2.0
// What happened at an instant of the motion, by name and with its numbers.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::flow {

enum class EventKind {
    impact,
    tangential_impact,
    attach,
    release,
    stick,
    slip,
    reverse,
    graze,
    accumulation,
    crossing,
    enter_sliding,
    exit_sliding,
    user,
    terminal,
};

std::string_view name(EventKind kind);

struct Saltation; // saltation.hpp

// An impact with friction, followed through in impulse.
struct ImpactCourse {
    struct Phase {
        bool sticking = false;
        double impulse = 0.0; // normal impulse, gap rate and slip at the end of the phase
        double normal_rate = 0.0;
        std::vector<double> slip;
    };
    double compression = 0.0; // normal impulse until the end of compression
    double work_normal = 0.0;
    double work_tangential = 0.0;
    std::vector<Phase> phases;
};

// The part of one contact in an impact of several.
struct ContactShare {
    std::string where;
    std::string side;
    double impulse = 0.0;
    std::vector<double> tangential;
    double gap_rate = 0.0;
    double gap_rate_after = 0.0;
    std::string mode;
};

// Numbers that do not exist for a kind stay empty and are written as null.
struct Event {
    solve::DoubleLength time;
    EventKind kind = EventKind::user;
    std::string where;                   // contact, relay, event or switch
    std::string side;                    // "lower" or "upper" for two-sided contacts
    std::optional<double> impulse;       // total normal impulse
    std::vector<double> tangential;      // tangential impulses
    std::optional<double> energy;        // true change of energy
    std::optional<double> energy_relative;  // change relative to a moving wall
    std::optional<double> gap_rate;      // before the event, negative on approach
    bool closes = false;                 // the contact stays closed afterwards
    std::string case_name; // the contact problem's case where the choice was not unique
    std::string rule; // the rule applied then
    double accuracy = 0.0; // how far the located time may be off
    int stage = 0; // running number of collisions at one instant
    std::optional<ImpactCourse> course;
    std::vector<ContactShare> contacts; // where several contacts share one impact
    std::vector<double> state_minus; // flow state before and after
    std::vector<double> state_plus;
    std::shared_ptr<const Saltation> saltation; // in motions with variational equations
};

} // namespace liaison::flow
