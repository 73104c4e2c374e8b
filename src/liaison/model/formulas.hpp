// SPDX-License-Identifier: Apache-2.0
// Turns what was written into formulas: parses, resolves, and checks which quantities may stand where.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/declarations.hpp"
#include "liaison/model/dependence.hpp"
#include "liaison/model/resolver.hpp"

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace liaison::model {

// Where an expression stands and what may stand in it.
struct Context {
    std::string what; // "the gap of contact tip"
    unsigned allowed = 0; // Quantity bits
    Indices indices = {};
    Locals locals = {};
    text::Form form = text::Form::expression;
};

// What forces, right-hand sides and outputs may contain.
inline constexpr unsigned k_motion = k_position | k_velocity | k_time | k_parameter | k_state;

class Formulas {
  public:
    Formulas(Declarations& declarations, base::Diagnostics& diagnostics)
        : declarations_(declarations), diagnostics_(diagnostics) {}

    Dependence dependence;

    // Empty where nothing was written, or something was wrong (and reported), or where an index
    // leaves its range: `absent` tells the last.
    Formula formula(const Written& written, const Context& context);
    std::vector<Formula> formulas(const std::vector<Written>& written, const Context& context);
    // left = right; an expression without = stands for itself = 0.
    struct Equation {
        Formula f, left, right;
    };
    Equation equation(const Written& written, Context context);

    [[nodiscard]] bool absent() const { return absent_; }
    void begin_member() { absent_ = false; }

    // Resolves without checking quantities; definitions do this and may have to wait.
    Resolution resolve(const Written& written, const Context& context,
                       base::Diagnostics& diagnostics);
    // Reports quantities that the context does not allow; true if there are none.
    bool check(const Formula& formula, const Context& context);

    // The first name or der(…) inside the formula that brings in one of these quantities.
    [[nodiscard]] base::Span blame(const Formula& formula, unsigned quantities);
    // The same for one symbol.
    [[nodiscard]] base::Span blame(const Formula& formula, expr::Expr symbol) const;

  private:
    // The syntax of a text given from C++ or a number; kept so that spans stay valid.
    const text::Syntax& syntax_of(const Written& written, const Context& context,
                                  base::Diagnostics& diagnostics);
    [[nodiscard]] std::vector<const Use*> uses_in(base::Span span) const;

    Declarations& declarations_;
    base::Diagnostics& diagnostics_;
    bool absent_ = false;
    std::deque<text::Syntax> parsed_;
    std::unordered_map<std::string, const text::Syntax*> parsed_texts_; // by place and text
};

} // namespace liaison::model
