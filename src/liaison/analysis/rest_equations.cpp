// SPDX-License-Identifier: Apache-2.0
// The equations of rest, derived from the equations of motion.
#include "liaison/analysis/rest_equations.hpp"

#include "liaison/equations/equations.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::Expr;

constexpr double k_standing = 1e-12; // a slip below this is none

Index at(std::size_t i) { return static_cast<Index>(i); }

std::vector<Expr> without(const std::vector<Expr>& all, const std::vector<Expr>& atoms) {
    if (all.empty() || atoms.empty()) return all;
    const std::vector<Expr> zeros(atoms.size(), all.front().pool().number(0));
    return expr::substitute(all, atoms, zeros);
}

} // namespace

RestEquations::RestEquations(const model::Model& model, const prepare::Point& start)
    : point_(start) {
    if (model.kind == model::Kind::kinematic) {
        refused_ = "a model of [kinematics] alone has no forces: rest positions are a matter of "
                   "energies or of a [system]";
        return;
    }
    first_order_ = model.kind == model::Kind::first_order;
    std::fill(point_.v.begin(), point_.v.end(), 0.0);
    for (const auto& c : model.coordinates) q_.push_back(c.q);
    for (const auto& v : model.velocities) v_.push_back(v.v);
    if (first_order_)
        derive_system(model);
    else
        derive_mechanics(model);
    for (const model::Relay& r : model.relays)
        add_relay(r.name, r.u, r.surface.expr, r.above.expr, r.below.expr, r.holding.expr);
    add_signs(model);
    for (const Support& s : supports_) lambda_.push_back(s.force);
    symbols_.push_back(model.t);
    symbols_.insert(symbols_.end(), q_.begin(), q_.end());
    symbols_.insert(symbols_.end(), v_.begin(), v_.end());
    for (const auto& p : model.parameters) symbols_.push_back(p.symbol);
    for (const auto& s : model.states) symbols_.push_back(s.symbol);
    symbols_.insert(symbols_.end(), lambda_.begin(), lambda_.end());
    refuse_time(model);
    if (!refused_.empty()) return;
    differentiate_all(model);

    // A surface that moves at rest is one of a moving body; a relay on it cannot hold anything there.
    VectorXd X = VectorXd::Zero(at(q_.size() + lambda_.size()));
    for (std::size_t i = 0; i < q_.size(); ++i) X(at(i)) = point_.q[i];
    for (Support& s : supports_) {
        if (s.kind == SupportKind::tangential)
            s.slips_at_rest = std::abs(value(s.rate, X)) > k_standing;
    }
    // The slips of one contact in space slip or stick together.
    for (Support& s : supports_) {
        if (s.kind != SupportKind::tangential) continue;
        for (const Support& other : supports_) {
            if (other.kind == SupportKind::tangential && other.owner == s.owner)
                s.slips_at_rest = s.slips_at_rest || other.slips_at_rest;
        }
    }
}

void RestEquations::derive_system(const model::Model& model) {
    balance_ = equations::first_order_rates(model);
    for (const auto& c : model.coordinates) balance_names_.push_back(c.name + "'");
}

