// SPDX-License-Identifier: Apache-2.0
// What a rigid motion says about each of its contacts: reactions, lift-off and impacts, for estimates of stiffness.
#pragma once

#include "liaison/analysis/contact_track.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace liaison::analysis {

// Of one side of a contact.
struct RigidFacts {
    // The first lift-off of a contact that was closed from the start on.
    struct LiftOff {
        double time = 0.0;
        double mass = 0.0; // μ there
        double rate = 0.0; // κ = −Ṙ/μ
    };
    struct Impact {
        double time = 0.0;
        double speed = 0.0;
        double mass = 0.0; // μ
        double profile = 0.0; // B
        double pressing = 0.0; // −g̈ in free flight just before it
    };
    double largest_reaction = 0.0;
    double smallest_mass = std::numeric_limits<double>::infinity(); // while it carries
    double smallest_profile = std::numeric_limits<double>::infinity();
    double first_reaction = 0.0; // at the start; zero where it is open there
    double first_mass = 0.0;
    double first_profile = 0.0;
    std::optional<LiftOff> lift_off;
    std::vector<Impact> impacts; // up to the first accumulation
    bool accumulates = false;
    double ratio = 0.0; // ζ of its spring
    laws::ContactExit exit = laws::ContactExit::gap;
};

// By side. `limit` is the rigid motion at these times.
std::vector<RigidFacts> rigid_facts(const model::Model& model, const prepare::Point& start,
                                    const std::vector<ContactMetric>& sides, const Track& limit,
                                    const std::vector<double>& times);

// Whether an event belongs to this side of its contact.
[[nodiscard]] bool belongs(const flow::Event& event, const model::Model& model,
                           const ContactMetric& side);

} // namespace liaison::analysis
