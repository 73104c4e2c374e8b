// SPDX-License-Identifier: Apache-2.0
// Stick, slip and sense of frictional guides: what is done at their guards.
#pragma once

#include "liaison/model/run_options.hpp"
#include "liaison/realise/guide_decision.hpp"

#include <memory>
#include <vector>

namespace liaison::realise {

// `terms`: of each guide ṡ, λ, the force while it sticks, μ at rest.
std::shared_ptr<const flow::Transition> guide_transition(std::vector<GuideItem> items,
                                                         std::vector<expr::Expr> terms,
                                                         const flow::Flow& flow, expr::Expr energy,
                                                         model::Paradox rule);

} // namespace liaison::realise
