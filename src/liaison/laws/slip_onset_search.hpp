// SPDX-License-Identifier: Apache-2.0
// All directions in which one or two contacts in space start to slip: branch and prune over their angles, a proof.
//
// Wanted are the angles ψ with s_i^⊥·v̇_i = 0 and s_i·v̇_i > 0 while the gaps stay closed under N ≥ 0 (theory of many contacts,
// §3.3). A box of angles is left out where an enclosure shows that it has no such point, and is finished where Krawczyk's
// operator shows that it has exactly one root; others are halved. What is neither at the least width (a double root, a singular
// system) is undecided.
#pragma once

#include "liaison/laws/slip_onset.hpp"

#include <vector>

namespace liaison::laws {

struct OnsetSearchOptions {
    // By starting contact: s·v̇ below this is no slip.
    std::vector<double> least = {};
    double rest = 0.0; // |v̇| of undecided boxes in which nothing moves: no motion is missed there
    double force = 0.0; // N ≥ −force counts as pressing
    double gap = 0.0; // g̈ ≥ −gap as open
    int most_boxes = 20000;
    int after_undecided = 300; // boxes that are still looked at then
};

struct OnsetDirections {
    std::vector<OnsetAngles> angles; // by root
    bool complete = true; // there are no others
    int boxes = 0; // that were looked at
};

// One or two starting contacts.
[[nodiscard]] OnsetDirections search_slip_onset(const SlipOnset& onset,
                                                const OnsetSearchOptions& options);

} // namespace liaison::laws
