// SPDX-License-Identifier: Apache-2.0
// The kinematic family as one linear system per instant, its partitions as modes.
#include "liaison/realise/kinematics.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/ordering.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/realise/bilateral.hpp"
#include "liaison/realise/partition.hpp"
#include "liaison/realise/projection.hpp"
#include "liaison/solve/vector_product.hpp"

#include <fmt/format.h>

namespace liaison::realise {

using expr::Expr;
using expr::Number;
using model::Stabilise;

KinematicFamily::KinematicFamily(const model::Model& model, flow::Flow& flow)
    : model_(model), flow_(flow), pool_(*model.pool) {
    for (const auto& c : model.coordinates) x_.push_back(c.q);
    for (const auto& c : model.constraints) {
        S_.push_back(expr::gradient(c.f.expr, x_));
        f_t_.push_back(expr::differentiate(c.f.expr, model.t));
    }
    if (model.kinematics && model.kinematics->partition) {
        for (const auto& c : model.coordinates) {
            const Expr symbol = pool_.symbol(fmt::format("dependent#{}", c.name));
            free_.push_back(symbol);
            flow.modes.push_back({c.name, symbol, 1.0, {{0.0, "independent"}, {1.0, "dependent"}}});
        }
        level_ = pool_.symbol("partition level#");
        flow.modes.push_back({"partition level#", level_, 0.0, {}});
    }
}

// The coefficient of ḟ = law f for constraints that stand alone.
Expr KinematicFamily::law(std::size_t k) {
    const Stabilise& s = model_.constraints[k].stabilise;
    if (model_.run.bilateral != model::BilateralRealisation::program) return pool_.number(0);
    switch (s.kind) {
    case Stabilise::Kind::rate: return -s.p.expr;
    case Stabilise::Kind::matrix:
        return s.rows.front().size() == 1 ? s.rows.front().front().expr : Expr();
    case Stabilise::Kind::automatic: return -automatic_rate(flow_);
    case Stabilise::Kind::none:
    case Stabilise::Kind::oscillator: break;
    }
    return pool_.number(0);
}

void KinematicFamily::hold() {
    for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
        const model::Constraint& c = model_.constraints[k];
        const Expr p = law(k);
        flow::HeldConstraint held;
        held.name = c.name;
        held.f = c.f.expr;
        held.inside = pool_.named(fmt::format("f of {}", c.name), c.f.expr);
        held.tolerance = c.tolerance;
        if (p) held.law = {p};
        flow_.constraints.push_back(std::move(held));
    }
}

// c [f_x C]
std::vector<Expr> KinematicFamily::tangent() const {
    auto rows = S_;
    for (const auto& direction : model_.kinematics->directions) {
        auto& row = rows.emplace_back();
        for (const model::Formula& f : direction) row.push_back(f ? f.expr : pool_.number(0));
    }
    auto v = solve::vector_product(rows, pool_.number(1));
    for (Expr& component : v) component = model_.kinematics->speed.expr * component;
    return v;
}

// ⎡ 1   −E fₓᵀ ⎤ ⎡x'⎤   ⎡w         ⎤     E: 1 where a velocity may change
// ⎣−fₓ   0     ⎦ ⎣μ ⎦ = ⎣f_t − P f ⎦
std::vector<Expr> KinematicFamily::rates(std::span<const Expr> wanted) {
    hold();
    const auto n = static_cast<std::uint32_t>(x_.size());
    const auto m = static_cast<std::uint32_t>(S_.size());
    const bool along = wanted.empty() && model_.kinematics && model_.kinematics->speed;
    const auto structure = std::make_shared<expr::Structure>();
    structure->n = n + m;
    structure->symmetric = free_.empty();
    structure->classes.assign(n, expr::UnknownClass::inertial);
    structure->classes.insert(structure->classes.end(), m, expr::UnknownClass::multiplier);
    std::vector<Expr> entries;
    std::vector<Expr> rhs;
    const auto put = [&](std::uint32_t row, std::uint32_t col, Expr value) {
        structure->entries.push_back({row, col});
        entries.push_back(value);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        put(i, i, pool_.number(1));
        rhs.push_back(wanted.empty() ? pool_.number(0) : wanted[i]);
    }
    for (std::uint32_t k = 0; k < m; ++k) {
        for (std::uint32_t i = 0; i < n; ++i) {
            if (S_[k][i].is_zero()) continue;
            put(n + k, i, -S_[k][i]);
            if (!free_.empty()) put(i, n + k, -(free_[i] * S_[k][i]));
        }
        const flow::HeldConstraint& held = flow_.constraints[k];
        Expr target = pool_.number(0);
        if (!held.law.empty()) {
            target = held.law[0] * held.inside;
        } else {
            const auto& row = model_.constraints[k].stabilise.rows.front();
            for (std::size_t j = 0; j < m; ++j)
                target = target + row[j].expr * flow_.constraints[j].inside;
        }
        rhs.push_back(f_t_[k] - target);
    }
    structure->order = expr::elimination_order(*structure);
    const Expr factor = pool_.factor(structure, entries);
    auto v = pool_.solve(factor, rhs);
    v.resize(n);
    if (model_.run.bilateral == model::BilateralRealisation::projection) {
        // x ← x − f_x⁺ f, or the change of the dependent coordinates alone
        std::vector<Expr> violation(n, pool_.number(0));
        for (const auto& held : flow_.constraints) violation.push_back(held.f);
        changes_ = pool_.solve(factor, violation);
        changes_.resize(n);
    }
    if (along) {
        const auto tau = tangent();
        for (std::size_t i = 0; i < n; ++i) v[i] = v[i] + tau[i];
    }
    return v;
}

void KinematicFamily::install() const {
    if (S_.empty()) return;
    if (!free_.empty()) install_partition(S_, free_, level_, flow_);
    if (!changes_.empty()) install_projection(changes_, std::vector<Expr>(1), flow_);
}

} // namespace liaison::realise
