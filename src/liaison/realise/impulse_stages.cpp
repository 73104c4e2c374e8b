// SPDX-License-Identifier: Apache-2.0
// Forward differentiation through the stages of an impact.
#include "liaison/realise/impulse_stages.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/solve/dense.hpp"

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A impulse R = (Wᵀ, 0): then A dR = (dWᵀ, 0) − dA R.
struct Responses {
    solve::Elimination factor;
    MatrixXd all; // velocities, auxiliary ones and multipliers × contacts
};

MatrixXd loads(const ContactParts& parts) {
    MatrixXd right = MatrixXd::Zero(parts.A.rows(), parts.W.rows());
    right.topRows(parts.W.cols()) = parts.W.transpose();
    return right;
}

// Of gaps and slips, in the order of the rows.
VectorXd rates(const ContactParts& parts) {
    VectorXd all(parts.rate.size() + parts.slip.size());
    all << parts.rate, parts.slip;
    return all;
}

ContactVariation variation(const ContactParts& at, const Responses& response, const ContactParts& d,
                           Index n_v) {
    const Index n_u = at.W.cols();
    const MatrixXd dR = response.factor.solve_columns(loads(d) - d.A * response.all);
    ContactVariation result;
    result.rate = rates(d);
    result.restitution = d.restitution;
    result.response = dR.topRows(n_v);
    result.D = d.W * response.all.topRows(n_u) + at.W * dR.topRows(n_u);
    return result;
}

} // namespace

ImpulseDerivative::ImpulseDerivative(const flow::Flow& flow,
                                     std::shared_ptr<const ContactProblem> problem,
                                     std::span<const expr::Expr> atoms)
    : problem_(std::move(problem)), n_rows_(flow::Atoms(flow, atoms).rows()),
      n_positions_(flow.n_positions), n_atoms_(atoms.size()) {
    const auto& values = problem_->expressions();
    std::vector<expr::Expr> nonzero;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto gradient = expr::gradient(values[i], atoms);
        for (std::size_t j = 0; j < atoms.size(); ++j) {
            if (gradient[j].is_zero()) continue;
            entries_.push_back({i, j});
            nonzero.push_back(gradient[j]);
        }
    }
    probe_ = flow::Probe(flow, std::move(nonzero));
}

MatrixXd ImpulseDerivative::at(const flow::Instant& before, std::span<const ImpulseStage> stages,
                               std::span<const Index> closed) const {
    MatrixXd result =
        flow::identity_reset(static_cast<Index>(n_rows_), static_cast<Index>(n_atoms_));
    if (stages.empty()) return result;
    const ContactParts parts = problem_->parts(problem_->values(before));
    const auto n_v = static_cast<Index>(problem_->velocities());
    Responses response{solve::Elimination(parts.A), {}};
    response.all = response.factor.solve_columns(loads(parts));
    const MatrixXd R = response.all.topRows(n_v);
    const MatrixXd D = parts.W * response.all.topRows(parts.W.cols());

    const auto derivatives = probe_(before);
    std::vector<double> one(problem_->expressions().size());
    for (std::size_t j = 0; j < n_atoms_; ++j) {
        std::fill(one.begin(), one.end(), 0.0);
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            if (entries_[k].atom == j) one[entries_[k].value] = derivatives[k];
        }
        ContactVariation d = variation(parts, response, problem_->parts(one), n_v);
        VectorXd rate = rates(parts);
        for (const Index k : closed) rate(k) = d.rate(k) = 0.0;
        VectorXd dv =
            result.col(static_cast<Index>(j)).segment(static_cast<Index>(n_positions_), n_v);
        for (const ImpulseStage& stage : stages) {
            const auto m = static_cast<Index>(stage.members.size());
            std::vector<Index> set;
            VectorXd tau(m), d_tau(m);
            for (Index i = 0; i < m; ++i) {
                const auto& member = stage.members[static_cast<std::size_t>(i)];
                const Index k = member.contact;
                set.push_back(k);
                const bool bounce = member.rule == ImpulseStage::Rule::bounce;
                const bool hold = member.rule == ImpulseStage::Rule::hold;
                const double factor = hold ? 0.0 : bounce ? 1.0 + parts.restitution(k) : 1.0;
                tau(i) = factor * rate(k);
                d_tau(i) = factor * d.rate(k) + (bounce ? d.restitution(k) * rate(k) : 0.0);
            }
            const MatrixXd block = D(set, set);
            const VectorXd impulse = -solve::least_norm(block, tau);
            const VectorXd d_impulse =
                -solve::least_norm(block, d_tau + MatrixXd(d.D(set, set)) * impulse);
            dv += d.response(Eigen::all, set) * impulse + R(Eigen::all, set) * d_impulse;
            rate += D(Eigen::all, set) * impulse;
            d.rate += d.D(Eigen::all, set) * impulse + D(Eigen::all, set) * d_impulse;
        }
        result.col(static_cast<Index>(j)).segment(static_cast<Index>(n_positions_), n_v) = dv;
    }
    return result;
}

} // namespace liaison::realise
