// SPDX-License-Identifier: Apache-2.0
// Generalised forces in the velocities of a frame, and the energy balance they belong to.
#include "liaison/equations/energy.hpp"

#include "liaison/equations/tidy.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison::equations {

Expr lagrangian(const LagrangianInput& input) {
    if (input.L) return input.L;
    const Expr zero = input.pool->number(0);
    return (input.T ? input.T : zero) - (input.V ? input.V : zero);
}

namespace {

// Σ ∂e/∂q K v: the velocity of a point e(q, t) without what explicit time contributes.
Expr virtual_velocity(const Frame& frame, Expr e) {
    std::vector<Expr> rates;
    const auto v = std::span(frame.u()).first(frame.n_velocities());
    for (const Row& row : frame.K()) rates.push_back(dot(frame.pool(), row, v));
    const bool moving = expr::depends_on(e, frame.t());
    return expr::differentiate_along({&e, 1}, frame.q(), rates, moving ? "" : "'")[0];
}

} // namespace

// A force vector at a point does the virtual work vector · δat.
std::vector<ForceTerms> force_terms(const Frame& frame, const std::vector<ForceInput>& forces) {
    Pool& pool = frame.pool();
    std::vector<ForceTerms> result;
    for (const ForceInput& force : forces) {
        RowBuilder Q(pool, frame.size());
        std::vector<Expr> power;
        for (std::size_t a = 0; force.at.empty() && a < force.Q.size(); ++a) {
            if (!force.Q[a]) continue;
            Q.add(a, force.Q[a]);
            power.push_back(force.Q[a] * frame.u()[a]);
        }
        for (std::size_t c = 0; c < force.at.size(); ++c) {
            for (const auto& [a, value] : frame.position_gradient(force.at[c]))
                Q.add(a, value * force.vector[c]);
            power.push_back(force.vector[c] * virtual_velocity(frame, force.at[c]));
        }
        result.push_back({force.name, Q.row(), tidy(pool.sum(power))});
    }
    return result;
}

EnergyTerms energy_terms(const Frame& frame, const LagrangianInput& input,
                         const std::vector<Expr>& momenta, const std::vector<ForceTerms>& forces) {
    Pool& pool = frame.pool();
    EnergyTerms terms;
    terms.T = input.T;
    terms.V = input.V;
    terms.L = lagrangian(input);
    std::vector<Expr> products;
    for (std::size_t a = 0; a < momenta.size(); ++a) products.push_back(momenta[a] * frame.u()[a]);
    terms.jacobi = pool.sum(products) - terms.L;
    const Expr zero = pool.number(0);
    terms.total = input.L ? terms.jacobi : (input.T ? input.T : zero) + (input.V ? input.V : zero);
    terms.minus_L_t = -expr::differentiate(terms.L, frame.t());
    std::vector<Expr> powers;
    for (const ForceTerms& force : forces) powers.push_back(force.power);
    terms.power = pool.sum(powers);
    return terms;
}

} // namespace liaison::equations
