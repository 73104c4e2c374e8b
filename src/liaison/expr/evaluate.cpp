// SPDX-License-Identifier: Apache-2.0
// Evaluation in id order; linear systems by full-pivoting elimination.
#include "liaison/expr/evaluate.hpp"

#include "liaison/expr/functions.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/expr/traverse.hpp"

#include <Eigen/Dense>

#include <array>
#include <cmath>
#include <limits>

namespace liaison::expr {
namespace {

double value_of_product(const Node* n, const NodeMap<double>& at) {
    double product = n->numbers[0].value();
    for (std::uint32_t i = 0; i < n->n_args; ++i) {
        const double base = at.at(n->args[i]);
        const Number& e = n->numbers[i + 1];
        product *= e.is_one() ? base : std::pow(base, e.value());
    }
    return product;
}

Eigen::VectorXd solution_of(const Node* n, const Pool& pool, const NodeMap<double>& at) {
    const Node* factor = n->args[0];
    const Structure& s = pool.structure(*factor);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(s.n, s.n);
    Eigen::VectorXd b(s.n);
    for (std::size_t k = 0; k < s.entries.size(); ++k) {
        const auto [row, col] = s.entries[k];
        A(row, col) = at.at(factor->args[k]);
        if (s.symmetric) A(col, row) = A(row, col);
    }
    for (std::uint32_t i = 0; i < s.n; ++i) b(i) = at.at(n->args[i + 1]);
    return A.fullPivLu().solve(b);
}

} // namespace

std::vector<double> evaluate(std::span<const Expr> expressions, std::span<const Expr> symbols,
                             std::span<const double> values) {
    if (expressions.empty()) return {};
    const Pool& pool = expressions[0].pool();
    NodeMap<double> at;
    NodeMap<Eigen::VectorXd> systems;
    for (std::size_t i = 0; i < symbols.size(); ++i) at[symbols[i].node()] = values[i];
    for (const Node* n : reachable(expressions, symbols)) {
        if (at.contains(n)) continue;
        double value = std::numeric_limits<double>::quiet_NaN();
        switch (n->op) {
        case Op::number: value = n->numbers[0].value(); break;
        case Op::symbol:
        case Op::factor: break;
        case Op::named: value = at.at(n->args[0]); break;
        case Op::add:
            value = n->numbers[0].value();
            for (std::uint32_t i = 0; i < n->n_args; ++i)
                value += n->numbers[i + 1].value() * at.at(n->args[i]);
            break;
        case Op::mul: value = value_of_product(n, at); break;
        case Op::power: value = std::pow(at.at(n->args[0]), at.at(n->args[1])); break;
        case Op::table: value = pool.table_data(*n)(at.at(n->args[0])); break;
        case Op::solve: systems[n] = solution_of(n, pool, at); break;
        case Op::component: value = systems.at(n->args[0])(n->attr); break;
        default: {
            std::array<double, 3> x{};
            for (std::uint32_t i = 0; i < n->n_args; ++i) x[i] = at.at(n->args[i]);
            value = find_function(n->op)->value(x.data());
        }
        }
        at[n] = value;
    }
    std::vector<double> result;
    for (Expr e : expressions) result.push_back(at.at(e.node()));
    return result;
}

double evaluate(Expr e, std::span<const Expr> symbols, std::span<const double> values) {
    return evaluate({&e, 1}, symbols, values)[0];
}

} // namespace liaison::expr
