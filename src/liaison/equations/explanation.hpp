// SPDX-License-Identifier: Apache-2.0
// Equations written for people: sections of statements, rendered as text, LaTeX or JSON.
#pragma once

#include "liaison/expr/expr.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::equations {

// "name: left = right   (note)". `left` is an expression or, where empty, the symbol `name` itself.
struct Statement {
    std::string name;
    expr::Expr left;
    expr::Expr right;
    std::string relation = "=";
    std::string note;
};

struct Section {
    std::string title;
    std::string about; // one line under the title
    std::vector<Statement> statements;
};

struct Explanation {
    std::string title;
    std::string about;
    std::vector<Section> sections;
};

// Named sub-expressions and shared parts are listed once, in a section "where" at the end.
std::string to_text(const Explanation& explanation);
std::string to_latex(const Explanation& explanation);
nlohmann::json to_json(const Explanation& explanation);

} // namespace liaison::equations
