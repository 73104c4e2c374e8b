// SPDX-License-Identifier: Apache-2.0
// A branch of orbits told to people, to programs and in a picture.
#pragma once

#include "liaison/analysis/branch.hpp"
#include "liaison/analysis/special_curve.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace liaison::analysis {

[[nodiscard]] nlohmann::ordered_json to_json(const Branch& branch, const flow::Flow& flow,
                                             std::size_t parameter);
[[nodiscard]] std::string to_text(const Branch& branch, const flow::Flow& flow,
                                  std::size_t parameter);
// Curves of special points beside the branch they begin at.
struct CurvesOver {
    std::size_t second = 0; // parameter of the flow
    const std::vector<SpecialCurve>* curves = nullptr;
};
// One row per point: parameter, period, state, multipliers, stable, admissible, special point, branch. With curves, the
// second parameter after the first, and at the end the number of the curve; their rows have no state.
[[nodiscard]] std::string to_csv(const Branch& branch, const flow::Flow& flow,
                                 std::size_t parameter, const CurvesOver& over = {});
// State at the section and largest multiplier (of those that do not belong to the motion itself) over the parameter:
// stable orbits drawn through, unstable ones dashed, solutions that are no motions dotted.
[[nodiscard]] record::Figure figure(const Branch& branch, const flow::Flow& flow,
                                    std::size_t parameter);
// How a kind of special point is drawn, in all pictures.
struct SpecialSign {
    record::Marker marker;
    std::string colour;
};
[[nodiscard]] SpecialSign sign_of(std::string_view kind);

} // namespace liaison::analysis
