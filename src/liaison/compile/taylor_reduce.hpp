// SPDX-License-Identifier: Apache-2.0
// Reduction of a Taylor plan to the work that its structure leaves.
#pragma once

#include "liaison/compile/taylor_plan.hpp"

namespace liaison::compile {

// Bounds the degree of every slot, turns integrals of products with constants into growth rules, drops rules
// that nothing needs and marks those an output needs.
void reduce(TaylorPlan& plan);

} // namespace liaison::compile
