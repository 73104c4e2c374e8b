// SPDX-License-Identifier: Apache-2.0
// Gives the quantities of a run the units that follow from the model.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/record/run.hpp"

namespace liaison::record {

void assign_units(const model::Model& model, const flow::Flow& flow, Run& run);

} // namespace liaison::record
