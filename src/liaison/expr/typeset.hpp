// SPDX-License-Identifier: Apache-2.0
// Writing expressions in a notation (text or LaTeX), without recursion and in linear size.
#pragma once

#include "liaison/expr/expr.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::expr {

// How one language of formulas writes things. A pair of brackets is {opening, closing}.
struct Notation {
    struct Brackets {
        std::string_view open;
        std::string_view close;
    };
    std::string (*number)(const Number& non_negative) = nullptr;
    std::string (*name)(std::string_view name) = nullptr;
    std::string (*function)(std::string_view name) = nullptr;
    std::string_view times;         // between factors
    std::string_view times_digit;   // before a factor that begins with a digit
    Brackets parentheses;
    Brackets root;
    Brackets absolute;
    Brackets lower;                 // floor
    Brackets exponent;              // around exponents that need or take brackets
    Brackets fraction;              // \frac{ … } ; empty for a/b
    std::string_view over;          // between numerator and denominator
    std::string_view less;
    std::string_view less_equal;
    std::string_view both;
    std::string_view either;
    std::string_view negation;
    // if(c, a, b): open, condition/value order and separators
    bool value_first = false;       // cases write the value before its condition
    std::string_view case_open;
    std::string_view case_first;    // between condition and value (or value and condition)
    std::string_view case_second;   // before the other value
    std::string_view case_close;
    bool braces = false;            // brackets of fractions and exponents group by themselves
};

// One line of a listing.
struct Definition {
    enum class Kind : std::uint8_t {
        label,   // a named node of the expressions
        shared,  // a part used more than once, named for this listing only
        system,  // unknowns of a linear system: name[1], name[2], … solve `equations`
    };
    Kind kind = Kind::label;
    std::string name;
    std::string body;                    // empty for systems
    std::vector<std::string> equations;  // of a system
    Expr node;                           // what the name stands for
};

// Definitions in an order in which each uses only earlier ones, and the expressions in terms of
// them.
struct Listing {
    std::vector<Definition> definitions;
    std::vector<std::string> expressions;
};

struct ListingOptions {
    // A part that occurs more than once and is longer than this many characters gets a name.
    std::size_t share_above = 60;
    // Whether labels of named nodes are followed to their bodies.
    bool follow_labels = true;
};

Listing typeset(std::span<const Expr> expressions, const Notation& notation,
                const ListingOptions& options);
// One formula; definitions only where repeated parts would make it explode.
Listing typeset(Expr e, const Notation& notation);

} // namespace liaison::expr
