// SPDX-License-Identifier: Apache-2.0
// What stands against realising a model as it asks: an engine that is missing, or a theory that forbids it.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"
#include "liaison/realise/realise.hpp"

#include <optional>
#include <string>

namespace liaison::realise {

// Writes `missing` or `refused` of the realisation where the model and its start alone show that it has none.
void find_obstacle(const model::Model& model, const prepare::Point& start,
                   std::optional<double> layer, Realisation& result);

// The same for what only the equations show: reactions of index 2 that they do not determine, and a relay without a
// name, `unnamed`, whose place Lagrange's multiplier would have to take.
void refuse_undetermined_reactions(const model::Model& model, Realisation& result);
void refuse_unnamed_relay(const model::Model& model, const std::string& unnamed,
                          Realisation& result);

} // namespace liaison::realise
