// SPDX-License-Identifier: Apache-2.0
// RELAY=WHERE: which motion to take where a surface does not determine one.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/realise/branch.hpp"

#include <string>
#include <vector>

namespace liaison::ask {

[[nodiscard]] realise::Branches read_branches(const std::vector<std::string>& texts,
                                              const model::Model& model,
                                              base::Diagnostics& diagnostics);

} // namespace liaison::ask
