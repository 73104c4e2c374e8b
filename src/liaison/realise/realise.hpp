// SPDX-License-Identifier: Apache-2.0
// From a checked model to a flow: the chosen realisations give its constraints a meaning.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"
#include "liaison/realise/branch.hpp"

#include <memory>
#include <optional>
#include <string>

namespace liaison::realise {

class ContactProblem; // contact_problem.hpp

struct Realisation {
    flow::Flow flow;
    // The numbers of its contacts at an instant, for contacts by events; null without.
    std::shared_ptr<const ContactProblem> contacts;
    // The model asks for something that has no engine yet: what, and where it stands in the file.
    std::string missing;
    base::Span missing_span;
    // The theory of the chosen realisation forbids it: why, and what to do instead.
    std::string refused;
    std::string instead;
    base::Span refused_span;
};

// Energies, forces, switching functions, user events, bilateral constraints (multiplier), frictionless contacts by
// events, by Routh's function or as stiff springs; first-order systems.
// `layer`: relays are smoothed over this width of their surface, w = tanh(S/layer), instead of switching.
// `lift_off` = false: contacts by Routh's function stay on x = 0 where their reaction is negative. That solves the
// equations too but is no motion of the system; every such instant is an event with its case.
// `branches`: which motion to take where a surface of a relay does not determine one.
Realisation realise(const model::Model& model, const prepare::Point& start,
                    std::optional<double> layer = {}, bool lift_off = true,
                    const Branches& branches = {});

} // namespace liaison::realise
