// SPDX-License-Identifier: Apache-2.0
// Sequential and simultaneous impacts with friction.
#include "liaison/laws/friction_impact.hpp"

#include "liaison/laws/spatial_impact.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t next_contact(const VectorXd& w, const std::vector<ImpactContact>& contacts,
                         const NormalImpactOptions& options) {
    std::size_t chosen = contacts.size();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::size_t i = options.order == Order::reverse ? contacts.size() - 1 - k : k;
        const double rate = w(contacts[i].contact.normal);
        if (!(rate < -options.rate_tolerance)) continue;
        if (chosen == contacts.size()) chosen = i;
        if (options.order != Order::deepest) break;
        if (rate < w(contacts[chosen].contact.normal)) chosen = i;
    }
    return chosen;
}

// Moreau's law for all contacts together. Several solutions: the one that loses least energy is no better than
// another; the first with most sticking contacts is taken and the number reported.
FrictionCollisions simultaneous(const MatrixXd& D, const VectorXd& w,
                                const std::vector<ImpactContact>& contacts, bool plastic) {
    FrictionCollisions result;
    VectorXd target = w;
    std::vector<CoulombContact> cones;
    for (const ImpactContact& c : contacts) {
        const double e = plastic ? 0.0 : c.restitution;
        target(c.contact.normal) += e * std::min(w(c.contact.normal), 0.0);
        CoulombContact cone = c.contact;
        cone.moving = false;
        // Coulomb's law on the slip after the impact knows one coefficient.
        cone.sticking = cone.sliding_plus;
        cones.push_back(cone);
    }
    const CoulombAnswer answer = solve_coulomb(D, target, cones);
    if (answer.solutions.empty()) {
        result.solved = false;
        result.reason =
            answer.complete
                ? "the complementarity problem of the impact has no solution"
                : "the complementarity problem of the impact is too large: " + answer.note;
        return result;
    }
    const auto best =
        std::max_element(answer.solutions.begin(), answer.solutions.end(),
                         [](const CoulombSolution& x, const CoulombSolution& y) {
                             return std::ranges::count(x.best().mode, ContactMode::stick) <
                                    std::ranges::count(y.best().mode, ContactMode::stick);
                         });
    FrictionCollision c;
    c.before = w;
    c.impulse = best->best().force;
    c.after = w + D * c.impulse;
    c.mode = best->best().mode;
    c.solutions = answer.solutions.size();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& rows = contacts[k].contact;
        const double e = plastic ? 0.0 : contacts[k].restitution;
        // What the law makes zero is zero.
        if (c.mode[k] != ContactMode::open)
            c.after(rows.normal) = -e * std::min(w(rows.normal), 0.0);
        if (c.mode[k] == ContactMode::stick) c.after.segment(rows.slip, rows.slips).setZero();
        if (c.impulse(rows.normal) > c.impulse(contacts[c.contact].contact.normal)) c.contact = k;
    }
    result.after = c.after;
    result.collisions.push_back(std::move(c));
    return result;
}

// The impact of one contact by its own law, in the plane or in space.
FrictionImpact followed_through(const MatrixXd& D, const VectorXd& w, const ImpactContact& c) {
    const Index n = c.contact.normal;
    const Index t = c.contact.slip;
    const double u = std::min(w(n), 0.0);
    if (c.contact.slips == 1) {
        const PlanarContact planar{D(n, n), D(n, t), D(t, t), c.contact.sliding(w(t)),
                                   c.contact.sticking};
        return planar_impact(planar, u, w(t), c.restitution, c.law);
    }
    SpatialContact spatial{.sliding = c.contact.sliding_plus, .sticking = c.contact.sticking};
    const std::vector<Index> rows{n, t, t + 1};
    spatial.D = D(rows, rows);
    return spatial_impact(spatial, u, w.segment(t, 2), c.restitution, c.law);
}

} // namespace

FrictionCollision single_impact(const MatrixXd& D, const VectorXd& w,
                                const std::vector<ImpactContact>& contacts, std::size_t index) {
    const ImpactContact& c = contacts[index];
    const Index n = c.contact.normal;
    const Index t = c.contact.slip;
    FrictionCollision result;
    result.contact = index;
    result.before = w;
    result.impulse = VectorXd::Zero(w.size());
    if (c.contact.slips == 0) {
        result.impulse(n) = -(1.0 + c.restitution) * w(n) / D(n, n);
        result.after = w + D * result.impulse;
        result.after(n) = -c.restitution * w(n);
        return result;
    }
    FrictionImpact impact = followed_through(D, w, c);
    result.impulse(n) = impact.normal;
    result.impulse.segment(t, c.contact.slips) = impact.tangential.head(c.contact.slips);
    result.after = w + D * result.impulse;
    result.after(n) = impact.normal_rate;
    result.after.segment(t, c.contact.slips) = impact.slip.head(c.contact.slips);
    result.course = std::move(impact);
    return result;
}

FrictionCollisions friction_impact(const MatrixXd& D, const VectorXd& w,
                                   const std::vector<ImpactContact>& contacts,
                                   const NormalImpactOptions& options) {
    if (options.rule != ImpactRule::sequential) return simultaneous(D, w, contacts, false);
    FrictionCollisions result;
    result.after = w;
    for (std::size_t i = next_contact(w, contacts, options); i < contacts.size();
         i = next_contact(result.after, contacts, options)) {
        if (static_cast<int>(result.collisions.size()) >= options.cap) {
            // Inelastic collapse: what is left is finished without restitution.
            FrictionCollisions rest = simultaneous(D, result.after, contacts, true);
            result.collapsed = true;
            result.solved = rest.solved;
            result.reason = std::move(rest.reason);
            if (!rest.solved) return result;
            result.after = rest.after;
            result.collisions.push_back(std::move(rest.collisions.front()));
            break;
        }
        FrictionCollision c = single_impact(D, result.after, contacts, i);
        if (c.course && !c.course->finished) {
            result.solved = false;
            result.reason = "an impact with friction does not end";
            return result;
        }
        result.after = c.after;
        result.collisions.push_back(std::move(c));
    }
    return result;
}

} // namespace liaison::laws
