// SPDX-License-Identifier: Apache-2.0
// Elastic contacts as oscillators: frequency, damping ratio and the restitution that belongs to it, both ways.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/laws/damped_contact.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::realise {

// One side of a contact at a point of the motion; what depends on a stiffness is nothing without one.
struct SpringFacts {
    std::string name; // "floor", "box lower"
    std::size_t contact = 0; // index in the model
    double mass = 0.0; // μ, that the gap feels
    std::optional<double> stiffness; // N B
    std::optional<double> frequency; // √(N B/μ)
    std::optional<double> damping; // c of −c ġ
    std::optional<double> damping_ratio; // ζ: given, from c, or the one that gives the restitution
    std::optional<double> restitution; // that ζ returns in the limit of stiffness
    std::optional<double> duration; // of an impact, contact_phase(ζ)/ω
    laws::ContactExit exit = laws::ContactExit::gap;
    std::optional<double> written; // restitution in the model, for events and routh
    bool damped = false; // damping or damping_ratio is written: it decides, not the restitution
};

// A potential of the user's own has no frequency; its undamped contact returns everything.
std::vector<SpringFacts> spring_facts(const model::Model& model, const prepare::Point& point);

// Refuses a restitution beside a damping that returns something else: as a spring the contact would obey the one, and
// rigid the other. Nothing is said where both mean the same to three digits.
void report_contradiction(const model::Model& model, const std::vector<SpringFacts>& springs,
                          base::Diagnostics& diagnostics);

} // namespace liaison::realise
