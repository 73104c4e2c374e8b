// SPDX-License-Identifier: Apache-2.0
// Which stiffness an elastic contact needs for a wanted error, checked by a run with it.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

// What may be wanted; each asks for a stiffness of its own, the largest serves all.
struct StiffnessWish {
    std::optional<double> penetration;   // largest −gap, along the constraint and in impacts
    std::optional<double> speed;         // largest |gap rate| along the constraint
    std::optional<double> release_speed; // error of the velocity after lift-off
    std::optional<double> delay;         // path that an impact is late by
    bool static_start = false;           // contacts start compressed: no oscillation
};

struct StiffnessChoice {
    std::string quantity; // "penetration", "speed", "release speed", "delay"
    double wanted = 0.0;
    double stiffness = 0.0;
    std::optional<double>
        measured; // with that stiffness; nothing where the motion gives no such quantity
};

struct StiffnessAnswer {
    std::vector<StiffnessChoice> choices;
    double stiffness = 0.0;     // the largest of them
    double frequency = 0.0;     // of the contact, with it
    double contact_step = 0.0;  // 0.4/frequency, what a fixed step would have to be
    std::uint64_t steps = 0;    // that the run with it took
    std::string failed;

    // What could be measured is no more than what was wanted.
    [[nodiscard]] bool reached() const;
};

// From the rigid motion (reactions, masses, impact speeds), Deryabin's estimates:
//   penetration δ: N = 2R/(Bδ), R/(Bδ) without oscillation;   speed η: N = R²/(μBη²);
//   penetration δ of an impact with speed v: N = (μ/B) (v exp(−ζ arccos ζ/√(1 − ζ²))/δ)²;
//   after lift-off η: N = (2 κ^(1/5) (R₀²/(2μ₀μ))^(2/5)/η)^(5/3), κ = −Ṙ/μ at lift-off;
//   delay d of an impact with speed v: N = (πv/d)²/(1 − ζ²).
StiffnessAnswer choose_stiffness(const model::Model& model, const prepare::Start& start,
                                 const StiffnessWish& wish);

nlohmann::ordered_json to_json(const StiffnessAnswer& answer);
std::string to_text(const StiffnessAnswer& answer);

} // namespace liaison::analysis
