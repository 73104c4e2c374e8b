// SPDX-License-Identifier: Apache-2.0
// A model with unknown forces moves under those that answer its inverse question.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"

#include <optional>

namespace liaison::ask {

// The model itself where it asks no inverse question; nothing, and a report, where the forces are not determined.
[[nodiscard]] std::optional<model::Model> with_forces_found(const model::Model& model,
                                                            base::Diagnostics& diagnostics);

} // namespace liaison::ask
