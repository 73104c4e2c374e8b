// SPDX-License-Identifier: Apache-2.0
// Contacts with Coulomb friction by events: flight, impact, slip, stick, release, and the paradoxes of Painlevé.
#pragma once

#include "liaison/laws/friction_impact.hpp"
#include "liaison/model/run_options.hpp"
#include "liaison/realise/friction_modes.hpp"
#include "liaison/realise/friction_rows.hpp"
#include "liaison/realise/relays_beside.hpp"

#include <memory>

namespace liaison::realise {

// Up to so many sides B₁' of each is told with all others in their modes, and the determinants of groups are watched.
inline constexpr std::size_t k_most_watched_sides = 4;

struct FrictionEvents {
    std::shared_ptr<const ContactProblem> problem;
    // By side, in the masked system of the field.
    std::vector<expr::Expr> normal; // reactions
    std::vector<std::vector<expr::Expr>> tangential; // friction forces
    std::vector<std::optional<ResponseTerms>> response; // A₁, B₁' of sides with friction
    std::vector<laws::Restitution> restitution;
    laws::NormalImpactOptions impacts;
    model::Paradox paradox = model::Paradox::impact;
    std::shared_ptr<RelaysBeside> relays{}; // none: null
    bool group_pivots = false; // B₁' is that with all other contacts in their modes
};

void install(FrictionEvents events, flow::Flow& flow);

} // namespace liaison::realise
