// SPDX-License-Identifier: Apache-2.0
// The flow of a motion extended by its derivatives by parameters and by the start.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

// `names`: parameters, coordinates (x) and velocities (x') separated by commas; a coordinate or velocity means its
// value at the start. Nothing and reports where a name is unknown or the start cannot be differentiated.
[[nodiscard]] std::optional<flow::Flow>
extend_by_sensitivity(const model::Model& model, const prepare::Options& options,
                      const prepare::Start& start, const flow::Flow& flow,
                      const std::vector<std::string>& names, base::Diagnostics& diagnostics);

} // namespace liaison::ask
