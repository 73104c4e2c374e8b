// SPDX-License-Identifier: Apache-2.0
// Frequencies of the contacts, and what steps of this length make of them.
#include "liaison/analysis/implicit_contact.hpp"

#include "liaison/analysis/contact_track.hpp"
#include "liaison/laws/damped_contact.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::analysis {

std::vector<std::string> implicit_damping(const model::Model& model, const prepare::Point& point,
                                          double step) {
    std::vector<std::string> told;
    if (model.run.contact != model::ContactRealisation::elastic) return told;
    const prepare::Evaluator evaluator(model);
    for (const ContactMetric& side : contact_metrics(model)) {
        const model::Elasticity& elastic = model.contacts[side.contact].elastic;
        if (!elastic.stiffness || elastic.potential) continue;
        const double frequency =
            std::sqrt(evaluator.at(point, elastic.stiffness.expr) *
                      evaluator.at(point, side.profile) / evaluator.at(point, side.mass));
        if (!std::isfinite(frequency)) continue;
        told.push_back(fmt::format(
            "contact {}: an implicit method damps a contact of frequency {:.4g} by itself; "
            "backward Euler with the mean step {:.3g} of this run would return a spurious "
            "restitution of {:.4g} from a spring without damping. Resting contacts bear that, "
            "impacts need the method taylor",
            side.name, frequency, step, laws::implicit_restitution(frequency * step)));
    }
    return told;
}

} // namespace liaison::analysis
