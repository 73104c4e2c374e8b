// SPDX-License-Identifier: Apache-2.0
// Constraint-perturbation equations as targets of the reaction rows.
#include "liaison/realise/bilateral.hpp"

#include "liaison/prepare/nearby_rank.hpp"
#include "liaison/solve/dense.hpp"
#include "liaison/solve/factor.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using expr::Expr;
using model::Stabilise;

constexpr const char* k_rate_name = "stabilise#";

// Shares of the eigenvalues of W M⁻¹ Wᵀ that count. Near a singular position an eigenvalue grows from zero on, with
// the square of the distance: what is to be solved there must be far smaller.
constexpr double k_redundant = 1e-6;
constexpr double k_singular = 1e-12;

class Laws {
  public:
    Laws(const model::Model& m, const equations::Equations& equations, flow::Flow& flow)
        : model_(m), equations_(equations), flow_(flow), pool_(*m.pool) {}

    std::vector<equations::ReactionRow> run() {
        std::vector<equations::ReactionRow> rows;
        for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
            const equations::ConstraintRows& c = equations_.constraints[k];
            flow::HeldConstraint held;
            held.name = c.name;
            held.f = labelled("f of {}", c.name, c.f);
            if (c.holonomic) held.rate = labelled("rate of {}", c.name, c.row.rate);
            held.tolerance = model_.constraints[k].tolerance;
            const Expr target = this->target(k, held);
            rows.push_back(equations::reaction_row(c, target));
            flow_.constraints.push_back(std::move(held));
        }
        return rows;
    }

  private:
    // Where violations enter the reactions they keep a node of their own, which proofs replace by what is known of it.
    [[nodiscard]] Expr labelled(const char* label, const std::string& name, Expr e) const {
        if (model_.run.bilateral != model::BilateralRealisation::program) return e;
        return pool_.named(fmt::format(fmt::runtime(label), name), e);
    }

    // The wanted f̈ or ḟ'; empty: zero.
    Expr target(std::size_t k, flow::HeldConstraint& held) {
        const bool second = static_cast<bool>(held.rate);
        const Stabilise& law = model_.constraints[k].stabilise;
        held.law.assign(second ? 2 : 1, pool_.number(0));
        if (model_.run.bilateral != model::BilateralRealisation::program) return {};
        switch (law.kind) {
        case Stabilise::Kind::none: return {};
        case Stabilise::Kind::automatic: decay(automatic_rate(flow_), held); break;
        case Stabilise::Kind::rate: decay(law.p.expr, held); break;
        case Stabilise::Kind::oscillator: {
            const Expr omega = law.frequency.expr;
            held.law = {-(omega * omega), expr::Number(-2) * law.damping.expr * omega};
            break;
        }
        case Stabilise::Kind::matrix: {
            const auto& row = law.rows.front();
            if (row.size() != held.law.size()) return coupled(row, held);
            for (std::size_t i = 0; i < row.size(); ++i) held.law[i] = row[i].expr;
            break;
        }
        }
        return second ? held.law[0] * held.f + held.law[1] * held.rate : held.law[0] * held.f;
    }

    // Modes that die out as e^{−0.8βt} and e^{−1.2βt}, or as e^{−βt} for a law of first order.
    static void decay(Expr beta, flow::HeldConstraint& held) {
        using expr::Number;
        if (held.law.size() == 1)
            held.law = {-beta};
        else
            held.law = {Number(-24) / Number(25) * (beta * beta), Number(-2) * beta};
    }

    // A row over all deviations g = (f, ḟ, f').
    Expr coupled(const std::vector<model::Formula>& row, flow::HeldConstraint& held) {
        held.law.clear();
        std::vector<Expr> g;
        for (const auto& c : equations_.constraints) {
            if (c.holonomic) g.push_back(c.f);
        }
        for (const auto& c : equations_.constraints) {
            if (c.holonomic) g.push_back(c.row.rate);
        }
        for (const auto& c : equations_.constraints) {
            if (!c.holonomic) g.push_back(c.f);
        }
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < row.size() && i < g.size(); ++i)
            terms.push_back(row[i].expr * g[i]);
        return pool_.sum(terms);
    }

    const model::Model& model_;
    const equations::Equations& equations_;
    flow::Flow& flow_;
    expr::Pool& pool_;
};

} // namespace

std::vector<equations::ReactionRow>
bilateral_rows(const model::Model& model, const equations::Equations& equations, flow::Flow& flow) {
    return Laws(model, equations, flow).run();
}

Dependence dependence(const model::Model& model, const equations::Equations& equations,
                      const prepare::Point& start) {
    const std::size_t m = equations.constraints.size();
    if (m == 0) return {};
    const equations::LinearSystem mass = equations::assemble(equations, {});
    std::vector<Expr> wanted = mass.entries;
    for (const auto& c : equations.constraints) {
        for (const auto& e : c.row.W) wanted.push_back(e.value);
    }
    const auto values = prepare::Evaluator(model).at(start, wanted);
    using Eigen::Index;
    const auto n = static_cast<Index>(mass.structure->n);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    std::size_t at = 0;
    for (const auto& entry : mass.structure->entries) {
        M(entry.row, entry.col) = values[at];
        M(entry.col, entry.row) = values[at++];
    }
    Eigen::MatrixXd Wt = Eigen::MatrixXd::Zero(n, static_cast<Index>(m));
    for (std::size_t k = 0; k < m; ++k) {
        for (const auto& e : equations.constraints[k].row.W)
            Wt(e.index, static_cast<Index>(k)) = values[at++];
    }
    solve::RankFactor factor;
    factor.factor(Wt.transpose(), {.threshold = 1e-10});
    const Index rank = factor.rank();
    if (rank == static_cast<Index>(m)) return {};
    Dependence result;
    result.redundant = prepare::rank_nearby(model, start).nearby < m;
    const Eigen::MatrixXd S = Wt.transpose() * solve::Elimination(M).solve_columns(Wt);
    if (!S.allFinite()) return result;
    const Eigen::VectorXd sigma = solve::symmetric_eigenvalues(S);
    // The smallest eigenvalue that is not zero; the others ascend before it. Without any, that of gradients of length one.
    const double size = rank > 0 ? std::abs(sigma(static_cast<Index>(m) - rank))
                                 : 1.0 / std::max(M.cwiseAbs().maxCoeff(), 1e-300);
    result.mu = (result.redundant ? k_redundant : k_singular) * size;
    return result;
}

Expr automatic_rate(flow::Flow& flow) {
    const Expr rate = flow.pool->symbol(k_rate_name);
    if (!flow.rate_to_choose) {
        flow.rate_to_choose = true;
        flow.parameters.push_back(rate);
        flow.parameter_names.emplace_back(k_rate_name);
        flow.parameter_values.push_back(1.0);
    }
    return rate;
}

} // namespace liaison::realise