void RestEquations::derive_mechanics(const model::Model& model) {
    expr::Pool& pool = *model.pool;
    const equations::Equations equations =
        equations::derive(equations::lagrangian_input(model), equations::Form::plain);
    const std::size_t n = equations.frame.n_velocities();
    std::vector<std::vector<Expr>> terms(n);
    for (std::size_t a = 0; a < n; ++a)
        terms[a] = {-equations.inertia.h[a], equations.Q[a] ? equations.Q[a] : pool.number(0)};
    const auto acts = [&](const equations::Row& direction, Expr force) {
        for (const auto& e : direction) terms[e.index].push_back(e.value * force);
    };
    const auto friction = [&](const model::Friction& law,
                              const std::vector<equations::RateRow>& slips, std::size_t owner,
                              Expr pressure) {
        const bool planar = slips.size() == 1;
        const Expr speed =
            planar ? expr::abs(slips[0].rate) : expr::hypot(slips[0].rate, slips[1].rate);
        const Expr sticking = expr::substitute(law.sticking.expr, law.slip_symbol, pool.number(0));
        const Expr sliding =
            expr::substitute(law.sliding.expr, law.slip_symbol, planar ? slips[0].rate : speed);
        const Expr slowest = expr::substitute(law.sliding.expr, law.slip_symbol, pool.number(0));
        for (const equations::RateRow& slip : slips) {
            Support s;
            s.kind = SupportKind::tangential;
            s.name = supports_[owner].name;
            s.side = supports_[owner].side;
            s.contact = supports_[owner].contact;
            s.owner = owner;
            s.planar = planar;
            s.holonomic = false;
            s.force = pool.symbol(fmt::format("friction force#{}", supports_.size()));
            s.rate = slip.rate;
            s.upper = sticking * pressure;
            s.lower = -s.upper;
            s.kinetic = slowest * pressure;
            s.slide = s.force + sliding * pressure * (slip.rate / speed);
            acts(slip.W, s.force);
            supports_.push_back(s);
        }
    };
    for (std::size_t k = 0; k < equations.constraints.size(); ++k) {
        const equations::ConstraintRows& c = equations.constraints[k];
        Support s;
        s.kind = SupportKind::constraint;
        s.name = c.name;
        s.holonomic = c.holonomic;
        s.force = pool.symbol(fmt::format("reaction#{}", supports_.size()));
        if (c.holonomic) s.position = c.f;
        s.rate = c.row.rate;
        acts(c.reaction, s.force);
        const std::size_t owner = supports_.size();
        supports_.push_back(s);
        if (model.constraints[k].friction && !c.slips.empty())
            friction(model.constraints[k].friction, c.slips, owner, expr::abs(s.force));
    }
    std::size_t row = 0;
    for (std::size_t k = 0; k < model.contacts.size(); ++k) {
        std::size_t first_side = model::k_none;
        for (const model::Contact::Side& side : model.contacts[k].sides) {
            const equations::ContactRows& rows = equations.contacts[row++];
            Support s;
            s.kind = SupportKind::normal;
            s.name = model.contacts[k].name;
            s.side = side.name;
            s.contact = k;
            s.sibling = first_side;
            s.force = pool.symbol(fmt::format("pressure#{}", supports_.size()));
            s.position = rows.gap;
            s.rate = rows.normal.rate;
            s.lower = pool.number(0);
            acts(rows.normal.W, s.force);
            const std::size_t owner = supports_.size();
            if (first_side != model::k_none) supports_[first_side].sibling = owner;
            first_side = owner;
            supports_.push_back(s);
            if (model.contacts[k].friction && !rows.slips.empty())
                friction(model.contacts[k].friction, rows.slips, owner, s.force);
        }
    }
    for (std::size_t a = 0; a < n; ++a) {
        balance_.push_back(pool.sum(terms[a]));
        balance_names_.push_back(model.velocities[a].coordinate == model::k_none
                                     ? model.velocities[a].name
                                     : model.coordinates[model.velocities[a].coordinate].name);
    }
    for (const model::Body& body : model.bodies)
        if (body.norm) norms_.push_back(body.norm - expr::Number(1));
    mass_.assign(n * n, pool.number(0));
    for (const auto& e : equations.inertia.M)
        mass_[e.row * n + e.col] = mass_[e.col * n + e.row] = e.value;
    for (const auto& c : model.coordinates) rates_.push_back(c.rate.expr);
    if (equations.energy.jacobi) energy_ = equations.energy.jacobi;
    classify(model, equations.Q);
}

// Whether the forces at rest are those of a potential, and how the others depend on velocities.
void RestEquations::classify(const model::Model& model, const std::vector<Expr>& Q) {
    std::vector<Expr> forces;
    for (const Expr e : Q) forces.push_back(e ? e : model.pool->number(0));
    // Relays are told apart by their supports.
    std::vector<Expr> relays;
    for (const model::Relay& r : model.relays) relays.push_back(r.u);
    forces = without(forces, relays);
    const std::vector<Expr> still = without(forces, v_);
    for (std::size_t a = 0; a < forces.size(); ++a) {
        for (std::size_t b = 0; b < a && !model.quasi; ++b) {
            const Expr curl =
                expr::differentiate(still[a], q_[b]) - expr::differentiate(still[b], q_[a]);
            class_.positional_forces_have_potential &= curl.is_zero();
        }
        if (model.quasi) class_.positional_forces_have_potential &= still[a].is_zero();
        for (const Expr v : v_) {
            const Expr slope = expr::differentiate(forces[a], v);
            if (slope.is_zero()) continue;
            class_.velocity_forces = true;
            for (const auto* atoms : {&v_, &q_})
                for (const Expr atom : *atoms)
                    class_.velocity_forces_linear &= !expr::depends_on(slope, atom);
        }
    }
}

