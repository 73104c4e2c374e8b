// SPDX-License-Identifier: Apache-2.0
// Sums and products as a reader wants to see them: signed terms and fractions in a human order.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/node_map.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::expr {

// base^exponent with a positive exponent; a flipped base is a sum with all its signs changed.
struct Factor {
    const Node* base = nullptr;
    Number exponent{1};
    bool flipped = false;
};

// ±(numerator·Π above)/(denominator·Π below); both numbers positive, the denominator an integer.
struct WrittenFraction {
    bool negative = false;
    Number numerator{1};
    Number denominator{1};
    std::vector<Factor> above;
    std::vector<Factor> below;

    [[nodiscard]] bool has_denominator() const { return !below.empty() || !denominator.is_one(); }
    // One plain factor and nothing else.
    [[nodiscard]] bool is_bare() const {
        return !negative && numerator.is_one() && !has_denominator() && above.size() == 1 &&
               above[0].exponent.is_one();
    }
};

// weight·node; a null node stands for 1.
struct Term {
    Number weight{1};
    const Node* node = nullptr;
};

// The order is by name, with numbers counted as numbers (x2 before x10): it does not depend on the
// history of the pool, except between expressions that are alike in their leading names.
class Reading {
  public:
    // `nodes`: everything that will be printed, arguments before users.
    explicit Reading(std::span<const Node* const> nodes);

    // weight·node as one fraction, factors in order.
    [[nodiscard]] WrittenFraction fraction(const Number& weight, const Node* node) const;
    // The terms of a sum (or of its negative): positive ones first, the constant last among its
    // sign.
    [[nodiscard]] std::vector<Term> terms(const Node* sum, bool flipped = false) const;

  private:
    [[nodiscard]] std::uint32_t rank(const Node* n) const;
    NodeMap<std::uint32_t> ranks_; // of the first name in a node
};

// A positive exact number as a finite decimal ("9.81", "1.5e-07"), where that is short and reads
// better than a fraction; nothing for thirds, halves, quarters and eighths.
std::optional<std::string> as_decimal(const Number& n);
// Text that Number::from_decimal reads back to the same non-negative integer, decimal or double.
std::string digits_of(const Number& n);

} // namespace liaison::expr
