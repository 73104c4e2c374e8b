// SPDX-License-Identifier: Apache-2.0
// When a choice is due, and what is said where there is none.
#include "liaison/analysis/program_run.hpp"

#include "liaison/model/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace liaison::analysis {
namespace {

bool asks_for_a_bound(const model::Model& model) {
    return std::ranges::any_of(model.constraints,
                               [](const auto& c) { return c.tolerance.has_value(); });
}

// The constraint with the smallest tolerance.
const model::Constraint& strictest(const model::Model& model) {
    return *std::ranges::min_element(model.constraints, {}, [](const model::Constraint& c) {
        return c.tolerance.value_or(std::numeric_limits<double>::infinity());
    });
}

} // namespace

std::optional<ProgramChoice> program_choice(const model::Model& model, const flow::Flow& flow,
                                            const motion::MethodOptions& method, double until,
                                            base::Diagnostics& diagnostics) {
    if (model.run.bilateral != model::BilateralRealisation::program || flow.constraints.empty() ||
        !model::has_fixed_step(method.method) || !(until > flow.start_time))
        return std::nullopt;
    auto choice = choose_program(flow, method, until);
    if (choice.impossible.empty()) return choice;
    // Without a tolerance nothing was promised: the run itself tells what becomes of the constraints.
    if (!asks_for_a_bound(model)) return std::nullopt;
    const model::Constraint& c = strictest(model);
    auto& report = diagnostics.report(base::Code::certificate_impossible,
                                      fmt::format("|{}| ≤ {:g} cannot be kept: {}", c.name,
                                                  c.tolerance.value_or(0.0), choice.impossible));
    report.at(c.span);
    if (choice.attainable)
        report.note(fmt::format("tolerance = {:.1e} would hold; {}bilateral = \"projection\" keeps "
                                "constraints to rounding",
                                2.0 * *choice.attainable,
                                motion::tableau_of(method.method)->order < 5
                                    ? "a method of higher order reaches more, and "
                                    : ""));
    return std::nullopt;
}

} // namespace liaison::analysis
