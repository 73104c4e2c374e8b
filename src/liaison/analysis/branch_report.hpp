// SPDX-License-Identifier: Apache-2.0
// A branch of orbits told to people, to programs and in a picture.
#pragma once

#include "liaison/analysis/branch.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::analysis {

[[nodiscard]] nlohmann::ordered_json to_json(const Branch& branch, const flow::Flow& flow,
                                             std::size_t parameter);
[[nodiscard]] std::string to_text(const Branch& branch, const flow::Flow& flow,
                                  std::size_t parameter);
// One row per point: parameter, period, state, multipliers, stable, admissible, special point.
[[nodiscard]] std::string to_csv(const Branch& branch, const flow::Flow& flow,
                                 std::size_t parameter);
// State at the section and largest multiplier (of those that do not belong to the motion itself) over the parameter: stable orbits drawn through, unstable ones dashed,
// solutions that are no motions dotted.
[[nodiscard]] record::Figure figure(const Branch& branch, const flow::Flow& flow,
                                    std::size_t parameter);

} // namespace liaison::analysis
