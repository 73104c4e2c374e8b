// SPDX-License-Identifier: Apache-2.0
// The notation of model files.
#include "liaison/expr/print.hpp"

#include "liaison/expr/reading.hpp"

namespace liaison::expr {
namespace {

std::string plain(std::string_view name) { return std::string(name); }

constexpr Notation k_text = {
    .number = digits_of,
    .name = plain,
    .function = plain,
    .times = "*",
    .times_digit = "*",
    .parentheses = {"(", ")"},
    .root = {"sqrt(", ")"},
    .absolute = {"abs(", ")"},
    .lower = {"floor(", ")"},
    .exponent = {"(", ")"},
    .fraction = {"", ""},
    .over = "/",
    .less = " < ",
    .less_equal = " <= ",
    .both = " and ",
    .either = " or ",
    .negation = "not ",
    .value_first = false,
    .case_open = "if(",
    .case_first = ", ",
    .case_second = ", ",
    .case_close = ")",
    .braces = false,
};

} // namespace

std::string print(Expr e) {
    const Listing listing = typeset(e, k_text);
    std::string text;
    for (const Definition& d : listing.definitions) {
        if (d.kind == Definition::Kind::shared) text += d.name + " = " + d.body + "; ";
    }
    return text + listing.expressions[0];
}

Listing print_with_names(std::span<const Expr> expressions, const ListingOptions& options) {
    return typeset(expressions, k_text, options);
}

std::string lines(const Listing& listing) {
    std::string text;
    for (const Definition& d : listing.definitions) {
        for (const std::string& equation : d.equations) text += equation + "\n";
        if (d.equations.empty()) text += d.name + " = " + d.body + "\n";
    }
    for (const std::string& e : listing.expressions) text += e + "\n";
    return text;
}

std::string print(const Number& n) {
    const Number size = n.negative() ? -n : n;
    const std::string sign = n.negative() ? "-" : "";
    if (size.exact() && !size.is_integer() && !as_decimal(size)) {
        return sign + std::to_string(size.num()) + "/" + std::to_string(size.den());
    }
    return sign + digits_of(size);
}

} // namespace liaison::expr
