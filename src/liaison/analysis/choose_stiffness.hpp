// SPDX-License-Identifier: Apache-2.0
// Which stiffness an elastic contact needs for a wanted error, checked by a run with it.
#pragma once

#include "liaison/base/interrupt.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

// What may be wanted; each asks for a stiffness of its own, the largest serves all.
struct StiffnessWish {
    std::optional<double> penetration;   // largest −gap, along the constraint and in impacts
    std::optional<double> speed;         // largest |gap rate| along the constraint
    std::optional<double> along;         // error of the position along the constraint
    std::optional<double> along_speed;   // of the velocity along it
    std::optional<double> release_speed; // error of the gap rate after lift-off
    std::optional<double> delay;         // path that an impact is late by
    std::optional<double> restitution;   // error of the restitution of an impact
    bool static_start = false;           // contacts start compressed: no oscillation
};

struct StiffnessChoice {
    std::string quantity; // "penetration", "speed", "along", "along speed", "release speed", …
    double wanted = 0.0;
    double stiffness = 0.0; // zero where nothing in the motion asks for one
    std::optional<double>
        measured; // with that stiffness; nothing where the motion gives no such quantity
    std::string note; // why there is no stiffness, or what it does not cover
};

struct StiffnessAnswer {
    std::vector<StiffnessChoice> choices;
    double stiffness = 0.0;     // the largest of them
    double frequency = 0.0;     // of the contact, with it
    double contact_step = 0.0;  // 0.4/frequency, what a fixed step would have to be
    std::uint64_t steps = 0;    // that the run with it took; zero where it would take too many
    std::string failed;

    // What could be measured is no more than what was wanted.
    [[nodiscard]] bool reached() const;
    // Something in the motion asks for a stiffness.
    [[nodiscard]] bool asked() const { return stiffness > 0.0; }
};

// From the rigid motion (reactions, masses, impact speeds), Deryabin's estimates (ω² = N B/μ, B = μ unless given):
//   penetration δ: N = (1 + o) R/(Bδ), o = 1 from rest at gap 0, the overshoot e^(−πζ/√(1 − ζ²)) with damping, 0 for a
//     compressed start; in an impact with speed v: N = (μ/B) (v exp(−ζ arccos ζ/√(1 − ζ²))/δ)²;
//   speed η: N = R²/(μBη²);
//   along ε, and everything of order 1/N without a closed form: the motions of N₁ and 4N₁,
//     N = C/ε with C = (4/3) N₁ |x(N₁) − x(4N₁)|;
//   after lift-off η: N = (2 κ^(1/5) (R₀² √(μ₀/B₀)/(2B₀μ))^(2/5)/η)^(5/3), κ = −Ṙ/μ at lift-off;
//   delay d of an impact with speed v: N = (μ/B) (vθ/d)², θ = π/√(1 − ζ²) or that of the exit at zero force;
//   restitution ε of an impact pressed by the acceleration g: N = (μ/B) (2ζ(1 + e) g/(vε))², from
//     e_N = e − 2ζ(1 + e) g/(vω); where the contact ends at zero force e_N = e − 2ζe g/(vω).
StiffnessAnswer choose_stiffness(const model::Model& model, const prepare::Start& start,
                                 const StiffnessWish& wish, base::Interrupt interrupt = nullptr);

nlohmann::ordered_json to_json(const StiffnessAnswer& answer);
std::string to_text(const StiffnessAnswer& answer);

} // namespace liaison::analysis
