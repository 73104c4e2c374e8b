// SPDX-License-Identifier: Apache-2.0
// The mass matrix at the start, on the motions that constraints leave free.
//
// M v̇ = h + Fᵀλ, F v̇ = …: the accelerations are determined iff M is regular on the null space of F.
// T is quadratic, so that M e_j = ∇T(e_j) − ∇T(0) needs no second derivatives.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/work.hpp"
#include "liaison/solve/dense.hpp"
#include "liaison/solve/factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

using base::Code;
using expr::Expr;

namespace {

constexpr std::size_t k_dense = 300; // above this size only the structure is looked at

const model::Formula& kinetic(const model::Model& model) {
    return model.energy.L ? model.energy.L : model.energy.T;
}

solve::Matrix mass_matrix(const Work& work, const std::vector<Expr>& momenta) {
    const auto n = static_cast<Eigen::Index>(momenta.size());
    Point point = work.start.point;
    std::ranges::fill(point.v, 0.0);
    const auto column = [&] {
        const auto p = work.evaluator.at(point, momenta);
        return solve::Vector(Eigen::Map<const solve::Vector>(p.data(), n));
    };
    const solve::Vector rest = column();
    solve::Matrix M(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        point.v[static_cast<std::size_t>(j)] = 1.0;
        M.col(j) = column() - rest;
        point.v[static_cast<std::size_t>(j)] = 0.0;
    }
    return 0.5 * (M + M.transpose());
}

// Columns of the null space of the constraints.
solve::Matrix free_motions(Work& work) {
    const auto n = static_cast<Eigen::Index>(work.model.velocities.size());
    if (work.model.constraints.empty()) return solve::Matrix::Identity(n, n);
    std::vector<Expr> rows;
    std::vector<Expr> atoms;
    for (const auto& velocity : work.model.velocities) atoms.push_back(velocity.v);
    for (const Condition& c : work.constraint_conditions())
        rows.push_back(c.on_velocity ? c.formula.expr : c.rate);
    const solve::Matrix F = work.jacobian(rows, atoms);
    if (!F.allFinite()) return solve::Matrix::Identity(n, n);
    solve::RankFactor factor;
    factor.factor(F, {.threshold = 1e-10});
    return factor.null_space();
}

std::string coordinate_of(const model::Model& model, std::size_t velocity) {
    const model::Velocity& v = model.velocities[velocity];
    return v.coordinate == model::k_none ? v.name : model.coordinates[v.coordinate].name;
}

void report_missing(Work& work, std::size_t velocity) {
    const model::Model& model = work.model;
    const model::Velocity& v = model.velocities[velocity];
    const std::string name = coordinate_of(model, velocity);
    const model::Formula& T = kinetic(model);
    auto& report = work.diagnostics.report(Code::singular_mass_matrix,
                                           "the mass matrix is singular at the start");
    report.at(T.span,
              fmt::format("{} does not appear: coordinate `{}` has no inertia", v.name, name));
    const base::Span list = v.span;
    report.note(
        fmt::format("add a term such as J/2*{}^2, or remove `{}` from coordinates{}", v.name, name,
                    list ? fmt::format(" (line {})", list.position().line) : std::string{}));
}

void report_singular(Work& work, const solve::Vector& direction) {
    const model::Model& model = work.model;
    std::string motion;
    const double largest = direction.cwiseAbs().maxCoeff();
    std::size_t shown = 0;
    for (Eigen::Index j = 0; j < direction.size() && shown < 4; ++j) {
        const double part = direction[j] / largest;
        if (std::abs(part) < 1e-6) continue;
        motion += fmt::format("{}{} = {:.3g}", motion.empty() ? "" : ", ",
                              model.velocities[static_cast<std::size_t>(j)].name, part);
        ++shown;
    }
    const model::Formula& T = kinetic(model);
    work.diagnostics.report(Code::singular_mass_matrix, "the mass matrix is singular at the start")
        .at(T.span, fmt::format("the motion {} has no inertia", motion))
        .note(fmt::format("here {}", work.values_in(T.expr)))
        .note("a mass may be zero, or two coordinates may describe one and the same motion");
}

} // namespace

Eigen::MatrixXd kinetic_metric(const Work& work) {
    const model::Model& model = work.model;
    if (model.kind != model::Kind::energies || !kinetic(model)) return {};
    std::vector<Expr> velocities;
    for (const auto& velocity : model.velocities) velocities.push_back(velocity.v);
    if (velocities.size() > k_dense) return {};
    solve::Matrix M = mass_matrix(work, expr::gradient(kinetic(model).expr, velocities));
    if (!M.allFinite() || !solve::positive_definite(M)) return {};
    return M;
}

void check_inertia(Work& work) {
    const model::Model& model = work.model;
    if (model.kind != model::Kind::energies || !kinetic(model)) return;
    std::vector<Expr> velocities;
    for (const auto& velocity : model.velocities) velocities.push_back(velocity.v);
    const auto momenta = expr::gradient(kinetic(model).expr, velocities);

    expr::NodeSet present;
    for (const Expr symbol : expr::free_symbols(kinetic(model).expr)) present.insert(symbol.node());
    std::vector<std::size_t> massless;
    for (std::size_t j = 0; j < velocities.size(); ++j) {
        if (!present.contains(velocities[j].node())) massless.push_back(j);
    }
    if (massless.empty() && velocities.size() > k_dense) return;
    if (velocities.size() > k_dense) {
        if (model.constraints.empty()) report_missing(work, massless.front());
        return;
    }
    const solve::Matrix M = mass_matrix(work, momenta);
    if (!M.allFinite()) {
        work.diagnostics.report(Code::not_finite, "the mass matrix is not finite at the start")
            .at(kinetic(model).span, work.values_in(kinetic(model).expr));
        return;
    }
    const solve::Matrix N = free_motions(work);
    if (N.cols() == 0) return;
    // Scaled by the diagonal, so that grams beside tonnes are not taken for nothing.
    const solve::Matrix reduced = N.transpose() * M * N;
    const double largest = reduced.diagonal().cwiseAbs().maxCoeff();
    solve::Vector scale = reduced.diagonal().cwiseAbs().cwiseSqrt();
    for (Eigen::Index k = 0; k < scale.size(); ++k) {
        scale[k] =
            scale[k] > 1e-150 && scale[k] * scale[k] > 1e-30 * largest ? 1.0 / scale[k] : 0.0;
    }
    const solve::Matrix scaled = scale.asDiagonal() * reduced * scale.asDiagonal();
    const solve::SymmetricSpectrum eigen = solve::symmetric_spectrum(scaled);
    const double smallest = eigen.values[0];
    if (smallest > 1e-12) return;
    if (smallest < -1e-12) {
        work.diagnostics
            .report(Code::negative_inertia,
                    "the kinetic energy is negative for some motion at the start")
            .at(kinetic(model).span, work.values_in(kinetic(model).expr))
            .note("masses and moments of inertia are positive; check their signs");
        return;
    }
    if (!massless.empty()) {
        for (const std::size_t j : massless) report_missing(work, j);
        return;
    }
    // Directions whose own scale vanished have no inertia themselves.
    solve::Vector direction = scale.asDiagonal() * eigen.vectors.col(0);
    for (Eigen::Index k = 0; k < scale.size(); ++k) {
        if (scale[k] == 0.0) direction = solve::Vector::Unit(scale.size(), k);
    }
    report_singular(work, N * direction);
}

} // namespace liaison::prepare
