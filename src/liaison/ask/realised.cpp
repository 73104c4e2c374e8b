// SPDX-License-Identifier: Apache-2.0
// Refusals become diagnostics, missing engines a reason.
#include "liaison/ask/realised.hpp"

#include "liaison/realise/elastic_resolution.hpp"
#include "liaison/realise/preload_words.hpp"

#include <fmt/format.h>

namespace liaison::ask {

std::optional<realise::Realisation> realised(const model::Model& model, const prepare::Start& start,
                                             Findings& findings, const RealiseWords& words) {
    base::Diagnostics& diagnostics = findings.diagnostics;
    auto made = realise::realise(model, start.point, words.layer, words.release, words.branches);
    if (!made.refused.empty())
        diagnostics.report(base::Code::realisation_impossible, made.refused)
            .at(made.refused_span)
            .note(made.instead);
    realise::report_preloads(model, made, diagnostics);
    if (model.run.contact == model::ContactRealisation::elastic)
        realise::report_springs(model, start.point, start.tolerance,
                                start.until.value_or(start.point.time), diagnostics);
    if (!diagnostics.has_errors() && !made.missing.empty()) {
        findings.missing = made.missing;
        findings.reason = fmt::format("there is no engine for {} yet", made.missing);
    }
    if (findings.refused()) return std::nullopt;
    return made;
}

} // namespace liaison::ask
