// SPDX-License-Identifier: Apache-2.0
// What a model consists of, in one line and as JSON.
#pragma once

#include "liaison/model/model.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::model {

// "pendulum, 1 coordinate, 2 contacts (1 with friction), 1 switching surface"
[[nodiscard]] std::string summary(const Model& model);

// Names and classification of everything, for scripts and editors.
[[nodiscard]] nlohmann::json summary_json(const Model& model);

} // namespace liaison::model
