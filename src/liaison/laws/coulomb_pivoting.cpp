// SPDX-License-Identifier: Apache-2.0
// The complementarity problem of Stewart and Trinkle, in units of force and acceleration, and Lemke's method on it.
#include "liaison/laws/coulomb_pivoting.hpp"

#include "liaison/solve/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

PivotResult pivot_coulomb(const MatrixXd& D, const VectorXd& free,
                          const std::vector<CoulombContact>& contacts,
                          const std::vector<double>& given) {
    VectorXd load = VectorXd::Zero(free.size());
    for (std::size_t k = 0; k < given.size(); ++k) load(contacts[k].normal) = given[k];
    const VectorXd b = free + D * load;
    // Column of forces by unknown, row of accelerations by complement; σ has neither.
    std::vector<VectorXd> pushes;
    std::vector<VectorXd> sees;
    std::vector<std::size_t> owner;
    std::vector<Index> first; // λ_N by contact
    const auto add = [&](std::size_t k, VectorXd push, VectorXd see) {
        pushes.push_back(std::move(push));
        sees.push_back(std::move(see));
        owner.push_back(k);
    };
    double largest = 0.0;
    double size = 0.0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        const VectorXd normal = VectorXd::Unit(b.size(), c.normal);
        first.push_back(static_cast<Index>(pushes.size()));
        largest = std::max(largest, D(c.normal, c.normal));
        size = std::max(size, std::abs(b(c.normal)));
        if (c.slips == 0) {
            add(k, normal, normal);
            continue;
        }
        const VectorXd slip = VectorXd::Unit(b.size(), c.slip);
        size = std::max(size, std::abs(b(c.slip)));
        if (c.moving) {
            add(k, normal - c.sliding(c.direction(0)) * c.direction(0) * slip, normal);
            continue;
        }
        // β in units of its bound. Friction forwards holds a slip backwards.
        const double forwards = given.empty() ? c.sticking : c.sliding_minus;
        const double backwards = given.empty() ? c.sticking : c.sliding_plus;
        add(k, normal, normal);
        add(k, forwards * slip, forwards * slip);
        add(k, -backwards * slip, -backwards * slip);
        add(k, VectorXd::Zero(b.size()), VectorXd::Zero(b.size()));
    }
    PivotResult result;
    result.force = load;
    if (!(size > 0.0) || !(largest > 0.0)) {
        result.solved = size == 0.0;
        return result;
    }
    const auto n = static_cast<Index>(pushes.size());
    MatrixXd push(b.size(), n);
    MatrixXd see(n, b.size());
    for (Index i = 0; i < n; ++i) {
        push.col(i) = pushes[static_cast<std::size_t>(i)];
        see.row(i) = sees[static_cast<std::size_t>(i)].transpose();
    }
    // Forces in units of size/largest, accelerations in units of size.
    MatrixXd M = see * D * push / largest;
    VectorXd q = see * b / size;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts[k].slips == 0 || contacts[k].moving) continue;
        const Index i = first[k];
        M(i + 1, i + 3) = M(i + 2, i + 3) = 1.0;
        M(i + 3, i) = 1.0;
        M(i + 3, i + 1) = M(i + 3, i + 2) = -1.0;
        if (!given.empty()) q(i + 3) = given[k] * largest / size;
    }
    const auto answer = solve::lemke(M, q);
    result.pivots = answer.pivots;
    if (answer.status == solve::LemkeStatus::ray) {
        for (Index i = 0; i < n; ++i) {
            const std::size_t k = owner[static_cast<std::size_t>(i)];
            if (answer.ray(i) > 0.0 && (result.ray.empty() || result.ray.back() != k))
                result.ray.push_back(k);
        }
        return result;
    }
    if (answer.status != solve::LemkeStatus::solved) return result;
    result.solved = true;
    result.residual = answer.point.residual;
    result.force += push * answer.point.z * (size / largest);
    return result;
}

} // namespace liaison::laws
