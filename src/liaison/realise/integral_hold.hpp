// SPDX-License-Identifier: Apache-2.0
// First integrals held at their values, by a correction after each step or by a law inside the equations.
//
// With drift d = g(x, t) − g₀ and gradients G = ∂g/∂x the step x ← x − G⁺d is the smallest change of the state
// that removes the drift to first order (theory 03 §12: the correction after the step, not a damping inside the
// field, which loses the order of the method). Gradients that have become dependent, as at permanent rotations,
// are taken together by the pseudoinverse.
//
// The law ẋ = f − G⁺ p (g − g₀) lets every drift decay with the rate p (family (11) on the phase space).
#pragma once

#include "liaison/flow/flow.hpp"

#include <string>
#include <vector>

namespace liaison::realise {

// The values g₀ live in mode slots: events (impacts, `set`) change integrals rightly, and the new values are kept then.
struct IntegralHold {
    std::vector<std::string> names; // of the integral outputs that are held
    std::vector<std::size_t> slots;
    expr::Expr rate; // p of the law; empty: the correction after each step
};

// Declares the slots and adds the law to the rates; to be called when the outputs are complete and before any
// transition is installed.
IntegralHold declare_hold(std::vector<std::string> names, expr::Expr rate, flow::Flow& flow);
// Adds the correction as a transition without guards.
void install(const IntegralHold& hold, flow::Flow& flow);

} // namespace liaison::realise
