// SPDX-License-Identifier: Apache-2.0
// The range of an expression over a box, with what is proven about it there.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/interval.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace liaison::expr {

// What is proven about an expression on the whole box, from nothing to most.
enum class Certainty : std::uint8_t {
    invalid,     // a box given by the caller was empty or not a number
    nowhere,     // undefined at every point: the range is empty
    partial,     // may be undefined somewhere; the range encloses the values that exist
    defined,     // has a value everywhere, but may jump
    continuous,  // has a value everywhere and varies continuously
};
std::string_view name(Certainty c);

struct Enclosure {
    Interval range;
    Certainty certainty = Certainty::continuous;
    // Whether the range is a proven bound for the expression at every point of the box.
    [[nodiscard]] bool bounds_everywhere() const { return certainty >= Certainty::defined; }
};

// Enclosures of the expressions for symbols[i] ∈ boxes[i]; a symbol (or named node) without a box
// may be anything. Conditions are {0}, {1} or [0, 1] where the box does not decide them; then both
// branches of an if count. Linear systems are solved by Krawczyk's method and are unbounded and
// `partial` where some matrix in the box may be singular. The subject of the enclosure is the
// expression as it stands: constants that folding had to round to a double (1e-300·x, sin(1)) are
// that double.
std::vector<Enclosure> evaluate_interval(std::span<const Expr> expressions,
                                         std::span<const Expr> symbols,
                                         std::span<const Interval> boxes);
Enclosure evaluate_interval(Expr e, std::span<const Expr> symbols, std::span<const Interval> boxes);

} // namespace liaison::expr
