// SPDX-License-Identifier: Apache-2.0
// Machine code for the rounds of a Taylor expansion, through LLVM.
#pragma once

#include "liaison/compile/code_image.hpp"
#include "liaison/compile/target.hpp"
#include "liaison/compile/taylor_rounds.hpp"

namespace liaison::compile {

// Functions of the parts of the first round, then of those of the later ones, over
//   (round_numbers, coefficients k − 1 of all series, workspace, link_table).
// Entry 0 of the link table interprets a rule: void (const void* rule, double* workspace, …); the entries behind it are
// the rules. Lanes and single motions come from one generator and give the same bits.
// Throws std::runtime_error where LLVM is missing.
CodeImage generate_rounds(const TaylorPlan& plan, const RoundPlan& rounds, const Target& target);

} // namespace liaison::compile
