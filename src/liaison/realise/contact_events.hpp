// SPDX-License-Identifier: Apache-2.0
// Ideal unilateral contacts by events: flight, impact, motion along the constraint, release, accumulation.
#pragma once

#include "liaison/laws/normal_impact.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <memory>

namespace liaison::realise {

// The guards of contact side k are first_guard + 2k (its gap, while open) and first_guard + 2k + 1 (its reaction,
// while closed); its mask is mode slot first_slot + k.
struct ContactEvents {
    std::shared_ptr<const ContactProblem> problem;
    std::vector<expr::Expr> reactions; // λ of each side in the masked system
    laws::NormalImpactOptions impacts;
    // Accelerations of the gaps per unit reaction, with everything else as it is; empty where no bilateral constraint takes
    // part. They vanish where a contact comes to depend on constraints, and the reaction passes from +∞ to −∞ there: the
    // guard of a closed contact is the product, which passes through zero.
    std::vector<expr::Expr> responses;
};

void install(const ContactEvents& events, flow::Flow& flow);

} // namespace liaison::realise
