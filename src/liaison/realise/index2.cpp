// SPDX-License-Identifier: Apache-2.0
// Multipliers of both levels as algebraic states.
#include "liaison/realise/index2.hpp"

#include "liaison/expr/derivative.hpp"

#include <fmt/format.h>

namespace liaison::realise {

using expr::Expr;

Index2::Index2(const model::Model& model, const equations::Equations& equations,
               const std::vector<equations::ReactionRow>& rows, equations::Accelerations index1)
    : model_(model), equations_(equations), consistent_(std::move(index1.reactions)) {
    expr::Pool& pool = *model.pool;
    const equations::LinearSystem free = equations::assemble(equations, {});
    std::vector<Expr> rhs = free.rhs;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        lambda_.push_back(pool.symbol(fmt::format("lambda#{}", model.constraints[k].name)));
        for (const auto& e : rows[k].direction) rhs[e.index] = rhs[e.index] + e.value * lambda_[k];
    }
    const Expr factor = pool.factor(free.structure, free.entries);
    auto x = pool.solve(factor, rhs);
    x.resize(equations.frame.size());
    accelerations_ = {std::move(x), lambda_, factor};
}

void Index2::add_states(flow::Flow& flow, const std::vector<double>& start_reactions) const {
    expr::Pool& pool = *model_.pool;
    std::vector<Expr> q;
    for (const auto& c : model_.coordinates) q.push_back(c.q);
    const auto add = [&](Expr symbol, const std::string& name, double start, Expr equation,
                         Expr value) {
        flow.states.push_back(symbol);
        flow.state_names.push_back(name);
        flow.start_state.push_back(start);
        flow.rates.push_back(pool.number(0));
        flow.algebraic.push_back({equation, value});
    };
    for (std::size_t k = 0; k < lambda_.size(); ++k)
        add(lambda_[k], "lambda of " + model_.constraints[k].name, start_reactions[k],
            equations_.constraints[k].row.rate, consistent_[k]);
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
        if (!model_.constraints[k].holonomic) continue;
        const std::string& name = model_.constraints[k].name;
        const Expr mu = pool.symbol(fmt::format("mu#{}", name));
        const auto slopes = expr::gradient(model_.constraints[k].f.expr, q);
        for (std::size_t i = 0; i < q.size(); ++i) {
            if (!slopes[i].is_zero()) flow.rates[i] = flow.rates[i] + slopes[i] * mu;
        }
        add(mu, "mu of " + name, 0.0, model_.constraints[k].f.expr, pool.number(0));
        flow.outputs.push_back({flow::OutputGroup::violation, name, "mu", mu});
    }
}

} // namespace liaison::realise
