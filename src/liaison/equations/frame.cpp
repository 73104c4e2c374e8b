// SPDX-License-Identifier: Apache-2.0
// Derivatives in extended coordinates, and the search for auxiliary coordinates.
#include "liaison/equations/frame.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::equations {
namespace {

struct NamedPositions {
    std::vector<Expr> nodes;
    std::vector<Expr> rates;
};

// Named nodes below the roots that depend on coordinates or time but on no velocity, with their total
// derivatives.
NamedPositions named_positions(const LagrangianInput& input, std::span<const Expr> roots) {
    expr::NodeSet moving;
    expr::NodeSet fast;
    for (const Expr v : input.v) fast.insert(v.node());
    for (const Expr q : input.q) moving.insert(q.node());
    moving.insert(input.t.node());
    NamedPositions result;
    for (const expr::Node* n : expr::reachable(roots)) {
        bool is_moving = moving.contains(n);
        bool is_fast = fast.contains(n);
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            is_moving = is_moving || moving.contains(n->args[i]);
            is_fast = is_fast || fast.contains(n->args[i]);
        }
        if (is_moving) moving.insert(n);
        if (is_fast) fast.insert(n);
        if (n->op == expr::Op::named && is_moving && !is_fast) result.nodes.emplace_back(n);
    }
    std::vector<Expr> atoms = input.q;
    std::vector<Expr> rates = input.rates.empty() ? input.v : input.rates;
    atoms.push_back(input.t);
    rates.push_back(input.pool->number(1));
    result.rates = expr::differentiate_along(result.nodes, atoms, rates, "'");
    return result;
}

} // namespace

std::vector<Expr> roots_of(const LagrangianInput& input) {
    std::vector<Expr> roots;
    const auto add = [&](Expr e) {
        if (e) roots.push_back(e);
    };
    const auto add_all = [&](const std::vector<Expr>& expressions) {
        for (const Expr e : expressions) add(e);
    };
    add(input.T);
    add(input.V);
    add(input.L);
    add_all(input.lets);
    add_all(input.rates);
    for (const ForceInput& force : input.forces) {
        add_all(force.Q);
        add_all(force.at);
        add_all(force.vector);
    }
    for (const ConstraintInput& constraint : input.constraints) {
        add(constraint.f);
        add_all(constraint.actuator);
        add_all(constraint.slip);
    }
    for (const ContactInput& contact : input.contacts) {
        add(contact.gap);
        add_all(contact.slip);
    }
    return roots;
}

std::vector<Auxiliary> find_auxiliaries(const LagrangianInput& input) {
    const Expr kinetic = input.L ? input.L : input.T;
    if (!kinetic) return {};
    // What occurs in the kinetic energy and depends on a velocity.
    expr::NodeSet below;
    for (const Expr v : input.v) below.insert(v.node());
    for (const expr::Node* n : expr::reachable({&kinetic, 1})) {
        const auto args = Expr(n).args();
        if (std::any_of(args.begin(), args.end(),
                        [&](const expr::Node* a) { return below.contains(a); })) {
            below.insert(n);
        }
    }
    const NamedPositions named = named_positions(input, roots_of(input));
    std::vector<Auxiliary> found;
    expr::NodeSet taken;
    for (std::size_t k = 0; k < named.nodes.size(); ++k) {
        const Expr w = named.rates[k];
        if (w.op() == expr::Op::named && below.contains(w.node()) && taken.insert(w.node())) {
            found.push_back({named.nodes[k], w});
        }
    }
    std::sort(found.begin(), found.end(),
              [](const Auxiliary& a, const Auxiliary& b) { return a.w.id() < b.w.id(); });
    return found;
}

