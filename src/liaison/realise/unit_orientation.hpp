// SPDX-License-Identifier: Apache-2.0
// Quaternions of free bodies stay rotations: after each step e ← e/|e|.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"

namespace liaison::realise {

// Adds the normalisation of every free body whose quaternion is a state of the flow; nothing without free bodies.
void install_unit_orientations(const model::Model& model, flow::Flow& flow);

} // namespace liaison::realise
