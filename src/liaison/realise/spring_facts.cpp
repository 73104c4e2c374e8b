// SPDX-License-Identifier: Apache-2.0
// Numbers of linear contacts from the expressions of the model.
#include "liaison/realise/spring_facts.hpp"

#include "liaison/equations/effective_mass.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

laws::ContactExit exit_of(const model::Elasticity& elastic) {
    return elastic.exit == model::Elasticity::Exit::gap ? laws::ContactExit::gap
                                                        : laws::ContactExit::force;
}

} // namespace

std::vector<SpringFacts> spring_facts(const model::Model& model, const prepare::Point& point) {
    const auto eq = equations::derive(equations::lagrangian_input(model), equations::Form::plain);
    const prepare::Evaluator evaluator(model);
    std::vector<SpringFacts> all;
    for (std::size_t k = 0; k < model.contacts.size(); ++k) {
        const model::Contact& contact = model.contacts[k];
        const model::Elasticity& elastic = contact.elastic;
        for (const auto& side : contact.sides) {
            SpringFacts f;
            f.name = side.name.empty() ? contact.name : contact.name + " " + side.name;
            f.contact = k;
            f.exit = exit_of(elastic);
            f.mass = evaluator.at(point,
                                  equations::effective_mass(eq, eq.contacts[all.size()].normal.W));
            f.damped = elastic.damping || elastic.damping_ratio;
            if (contact.restitution) f.written = evaluator.at(point, contact.restitution.expr);
            if (elastic.stiffness && !elastic.potential) {
                const double profile =
                    elastic.profile ? evaluator.at(point, elastic.profile.expr) : f.mass;
                f.stiffness = evaluator.at(point, elastic.stiffness.expr) * profile;
                f.frequency = std::sqrt(*f.stiffness / f.mass);
            }
            // c of ζ = 1
            std::optional<double> critical;
            if (f.stiffness) critical = 2.0 * std::sqrt(*f.stiffness * f.mass);
            if (elastic.damping && expr::depends_on(elastic.damping.expr, elastic.gap_symbol)) {
                // grows with the penetration: no number of the spring as such
            } else if (elastic.damping) {
                const double c = evaluator.at(point, elastic.damping.expr);
                f.damping = c;
                if (critical) f.damping_ratio = c / *critical;
            } else {
                f.damping_ratio = elastic.damping_ratio
                                      ? evaluator.at(point, elastic.damping_ratio.expr)
                                      : laws::damping_ratio_for(f.written.value_or(1.0), f.exit);
                if (critical && f.damping_ratio) f.damping = *f.damping_ratio * *critical;
            }
            if (f.damping_ratio) {
                f.restitution = laws::restitution_of(*f.damping_ratio, f.exit);
                if (const auto phase = laws::contact_phase(*f.damping_ratio, f.exit);
                    phase && f.frequency)
                    f.duration = *phase / *f.frequency;
            }
            all.push_back(std::move(f));
        }
    }
    return all;
}

void report_contradiction(const model::Model& model, const std::vector<SpringFacts>& springs,
                          base::Diagnostics& diagnostics) {
    const auto both = [](const model::Contact& c) {
        return c.restitution && (c.elastic.damping || c.elastic.damping_ratio);
    };
    std::size_t told = model::k_none;
    for (const SpringFacts& f : springs) {
        constexpr double k_same = 1e-3;
        const model::Contact& contact = model.contacts[f.contact];
        if (!both(contact) || f.contact == told || !f.restitution || !f.written ||
            !f.damping_ratio || !(std::abs(*f.restitution - *f.written) > k_same))
            continue;
        told = f.contact;
        const auto ratio = laws::damping_ratio_for(*f.written, f.exit);
        const bool coefficient = static_cast<bool>(contact.elastic.damping);
        const model::Formula& damping =
            coefficient ? contact.elastic.damping : contact.elastic.damping_ratio;
        diagnostics
            .report(base::Code::conflicting_keys,
                    fmt::format("the restitution and the damping of contact {} contradict each "
                                "other",
                                contact.name))
            .at(damping.span,
                fmt::format("this damping{} returns {:.6g}",
                            coefficient ? fmt::format(" (ratio {:.6g})", *f.damping_ratio)
                                        : std::string(),
                            *f.restitution))
            .see(contact.restitution.span, fmt::format("and {:.6g} is to be returned", *f.written))
            .note(ratio ? fmt::format("leave the damping out, and the spring is damped for its "
                                      "restitution: damping_ratio = {:.6g}",
                                      *ratio)
                        : "no damping of a contact that ends at zero force gives this restitution")
            .note(fmt::format("or write restitution = {:.6g}, what this damping returns",
                              *f.restitution));
    }
}

} // namespace liaison::realise