void RestEquations::add_relay(std::string name, Expr u, Expr surface, Expr above, Expr below,
                              Expr holding) {
    Support s;
    s.kind = SupportKind::relay;
    s.name = std::move(name);
    s.force = u;
    s.rate = surface;
    const Expr still = without({surface}, v_)[0];
    s.holonomic = true;
    for (const Expr v : v_) s.holonomic = s.holonomic && !expr::depends_on(surface, v);
    if (!still.is_zero()) s.position = still;
    s.above = above;
    s.below = below;
    s.lower = expr::min(above, below);
    s.upper = expr::max(above, below);
    if (holding) {
        const Expr middle = (above + below) * expr::Number::rational(1, 2);
        const Expr reach = expr::abs(holding - middle);
        s.lower = middle - reach;
        s.upper = middle + reach;
    }
    supports_.push_back(s);
}

// sign(S) in a force is a relay with the values ±1.
void RestEquations::add_signs(const model::Model& model) {
    std::vector<std::pair<Expr, Expr>> known; // argument, value
    const auto rule = [&](Expr node) {
        if (node.op() != expr::Op::sign) return node;
        for (const auto& [argument, u] : known)
            if (argument == node.arg(0)) return u;
        known.emplace_back(node.arg(0), model.pool->symbol(fmt::format("sign#{}", known.size())));
        return known.back().second;
    };
    balance_ = expr::rewrite(balance_, rule);
    for (const auto& [argument, u] : known)
        add_relay(fmt::format("sign({})", expr::print(argument)), u, argument,
                  model.pool->number(1), model.pool->number(-1), {});
}

void RestEquations::refuse_time(const model::Model& model) {
    // A force that a parameter switches off is none.
    std::vector<Expr> off;
    for (std::size_t i = 0; i < model.parameters.size(); ++i) {
        if (point_.parameters[i] == 0.0) off.push_back(model.parameters[i].symbol);
    }
    const auto moves = [&](const Expr e) {
        return e && expr::depends_on(without({e}, off)[0], model.t);
    };
    for (std::size_t a = 0; a < balance_.size(); ++a) {
        if (!moves(balance_[a])) continue;
        refused_ = fmt::format("time enters the balance of {}: a driven system has no rest "
                               "positions; set the amplitude of the drive to zero with --set, or "
                               "look for periodic motions with liaison orbit",
                               balance_names_[a]);
        return;
    }
    for (const Support& s : supports_) {
        if (!moves(s.position) && !moves(s.rate) && !moves(s.lower) && !moves(s.upper)) continue;
        refused_ = fmt::format("{} moves with time: nothing rests on it; stop it with --set, or "
                               "look for periodic motions with liaison orbit",
                               s.name);
        return;
    }
}

void RestEquations::differentiate_all(const model::Model& model) {
    (void)model;
    std::vector<Expr> atoms = q_;
    atoms.insert(atoms.end(), lambda_.begin(), lambda_.end());
    for (const auto* rows : {&balance_, &norms_}) {
        for (const Expr e : *rows) {
            const auto g = expr::gradient(e, atoms);
            jacobian_.insert(jacobian_.end(), g.begin(), g.end());
        }
    }
}

std::vector<double> RestEquations::values(const std::vector<Expr>& all, const VectorXd& X) const {
    return values(all, X, point_.v);
}

std::vector<double> RestEquations::values(const std::vector<Expr>& all, const VectorXd& X,
                                          const std::vector<double>& v) const {
    std::vector<double> numbers;
    numbers.reserve(symbols_.size());
    numbers.push_back(point_.time);
    for (std::size_t i = 0; i < q_.size(); ++i) numbers.push_back(X(at(i)));
    numbers.insert(numbers.end(), v.begin(), v.end());
    numbers.insert(numbers.end(), point_.parameters.begin(), point_.parameters.end());
    numbers.insert(numbers.end(), point_.states.begin(), point_.states.end());
    for (std::size_t i = 0; i < lambda_.size(); ++i) numbers.push_back(X(at(q_.size() + i)));
    return expr::evaluate(all, symbols_, numbers);
}

double RestEquations::value(Expr e, const VectorXd& X) const { return values({e}, X)[0]; }

std::vector<Expr> RestEquations::motion() const {
    std::vector<Expr> all = q_;
    all.insert(all.end(), v_.begin(), v_.end());
    return all;
}

std::vector<double> RestEquations::balance_near(const VectorXd& X,
                                                const std::vector<double>& v) const {
    std::vector<Expr> all = balance_;
    const std::vector<Expr> atoms = motion();
    for (const Expr e : balance_) {
        const auto g = expr::gradient(e, atoms);
        all.insert(all.end(), g.begin(), g.end());
    }
    return values(all, X, v);
}

std::vector<double> RestEquations::slopes(Expr e, const VectorXd& X) const {
    return values(expr::gradient(e, motion()), X);
}

