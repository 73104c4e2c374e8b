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
};

void install(const ContactEvents& events, flow::Flow& flow);

} // namespace liaison::realise
