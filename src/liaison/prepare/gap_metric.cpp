// SPDX-License-Identifier: Apache-2.0
// Whether the gap of a rough contact is measured in the unit of length of its slip.
//
// Coulomb's law compares the force along the gap with that along the slip. A gap k times the distance has a reaction 1/k of the
// force, and the friction is 1/k of what was meant. Coordinates alone do not say what a distance is, but translations do: their
// kinetic energy is the same in all directions, so that velocities of equal inertia without coupling belong to one space, and
// they act on gap and slip alike in all positions, which rotations do not;
// there the normal W_N = ∂ġ/∂v and the tangent W_T = ∂s/∂v of one contact point have the same length. Several bodies of one
// mass make one such space; two measures of length, that of the vector and that of its largest component, must tell the same
// factor before it is told.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {
namespace {

using Eigen::Index;

// Groups of velocities with one inertia and without coupling, of two and more.
std::vector<std::vector<Index>> translations(const Eigen::MatrixXd& M) {
    constexpr double k_same = 1e-12;
    std::vector<std::vector<Index>> groups;
    std::vector<char> taken(static_cast<std::size_t>(M.rows()), 0);
    for (Index i = 0; i < M.rows(); ++i) {
        if (taken[static_cast<std::size_t>(i)] != 0) continue;
        std::vector<Index> group{i};
        for (Index j = i + 1; j < M.rows(); ++j) {
            const bool alike = std::abs(M(j, j) - M(i, i)) <= k_same * M(i, i);
            const bool apart = std::ranges::all_of(
                group, [&](Index k) { return std::abs(M(j, k)) <= k_same * M(i, i); });
            if (taken[static_cast<std::size_t>(j)] == 0 && alike && apart) group.push_back(j);
        }
        for (const Index k : group) taken[static_cast<std::size_t>(k)] = 1;
        if (group.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
}

struct Lengths {
    double norm = 0.0;
    double largest = 0.0;
};

Lengths lengths(const Eigen::VectorXd& row, const std::vector<Index>& group) {
    Lengths result;
    for (const Index k : group) {
        result.norm = std::hypot(result.norm, row(k));
        result.largest = std::max(result.largest, std::abs(row(k)));
    }
    return result;
}

} // namespace

void check_gap_metric(Work& work) {
    const bool rough = std::ranges::any_of(
        work.model.contacts, [](const model::Contact& c) { return bool(c.friction); });
    if (!rough) return;
    const Eigen::MatrixXd M = kinetic_metric(work);
    if (M.size() == 0) return;
    const auto groups = translations(M);
    const auto depends_on_place = [&](expr::Expr e) {
        return std::ranges::any_of(work.model.coordinates,
                                   [&](const auto& c) { return expr::depends_on(e, c.q); });
    };
    std::vector<expr::Expr> velocities;
    for (const auto& velocity : work.model.velocities) velocities.push_back(velocity.v);
    for (const model::Contact& contact : work.model.contacts) {
        if (!contact.friction || contact.slip.empty()) continue;
        const model::Formula& gap = contact.sides.front().gap;
        const std::vector<expr::Expr> rates{work.rate_of(gap.expr), contact.slip.front().expr};
        const Eigen::MatrixXd rows = work.jacobian(rates, velocities);
        if (!rows.allFinite()) continue;
        for (const auto& group : groups) {
            const bool turns = std::ranges::any_of(group, [&](Index k) {
                const expr::Expr v = velocities[static_cast<std::size_t>(k)];
                return std::ranges::any_of(rates, [&](expr::Expr rate) {
                    return depends_on_place(expr::differentiate(rate, v));
                });
            });
            if (turns) continue;
            const Lengths normal = lengths(rows.row(0), group);
            const Lengths tangent = lengths(rows.row(1), group);
            if (!(normal.norm > 0.0 && tangent.norm > 0.0)) continue;
            const double factor = normal.norm / tangent.norm;
            const double other = normal.largest / tangent.largest;
            constexpr double k_same = 1e-9;
            if (std::abs(factor - other) > k_same * factor || std::abs(factor - 1.0) <= k_same)
                continue;
            work.diagnostics
                .report(base::Code::units_do_not_fit,
                        fmt::format("the gap of contact {} is {:.6g} times a length", contact.name,
                                    factor))
                .at(gap.span, fmt::format("moves {:.6g} times as fast as the slip when the body is "
                                          "pushed as far",
                                          factor))
                .see(contact.slip.front().span, "measured against this slip")
                .note(
                    fmt::format("Coulomb's law compares forces along both, and friction acts with "
                                "{:.6g} of its coefficient: divide the gap by {:.6g}, or multiply "
                                "the slip by it",
                                1.0 / factor, factor));
            break;
        }
    }
}

} // namespace liaison::prepare
