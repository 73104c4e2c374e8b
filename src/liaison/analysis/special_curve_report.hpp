// SPDX-License-Identifier: Apache-2.0
// Curves of special points told to people, to programs and in a picture.
#pragma once

#include "liaison/analysis/special_curve.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::analysis {

[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<SpecialCurve>& curves);
[[nodiscard]] std::string to_text(const std::vector<SpecialCurve>& curves, const flow::Flow& flow,
                                  std::size_t first, std::size_t second);
// The plane of the two parameters: one line for each kind, dots where the orbit is no motion.
[[nodiscard]] record::Panel panel(const std::vector<SpecialCurve>& curves, const flow::Flow& flow,
                                  std::size_t first, std::size_t second);

} // namespace liaison::analysis
