// SPDX-License-Identifier: Apache-2.0
// From the checked model to the input of the derivation.
#pragma once

#include "liaison/equations/input.hpp"
#include "liaison/model/model.hpp"

#include <vector>

namespace liaison::equations {

// Energies, forces (relays carry theirs under their own name, with u.NAME as a symbol), constraints and
// contacts of a model made of energies. A two-sided contact becomes two, NAME.lower and NAME.upper.
LagrangianInput lagrangian_input(const model::Model& model);

// The right-hand sides of a first-order system, by coordinate: such models need no derivation.
std::vector<Expr> first_order_rates(const model::Model& model);

} // namespace liaison::equations
