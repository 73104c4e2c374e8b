// SPDX-License-Identifier: Apache-2.0
// The forces are solved for and written into the text of the model.
#include "liaison/ask/forces_found.hpp"

#include "liaison/analysis/inverse_problem.hpp"
#include "liaison/analysis/solved_model.hpp"
#include "liaison/model/read.hpp"

#include <fmt/format.h>

namespace liaison::ask {

std::optional<model::Model> with_forces_found(const model::Model& model,
                                              base::Diagnostics& diagnostics) {
    if (!model.invert) return model;
    const auto complain = [&](base::Code code, const std::string& why,
                              const std::string& remedy) -> std::optional<model::Model> {
        diagnostics.report(code, why).at(model.invert->span).note(remedy);
        return std::nullopt;
    };
    const analysis::InverseAnswer answer = analysis::invert(model);
    if (answer.verdict == analysis::InverseVerdict::nothing_to_find)
        return complain(base::Code::realisation_impossible,
                        "the forces are unknown: " + answer.reason,
                        "ask for an integral that depends on them");
    if (answer.verdict != analysis::InverseVerdict::found)
        return complain(base::Code::realisation_impossible,
                        "no forces answer the question: " + answer.reason,
                        "liaison invert tells what there is");
    if (answer.free.size() > model.invert->free.size())
        return complain(base::Code::missing_key,
                        fmt::format("the forces are not determined: {} is left free",
                                    answer.free[model.invert->free.size()]),
                        "choose it in [invert] free = [\"…\"]");
    auto solved =
        base::SourceFile::make(model.source->name(), analysis::solved_model(model, answer));
    diagnostics.keep(solved);
    return model::read_model(std::move(solved), diagnostics);
}

} // namespace liaison::ask
