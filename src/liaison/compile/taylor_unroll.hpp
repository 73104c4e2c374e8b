// SPDX-License-Identifier: Apache-2.0
// A Taylor plan of fixed order written out as an ordinary plan, for every back end that executes plans.
#pragma once

#include "liaison/compile/plan.hpp"
#include "liaison/compile/taylor_plan.hpp"

namespace liaison::compile {

// Inputs: parameters, modes, states, time (where there is one). Outputs: coefficients 0 … order of each state,
// then of each output, then two words that are 0 unless a matrix is singular, a constraint redundant. The same operations in the same order as the interpreter of Taylor plans.
Plan unroll_taylor(const TaylorPlan& taylor, unsigned order);

} // namespace liaison::compile