bool RestEquations::pushes_constantly(std::size_t relay) const {
    const Support& s = supports_[relay];
    std::vector<Expr> all{s.above, s.below};
    for (const Expr e : balance_) all.push_back(expr::differentiate(e, s.force));
    std::vector<Expr> atoms = motion();
    atoms.push_back(s.force);
    return std::none_of(all.begin(), all.end(), [&](Expr e) {
        return std::any_of(atoms.begin(), atoms.end(),
                           [&](Expr atom) { return expr::depends_on(e, atom); });
    });
}

// What each support demands in its state; empty where nothing.
std::vector<Expr> RestEquations::relations(const SupportStates& states) const {
    std::vector<Expr> result;
    for (std::size_t k = 0; k < supports_.size(); ++k) {
        const Support& s = supports_[k];
        switch (states[k]) {
        case SupportState::absent: result.push_back(s.force); break;
        case SupportState::holds: result.push_back(s.position); break;
        case SupportState::slides: result.push_back(s.slide); break;
        case SupportState::below: result.push_back(s.force - s.below); break;
        case SupportState::above: result.push_back(s.force - s.above); break;
        case SupportState::at_lower: result.push_back(s.force - s.lower); break;
        case SupportState::at_upper: result.push_back(s.force - s.upper); break;
        }
    }
    return result;
}

void RestEquations::evaluate(const SupportStates& states, const VectorXd& X, VectorXd& r,
                             MatrixXd* J) const {
    std::vector<Expr> rows = balance_;
    rows.insert(rows.end(), norms_.begin(), norms_.end());
    const std::size_t smooth = rows.size();
    for (const Expr e : relations(states))
        if (e) rows.push_back(e);
    const auto got = values(rows, X);
    r = Eigen::Map<const VectorXd>(got.data(), at(got.size()));
    if (J == nullptr) return;
    std::vector<Expr> atoms = q_;
    atoms.insert(atoms.end(), lambda_.begin(), lambda_.end());
    std::vector<Expr> entries = jacobian_;
    for (std::size_t i = smooth; i < rows.size(); ++i) {
        const auto g = expr::gradient(rows[i], atoms);
        entries.insert(entries.end(), g.begin(), g.end());
    }
    const auto numbers = values(entries, X);
    J->resize(at(rows.size()), X.size());
    for (Index i = 0; i < J->rows(); ++i)
        for (Index j = 0; j < J->cols(); ++j)
            (*J)(i, j) = numbers[static_cast<std::size_t>(i * J->cols() + j)];
}

RestDerivatives RestEquations::derivatives(const SupportStates& states, const VectorXd& X) const {
    const auto table = [&](const std::vector<Expr>& rows, const std::vector<Expr>& atoms) {
        std::vector<Expr> entries;
        for (const Expr e : rows) {
            if (!e) {
                entries.insert(entries.end(), atoms.size(), q_.front().pool().number(0));
                continue;
            }
            const auto g = expr::gradient(e, atoms);
            entries.insert(entries.end(), g.begin(), g.end());
        }
        const auto numbers = values(entries, X);
        MatrixXd result(at(rows.size()), at(atoms.size()));
        for (Index i = 0; i < result.rows(); ++i)
            for (Index j = 0; j < result.cols(); ++j)
                result(i, j) = numbers[static_cast<std::size_t>(i * result.cols() + j)];
        return result;
    };
    std::vector<Expr> positions, rates;
    for (const Support& s : supports_) {
        positions.push_back(s.position);
        rates.push_back(s.rate);
    }
    RestDerivatives d;
    if (!first_order_) {
        const auto mass = values(mass_, X);
        const Index n = at(balance_.size());
        d.M = Eigen::Map<const MatrixXd>(mass.data(), n, n);
        d.K = table(rates_, v_);
    }
    d.by_q = table(balance_, q_);
    d.by_v = table(balance_, v_);
    d.by_force = table(balance_, lambda_);
    d.surface_q = table(positions, q_);
    d.surface_v = table(rates, v_);
    const auto demanded = relations(states);
    d.relation_q = table(demanded, q_);
    d.relation_v = table(demanded, v_);
    d.relation_force = table(demanded, lambda_);
    // Bodies keep their norms.
    const MatrixXd norms = table(norms_, q_);
    if (norms.rows() > 0) {
        d.surface_q.conservativeResize(d.surface_q.rows() + norms.rows(), d.surface_q.cols());
        d.surface_q.bottomRows(norms.rows()) = norms;
    }
    return d;
}

} // namespace liaison::analysis
