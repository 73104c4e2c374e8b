// SPDX-License-Identifier: Apache-2.0
// Reactions that are not unique: of those that move the system alike the smallest admissible ones are told.
//
// Contacts that depend on each other share their load in many ways, {λ ≥ 0: Wᵀλ = Wᵀλ°}; the motion is the same for all of
// them (theory of many contacts, §3.1). The engine holds one that is easy to compute; a result tells the one of least
// norm, which does not depend on the order of the contacts, with the flag `reactions_unique` = false.
#pragma once

#include "liaison/realise/contact_problem.hpp"
#include "liaison/record/run.hpp"

namespace liaison::record {

// Rewrites the reactions in samples and at the end wherever contacts without friction share a load.
void share_loads(const realise::ContactProblem& contacts, const flow::Flow& flow, Run& run);

// min |λ| with Bλ = Bλ°, λ ≥ 0; empty where the search does not end on a proved minimum.
Eigen::VectorXd least_admissible(const Eigen::MatrixXd& B, const Eigen::VectorXd& given);

} // namespace liaison::record
