// SPDX-License-Identifier: Apache-2.0
// Two small steps of Moreau's problem and what their solutions tend to.
#include "liaison/laws/tangential_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_step = 1e-6; // h b as a share of the velocities
constexpr double k_none = 1e-4; // an impulse that is none, as a share of what velocities ask for
constexpr double k_still = 1e-12; // a velocity that is zero, as a share of those before

// Coulomb's law on the slip after the impact, with the coefficient of the slip before.
CoulombContact cone_of(const ImpactContact& c) {
    CoulombContact cone = c.contact;
    const bool backwards = cone.moving && cone.slips == 1 && cone.direction(0) < 0.0;
    cone.sliding_plus = cone.sliding_minus = cone.sticking = cone.sliding(backwards ? -1.0 : 1.0);
    cone.moving = false;
    return cone;
}

struct Scales {
    double speed = 0.0;
    double pull = 0.0;
    double response = 0.0;
};

Scales scales(const MatrixXd& D, const VectorXd& w, const VectorXd& b,
              const std::vector<CoulombContact>& cones) {
    Scales s;
    const auto measure = [&](Index row) {
        s.speed = std::max(s.speed, std::abs(w(row)));
        s.pull = std::max(s.pull, std::abs(b(row)));
        s.response = std::max(s.response, D(row, row));
    };
    for (const CoulombContact& c : cones) {
        measure(c.normal);
        for (int j = 0; j < c.slips; ++j) measure(c.slip + j);
    }
    return s;
}

// The solution with the same modes whose forces are nearest.
const CoulombSolution* same_modes(const CoulombAnswer& answer, const CoulombLabel& label) {
    const CoulombSolution* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const CoulombSolution& s : answer.solutions) {
        if (s.best().mode != label.mode) continue;
        const double distance = (s.best().force - label.force).norm();
        if (distance < least) {
            least = distance;
            nearest = &s;
        }
    }
    return nearest;
}

// What a mode makes zero is zero, and what is next to it as well.
void settle(const CoulombContact& rows, ContactMode mode, double still, VectorXd& after) {
    double& rate = after(rows.normal);
    if (mode != ContactMode::open || std::abs(rate) <= still) rate = 0.0;
    auto slip = after.segment(rows.slip, rows.slips);
    if (mode == ContactMode::stick || slip.norm() <= still) slip.setZero();
}

// Of a contact that takes no part.
ContactMode seen(const CoulombContact& rows, const VectorXd& after) {
    if (after(rows.normal) > 0.0) return ContactMode::open;
    if (rows.slips == 0) return ContactMode::closed;
    return rows.moving ? ContactMode::slip_plus : ContactMode::stick;
}

} // namespace

std::optional<FrictionCollision> tangential_limit(const MatrixXd& D, const VectorXd& w,
                                                  const VectorXd& b,
                                                  const std::vector<ImpactContact>& contacts,
                                                  const std::vector<std::size_t>& members) {
    std::vector<CoulombContact> cones;
    for (const std::size_t k : members) cones.push_back(cone_of(contacts[k]));
    const Scales s = scales(D, w, b, cones);
    // From rest no tangential impact can start: there is no energy for it (theory 02 §4).
    if (!(s.speed > 0.0)) return std::nullopt;
    const double h = s.pull > 0.0 ? k_step * s.speed / s.pull : 0.0;
    const CoulombAnswer whole = solve_coulomb(D, w + h * b, cones);
    const CoulombAnswer half = solve_coulomb(D, w + 0.5 * h * b, cones);

    std::optional<FrictionCollision> best;
    std::ptrdiff_t most = -1;
    std::size_t limits = 0;
    for (const CoulombSolution& solution : whole.solutions) {
        const CoulombLabel& label = solution.best();
        const CoulombSolution* closer = same_modes(half, label);
        if (closer == nullptr) continue;
        FrictionCollision c;
        c.before = w;
        c.impulse = 2.0 * closer->best().force - label.force;
        const double rounding = 1e-14 * c.impulse.cwiseAbs().maxCoeff();
        for (double& p : c.impulse) p = std::abs(p) > rounding ? p : 0.0;
        if (!(s.response * c.impulse.cwiseAbs().maxCoeff() > k_none * s.speed)) continue;
        c.after = w + D * c.impulse;
        for (const ImpactContact& contact : contacts)
            c.mode.push_back(seen(contact.contact, c.after));
        for (std::size_t j = 0; j < members.size(); ++j) {
            settle(cones[j], label.mode[j], k_still * s.speed, c.after);
            c.mode[members[j]] = label.mode[j];
        }
        // Rounding of a problem next to its singular set is no solution.
        const double size = (c.before.cwiseAbs() + c.after.cwiseAbs()).dot(c.impulse.cwiseAbs());
        if (c.energy() > 1e-9 * size) continue;
        ++limits;
        const std::ptrdiff_t sticking = std::ranges::count(label.mode, ContactMode::stick);
        if (sticking <= most) continue;
        most = sticking;
        c.contact = members.front();
        for (const std::size_t k : members) {
            if (c.impulse(contacts[k].contact.normal) >
                c.impulse(contacts[c.contact].contact.normal))
                c.contact = k;
        }
        best = std::move(c);
    }
    if (best) {
        best->solutions = limits;
        best->certified = whole.complete && half.complete;
    }
    return best;
}

} // namespace liaison::laws
