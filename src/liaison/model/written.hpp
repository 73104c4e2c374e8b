// SPDX-License-Identifier: Apache-2.0
// An expression as it was given: text, a number, a syntax tree, or a ready expression.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/text/parser.hpp"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace liaison::model {

// A name as it was given: "x", or "z[i]" for the members of a family.
struct Name {
    std::string text;
    base::Span span;

    Name() = default;
    Name(const char* name) : text(name) {}
    Name(std::string name, base::Span where = {}) : text(std::move(name)), span(where) {}
};

// Empty until something is assigned. Texts are parsed when the model is built.
class Written {
  public:
    Written() = default;
    Written(const char* text) : content_(std::string(text)) {}
    Written(std::string text) : content_(std::move(text)) {}
    Written(double number) : content_(number) {}
    Written(int number) : content_(static_cast<double>(number)) {}
    Written(expr::Expr expression) : content_(expression) {}
    Written(text::Syntax syntax)
        : span(syntax.passage().span()),
          content_(std::make_shared<const text::Syntax>(std::move(syntax))) {}

    base::Span span;  // where it was written, if in a file

    explicit operator bool() const { return !std::holds_alternative<std::monostate>(content_); }

    [[nodiscard]] const std::string* as_text() const { return std::get_if<std::string>(&content_); }
    [[nodiscard]] const double* as_number() const { return std::get_if<double>(&content_); }
    [[nodiscard]] const expr::Expr* as_expression() const {
        return std::get_if<expr::Expr>(&content_);
    }
    [[nodiscard]] const text::Syntax* as_syntax() const {
        const auto* tree = std::get_if<std::shared_ptr<const text::Syntax>>(&content_);
        return tree == nullptr ? nullptr : tree->get();
    }

  private:
    std::variant<std::monostate, std::string, double, expr::Expr,
                 std::shared_ptr<const text::Syntax>>
        content_;
};

} // namespace liaison::model
