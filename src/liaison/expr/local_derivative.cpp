// SPDX-License-Identifier: Apache-2.0
// Derivatives of single operations.
#include "liaison/expr/local_derivative.hpp"

#include "liaison/expr/functions.hpp"
#include "liaison/expr/table.hpp"

#include <vector>

namespace liaison::expr {
namespace {

std::vector<Expr> expressions_of(const Node* n) {
    std::vector<Expr> args;
    args.reserve(n->n_args);
    for (std::uint32_t i = 0; i < n->n_args; ++i) args.emplace_back(n->args[i]);
    return args;
}

} // namespace

Expr local_derivative(Pool& pool, const Node* n, std::size_t i) {
    const Expr self(n);
    switch (n->op) {
    case Op::named: return pool.number(Number(1));
    case Op::add: return pool.number(n->numbers[i + 1]);
    case Op::mul: {
        // c Π b_j^{e_j}: the factor i loses one power and e_i comes down.
        std::vector<Number> exponents(n->numbers + 1, n->numbers + n->n_numbers);
        exponents[i] = exponents[i] - Number(1);
        return pool.monomial(n->numbers[0] * n->numbers[i + 1], expressions_of(n), exponents);
    }
    case Op::power: {
        const Expr base = self.arg(0);
        const Expr exponent = self.arg(1);
        if (i == 0) return exponent * pool.power(base, exponent - Number(1));
        return self * log(base);
    }
    case Op::table: return pool.table(derivative(pool.table_data(*n)), self.arg(0));
    default: {
        const auto args = expressions_of(n);
        return find_function(n->op)->derivative(pool, args, i);
    }
    }
}

} // namespace liaison::expr
