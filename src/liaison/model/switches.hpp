// SPDX-License-Identifier: Apache-2.0
// Finds the surfaces on which the motion is not smooth: made by abs, sign, min, max, floor, mod, if, atan2.
#pragma once

#include "liaison/model/dependence.hpp"
#include "liaison/model/model.hpp"

namespace liaison::model {

// Fills Model::switches from energies, forces, right-hand sides and relays. Nonsmooth functions of
// parameters alone do not switch during a motion and are left out.
void find_switches(Model& model, Dependence& dependence);

// Whether some force jumps where the motion takes it, by sign() or if(): such a force is a relay without a name.
[[nodiscard]] bool forces_jump(const Model& model);

} // namespace liaison::model
