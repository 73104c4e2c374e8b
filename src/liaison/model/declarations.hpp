// SPDX-License-Identifier: Apache-2.0
// Everything expressions may refer to while a model is put together: names, symbols, definitions.
#pragma once

#include "liaison/model/limits.hpp"
#include "liaison/model/model.hpp"
#include "liaison/model/scope.hpp"
#include "liaison/model/total_derivative.hpp"
#include "liaison/model/written.hpp"

#include <string>
#include <utility>
#include <vector>

namespace liaison::model {

// Values of family indices while a member is made: i = 3.
using Indices = std::vector<std::pair<std::string, long>>;

// A quantity given by an expression that other expressions refer to: a [let] name, or the rate of a
// coordinate where it is not a symbol.
struct Definition {
    enum class State { fresh, open, done, broken, absent };
    struct Term {
        Written written;
        Indices indices;
        std::vector<std::pair<std::string, expr::Expr>> locals;
    };
    std::string name; // "r", "x'"
    std::vector<Term> terms; // their sum; a [let] name has one
    base::Span span; // the key
    bool let = true;
    State state = State::fresh;
    expr::Expr value;
};

// A name used in an expression, or a call of der: what it became and where it stands.
struct Use {
    base::Span span;
    expr::Expr expr;
};

struct Declarations {
    Declarations(Model& described, const Limits& bounds)
        : model(described), limits(bounds), derivative(*described.pool) {}

    Model& model; // coordinates, velocities, parameters, states, tables, bodies so far
    Limits limits;
    Scope scope;
    std::vector<Definition> definitions;
    std::vector<std::size_t>
        rates; // by coordinate: its definition, k_none where the rate is a symbol
    std::vector<expr::Expr> relays; // u symbols by relay
    std::vector<expr::Expr> unknowns;
    TotalDerivative derivative;
    std::vector<Use> uses;
    // Some declaration failed and was reported: a name that is not found may be one of those.
    bool incomplete = false;

    [[nodiscard]] expr::Pool& pool() const { return *model.pool; }
    [[nodiscard]] const Family* family(std::string_view index) const;
};

} // namespace liaison::model
