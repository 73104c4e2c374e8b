// SPDX-License-Identifier: Apache-2.0
// Partial and total derivatives of expressions.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>
#include <vector>

namespace liaison::expr {

struct DerivativeOptions {
    // Nodes treated as independent quantities: not entered, derivative zero unless differentiated by.
    std::span<const Expr> opaque = {};
};

// ∂e/∂atom, atom a symbol or a named node. Named nodes on the way keep a name with the suffix given by
// the atom ("x2" becomes "x2_th"), so that sharing survives. Linear systems follow
//   A ∂x = ∂b − (∂A) x   with the factor of A reused.
Expr differentiate(Expr e, Expr atom, const DerivativeOptions& options = {});

// Directional derivative Σ_i ∂e/∂atoms[i] · rates[i] in one walk per expression; with rates q' = v this is
// the total time derivative. Named nodes become named(label + suffix, …) when suffix is not empty.
std::vector<Expr> differentiate_along(std::span<const Expr> expressions,
                                      std::span<const Expr> atoms, std::span<const Expr> rates,
                                      std::string_view suffix = "'",
                                      const DerivativeOptions& options = {});

// All ∂e/∂atoms[i] by one reverse sweep. Linear systems follow Aᵀ w = ∂e/∂x, with the factor of a symmetric A
// reused. Names of inner nodes are not kept.
std::vector<Expr> gradient(Expr e, std::span<const Expr> atoms,
                           const DerivativeOptions& options = {});

} // namespace liaison::expr