Frame::Frame(const LagrangianInput& input, std::span<const Expr> roots,
             std::vector<Auxiliary> auxiliaries)
    : pool_(input.pool), t_(input.t), n_v_(input.v.size()), q_(input.q), u_(input.v),
      rates_(input.rates.empty() ? input.v : input.rates), auxiliaries_(std::move(auxiliaries)) {
    for (const Auxiliary& a : auxiliaries_) u_.push_back(a.w);
    for (std::uint32_t i = 0; i < u_.size(); ++i) velocity_index_[u_[i].node()] = i;
    for (std::uint32_t i = 0; i < q_.size(); ++i) coordinate_index_[q_[i].node()] = i;
    for (std::uint32_t k = 0; k < auxiliaries_.size(); ++k) {
        coordinate_index_[auxiliaries_[k].p.node()] = static_cast<std::uint32_t>(q_.size()) + k;
    }
    for (const Expr rate : rates_) {
        quasi_ = quasi_ || !velocity_index_.contains(rate.node());
        K_.push_back(velocity_gradient(rate));
    }
    moving_ = q_;
    moving_rates_ = rates_;
    moving_.push_back(t_);
    moving_rates_.push_back(pool_->number(1));
    NamedPositions named = named_positions(input, roots);
    moving_.insert(moving_.end(), named.nodes.begin(), named.nodes.end());
    moving_rates_.insert(moving_rates_.end(), named.rates.begin(), named.rates.end());
}

// Walks down to the atoms and no further.
Frame::Occurring Frame::atoms_of(Expr e) const {
    Occurring found;
    expr::NodeSet seen;
    std::vector<const expr::Node*> stack{e.node()};
    seen.insert(e.node());
    while (!stack.empty()) {
        const expr::Node* n = stack.back();
        stack.pop_back();
        if (const auto it = velocity_index_.find(n); it != velocity_index_.end()) {
            found.velocities.push_back(it->second);
        } else if (const auto at = coordinate_index_.find(n); at != coordinate_index_.end()) {
            found.coordinates.push_back(at->second);
        } else {
            for (std::uint32_t i = 0; i < n->n_args; ++i) {
                if (seen.insert(n->args[i])) stack.push_back(n->args[i]);
            }
        }
    }
    std::sort(found.velocities.begin(), found.velocities.end());
    std::sort(found.coordinates.begin(), found.coordinates.end());
    return found;
}

void Frame::along_velocities(std::size_t coordinate, Expr derivative, RowBuilder& into) const {
    if (coordinate >= q_.size()) {
        into.add(n_v_ + coordinate - q_.size(), derivative);
        return;
    }
    for (const auto& [a, value] : K_[coordinate]) into.add(a, derivative * value);
}

Row Frame::velocity_gradient(Expr e) const {
    const Occurring atoms = atoms_of(e);
    std::vector<Expr> by;
    std::vector<Expr> opaque;
    for (const std::uint32_t i : atoms.velocities) by.push_back(u_[i]);
    for (const std::uint32_t i : atoms.coordinates) opaque.push_back(coordinate(i));
    const auto values = expr::gradient(e, by, {.opaque = opaque});
    Row row;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!values[k].is_zero()) row.push_back({atoms.velocities[k], values[k]});
    }
    return row;
}

Row Frame::position_gradient(Expr e) const {
    const Occurring atoms = atoms_of(e);
    std::vector<Expr> by;
    std::vector<Expr> opaque;
    for (const std::uint32_t i : atoms.coordinates) by.push_back(coordinate(i));
    for (const std::uint32_t i : atoms.velocities) opaque.push_back(u_[i]);
    const auto values = expr::gradient(e, by, {.opaque = opaque});
    RowBuilder builder(*pool_, size());
    for (std::size_t k = 0; k < values.size(); ++k)
        along_velocities(atoms.coordinates[k], values[k], builder);
    return builder.row();
}

Frame::Gradients Frame::gradients(Expr e) const {
    std::vector<Expr> atoms = u_;
    for (std::size_t i = 0; i < q_.size() + auxiliaries_.size(); ++i)
        atoms.push_back(coordinate(i));
    const auto values = expr::gradient(e, atoms);
    RowBuilder builder(*pool_, size());
    for (std::size_t i = 0; i < q_.size() + auxiliaries_.size(); ++i)
        along_velocities(i, values[size() + i], builder);
    return {{values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size())},
            builder.dense()};
}

std::vector<Expr> Frame::drift(std::span<const Expr> expressions) const {
    // Named velocities that are looked through get a name of their own: their drift is not their rate.
    return expr::differentiate_along(expressions, moving_, moving_rates_, "_drift", {.opaque = u_});
}

} // namespace liaison::equations
