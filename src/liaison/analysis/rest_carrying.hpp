// SPDX-License-Identifier: Apache-2.0
// How the supports carry a rest position: what is held by friction, with which reserve, and whether contacts disturb
// each other.
#pragma once

#include "liaison/analysis/equilibrium.hpp"

#include <string>

namespace liaison::analysis {

struct Carrying {
    std::string obstacle; // a support at the end of what it can hold
    std::size_t contacts = 0; // pressed
    std::size_t held = 0; // forces of friction, or of relays on surfaces of velocities, that hold
    std::size_t relay_surfaces = 0; // relays kept on a surface of positions
    bool slides = false; // rubs on a moving body
    // Held by the static level alone: friction of slip, however small, is less than what drives it. In words.
    std::string set_off;
    std::string reserve; // of the friction that has least of it, in words: "floor 5 of 8"
    // A relay drives away from its surface on at least one side: its name. Where no other support acts on that surface,
    // nothing brings a disturbed motion back.
    std::string repels;
    bool repels_alone = true;
    // A relay that holds, but whose force is not along the rate of its surface: it may work on other motions. Its name.
    std::string skew;
    // A relay off its surface whose force changes with positions or velocities: it may have no potential. Its name.
    std::string driven;
    // A pressure answers to another pressure, to slip or to a relay: bounces and slips of one contact disturb others. In
    // words.
    std::string coupling;
    bool bounces_die_out = true; // restitution below one at all pressed contacts
    bool bounces_gain = false; // above one at some
};

[[nodiscard]] Carrying carrying(const model::Model& model, const RestEquations& rest,
                                const Equilibrium& e);

} // namespace liaison::analysis
