// SPDX-License-Identifier: Apache-2.0
// Short ways to read models in tests: text in, model or codes out.
#pragma once

#include "liaison/base/render.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace liaison::test {

inline model::Model read(const std::string& text) {
    base::Diagnostics diagnostics;
    auto found = model::read_model(base::SourceFile::make("model.toml", text), diagnostics);
    INFO(base::render(diagnostics));
    REQUIRE(found.has_value());
    return std::move(*found);
}

// The codes of everything that is said about a text, in order of place.
inline std::vector<std::string> codes(const std::string& text) {
    base::Diagnostics diagnostics;
    (void)model::read_model(base::SourceFile::make("model.toml", text), diagnostics);
    std::vector<std::string> all;
    for (const base::Diagnostic* one : diagnostics.sorted())
        all.emplace_back(base::row(one->code).text);
    return all;
}

// What is said about a text.
inline std::string said(const std::string& text) {
    base::Diagnostics diagnostics;
    (void)model::read_model(base::SourceFile::make("model.toml", text), diagnostics);
    return base::render(diagnostics);
}

// Value of an expression where each named symbol has the given value.
inline double value(expr::Expr e, const std::vector<std::pair<std::string, double>>& at) {
    std::vector<expr::Expr> symbols;
    std::vector<double> values;
    for (const auto& [name, number] : at) {
        symbols.push_back(e.pool().symbol(name));
        values.push_back(number);
    }
    return expr::evaluate(e, symbols, values);
}

inline std::string mechanical(const std::string& rest,
                              const std::string& coordinates = "\"x\", \"y\"") {
    std::string head =
        "format = 1\ncoordinates = [" + coordinates + "]\n[energy]\nT = \"x'^2/2 + y'^2/2\"\n";
    return head + rest;
}

} // namespace liaison::test
