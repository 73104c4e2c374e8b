// SPDX-License-Identifier: Apache-2.0
// Cases of closed contacts from the numbers of the contact problem, the approach from the rows of gaps and slips.
#include "liaison/analysis/start_contacts.hpp"

#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/laws/spatial_impact.hpp"
#include "liaison/realise/contact_problem.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_closed = 1e-9; // gaps and gap rates of closed contacts
constexpr double k_rest = 1e-11; // slip speed
constexpr double k_boundary = 1e-9; // B₁'/D_nn (theory of friction §9)

StartContact describe(const realise::ContactProblem& problem, const realise::ContactNumbers& n,
                      Index k) {
    const realise::ContactSide& side = problem.sides()[static_cast<std::size_t>(k)];
    const Index slips = static_cast<Index>(side.friction.slips.size());
    const Index t = problem.slip_row(k);
    StartContact c;
    c.name = side.side.empty() ? side.name : side.name + " " + side.side;
    c.slips = static_cast<int>(slips);
    c.free = n.b(k);
    c.response = n.D(k, k);
    c.restitution = n.restitution(k);
    const VectorXd v = n.slip.segment(t - n.gap.size(), slips);
    c.moving = v.norm() > k_rest;
    if (!c.moving) return c;
    const VectorXd s = v.normalized();
    const double mu = slips == 1 && s(0) < 0.0 ? n.sliding_minus(k) : n.sliding_plus(k);
    const VectorXd coupling = n.D.block(t, k, slips, 1);
    c.response -= mu * coupling.dot(s);
    c.boundary = std::abs(c.response) <= k_boundary * n.D(k, k);
    if (c.boundary && slips == 2) {
        // β = dB₁'/dN = −(μ/r) (c·s^⊥) F, F = s^⊥·(c − μ D_tt s): does M enter B₁' > 0 (theory of friction §8)?
        const Eigen::Vector2d across(-s(1), s(0));
        const Eigen::Matrix2d D_tt = n.D.block<2, 2>(t, t);
        const double F = across.dot(coupling - mu * D_tt * s);
        c.turns_out = -coupling.dot(across) * F > k_boundary * n.D(k, k) * n.D(k, k);
    }
    return c;
}

// Rows of gap rates, slips and constraints by velocity.
class Rows {
  public:
    Rows(const model::Model& model, const prepare::Point& point)
        : evaluator_(model), point_(point), n_(static_cast<Index>(point.v.size())) {}

    void add(const equations::Row& W, double change) {
        VectorXd row = VectorXd::Zero(n_);
        for (const auto& e : W) row(static_cast<Index>(e.index)) = evaluator_.at(point_, e.value);
        rows_.push_back(std::move(row));
        changes_.push_back(change);
    }
    // Least squares of least norm; nothing where the rows contradict each other.
    [[nodiscard]] std::vector<double> least_change() const {
        MatrixXd A(static_cast<Index>(rows_.size()), n_);
        VectorXd b(A.rows());
        for (Index i = 0; i < A.rows(); ++i) {
            A.row(i) = rows_[static_cast<std::size_t>(i)];
            b(i) = changes_[static_cast<std::size_t>(i)];
        }
        const VectorXd x = solve::least_norm(A, b);
        constexpr double k_fulfilled = 1e-9;
        if ((A * x - b).cwiseAbs().maxCoeff() > k_fulfilled) return {};
        return {x.begin(), x.end()};
    }

  private:
    prepare::Evaluator evaluator_;
    const prepare::Point& point_;
    Index n_;
    std::vector<VectorXd> rows_;
    std::vector<double> changes_;
};

} // namespace

std::string_view StartContact::case_name() const {
    if (!moving) return free > 0.0 ? "rest, then separation" : "rest";
    if (boundary) return "boundary of the paradox";
    if (response < 0.0) return free > 0.0 ? "indeterminate" : "inconsistent";
    return free > 0.0 ? "separation" : "regular sliding";
}

StartContacts start_contacts(const model::Model& model, const prepare::Point& point) {
    StartContacts result;
    if (model.contacts.empty()) {
        result.problem = "the model has no contact that could be approached";
        return result;
    }
    const auto realised = realise::realise(model, point);
    if (!realised.contacts) {
        result.problem = "approach speeds belong to contacts by events";
        return result;
    }
    const realise::ContactNumbers n = realised.contacts->at(flow::start_instant(realised.flow));
    if (!n.regular) {
        result.problem = "the accelerations are not determined at the start";
        return result;
    }
    const auto eq = equations::derive(equations::lagrangian_input(model), equations::Form::plain);
    Rows rows(model, point);
    for (Index k = 0; k < n.gap.size(); ++k) {
        if (std::abs(n.gap(k)) > k_closed || std::abs(n.rate(k)) > k_closed) continue;
        const equations::ContactRows& contact = eq.contacts[static_cast<std::size_t>(k)];
        const bool friction =
            static_cast<bool>(realised.contacts->sides()[static_cast<std::size_t>(k)].friction);
        rows.add(contact.normal.W, friction ? 1.0 : 0.0);
        if (!friction) continue;
        for (const equations::RateRow& slip : contact.slips) rows.add(slip.W, 0.0);
        result.closed.push_back(describe(*realised.contacts, n, k));
    }
    if (result.closed.empty()) return result;
    for (const equations::ConstraintRows& c : eq.constraints) rows.add(c.row.W, 0.0);
    result.approach = rows.least_change();
    if (result.approach.empty())
        result.problem = "no change of the velocities approaches the closed contacts and keeps "
                         "their slips and the constraints";
    return result;
}

} // namespace liaison::analysis
