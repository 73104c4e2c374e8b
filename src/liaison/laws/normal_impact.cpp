// SPDX-License-Identifier: Apache-2.0
// The three rules for impacts without friction.
#include "liaison/laws/normal_impact.hpp"

#include "liaison/solve/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Collision collision(const MatrixXd& D, const VectorXd& before, VectorXd impulse) {
    Collision c;
    c.rate_before = before;
    c.rate_after = before + D * impulse;
    c.energy = 0.5 * (c.rate_after + before).dot(impulse);
    Index largest = 0;
    impulse.maxCoeff(&largest);
    c.contact = static_cast<std::size_t>(largest);
    c.impulse = std::move(impulse);
    return c;
}

// 0 ≤ Λ ⊥ D Λ + target ≥ 0; D is positive semidefinite, so Lemke's method decides.
bool complementarity(const MatrixXd& D, const VectorXd& target, VectorXd& impulse) {
    const auto answer = solve::lemke(D, target);
    if (answer.status != solve::LemkeStatus::solved) return false;
    impulse = answer.point.z;
    return true;
}

Index next_contact(const VectorXd& rates, const NormalImpactOptions& options) {
    const double limit = -options.rate_tolerance;
    Index chosen = -1;
    for (Index k = 0; k < rates.size(); ++k) {
        const Index i = options.order == Order::reverse ? rates.size() - 1 - k : k;
        if (!(rates(i) < limit)) continue;
        if (chosen < 0) chosen = i;
        if (options.order != Order::deepest) break;
        if (rates(i) < rates(chosen)) chosen = i;
    }
    return chosen;
}

// Two contacts that are struck in turn: the map of both collisions on their rates has the determinant e_i e_j and the
// trace (1 + e_i)(1 + e_j) D_ij²/(D_ii D_jj) − e_i − e_j. With real eigenvalues they never end, otherwise it turns the
// rates, by however little, until neither approaches (theory of many contacts §4.3).
bool never_ends(const MatrixXd& D, const VectorXd& e, Index i, Index j) {
    const double trace =
        (1.0 + e(i)) * (1.0 + e(j)) * D(i, j) * D(i, j) / (D(i, i) * D(j, j)) - e(i) - e(j);
    return trace >= 2.0 * std::sqrt(e(i) * e(j));
}

// Collisions that ended because the approach had become too small to tell from none, one smaller than the other: there
// are infinitely many of them, unless the last ones were of two contacts whose collisions end.
bool fades(const NormalImpact& impact, const MatrixXd& D, const VectorXd& rates,
           const VectorXd& e) {
    constexpr double k_faded = 1e-9; // of the first approach
    if (impact.collisions.size() < 3) return false;
    const auto struck = [&](std::size_t before) {
        return static_cast<Index>(impact.collisions[impact.collisions.size() - 1 - before].contact);
    };
    const Collision& last = impact.collisions.back();
    const double approach = -last.rate_before(struck(0));
    if (approach > k_faded * rates.cwiseAbs().maxCoeff()) return false;
    for (std::size_t i = 0; i + 2 < impact.collisions.size() && i < 4; ++i) {
        if (struck(i) != struck(i + 2)) return true;
    }
    return never_ends(D, e, struck(0), struck(1));
}

NormalImpact sequential(const MatrixXd& D, const VectorXd& rates, const VectorXd& e,
                        const NormalImpactOptions& options) {
    NormalImpact result;
    result.impulse = VectorXd::Zero(rates.size());
    result.rate_after = rates;
    for (Index i = next_contact(rates, options); i >= 0;
         i = next_contact(result.rate_after, options)) {
        VectorXd impulse = VectorXd::Zero(rates.size());
        if (static_cast<int>(result.collisions.size()) >= options.cap) {
            // Inelastic collapse: what is left is finished without restitution.
            result.collapsed = true;
            if (!complementarity(D, result.rate_after, impulse)) {
                result.solved = false;
                result.reason = "the sequence of collisions does not end and its plastic "
                                "completion has no solution";
                return result;
            }
        } else {
            impulse(i) = -(1.0 + e(i)) * result.rate_after(i) / D(i, i);
        }
        Collision c = collision(D, result.rate_after, std::move(impulse));
        // The struck contact leaves with exactly −e γ; rounding must not make it approach again.
        if (!result.collapsed) c.rate_after(i) = -e(i) * result.rate_after(i);
        result.rate_after = c.rate_after;
        result.impulse += c.impulse;
        result.collisions.push_back(std::move(c));
        if (result.collapsed) break;
    }
    result.collapsed = result.collapsed || fades(result, D, rates, e);
    return result;
}

NormalImpact simultaneous(const MatrixXd& D, const VectorXd& rates, const VectorXd& e) {
    NormalImpact result;
    VectorXd impulse;
    const VectorXd target = rates + e.cwiseProduct(rates.cwiseMin(0.0));
    if (!complementarity(D, target, impulse)) {
        result.solved = false;
        result.reason = "the contacts cannot all stop approaching: the complementarity problem of "
                        "the impact has no solution";
        return result;
    }
    result.collisions.push_back(collision(D, rates, impulse));
    result.impulse = impulse;
    result.rate_after = result.collisions.back().rate_after;
    return result;
}

NormalImpact poisson(const MatrixXd& D, const VectorXd& rates, const VectorXd& e) {
    NormalImpact compression = simultaneous(D, rates, VectorXd::Zero(rates.size()));
    if (!compression.solved) return compression;
    const VectorXd returned = e.cwiseProduct(compression.impulse);
    VectorXd more;
    NormalImpact result;
    if (!complementarity(D, compression.rate_after + D * returned, more)) {
        result.solved = false;
        result.reason = "the expansion phase of the impact has no solution";
        return result;
    }
    result.collisions.push_back(collision(D, rates, compression.impulse + returned + more));
    result.impulse = result.collisions.back().impulse;
    result.rate_after = result.collisions.back().rate_after;
    return result;
}

} // namespace

NormalImpact normal_impact(const MatrixXd& D, const VectorXd& rates, const VectorXd& restitution,
                           const NormalImpactOptions& options) {
    switch (options.rule) {
    case ImpactRule::simultaneous: {
        NormalImpact together = simultaneous(D, rates, restitution);
        const double created = together.solved ? together.collisions.front().energy : 0.0;
        // Newton's law never creates energy where all contacts approach or rest (rounding apart).
        const double scale = rates.cwiseAbs().maxCoeff() * together.impulse.cwiseAbs().sum();
        if (!(created > 1e-12 * scale) || !(rates.maxCoeff() > options.rate_tolerance))
            return together;
        NormalImpact result = sequential(D, rates, restitution, options);
        result.energy_avoided = created;
        return result;
    }
    case ImpactRule::poisson: return poisson(D, rates, restitution);
    case ImpactRule::sequential: break;
    }
    NormalImpact result = sequential(D, rates, restitution, options);
    // The outcome of a sequence may depend on its order; say by how much where that is cheap to know.
    constexpr Index k_most_compared = 8;
    if (rates.size() > 1 && rates.size() <= k_most_compared && result.solved) {
        NormalImpactOptions declared = options;
        declared.order = Order::declared;
        NormalImpactOptions reverse = options;
        reverse.order = Order::reverse;
        const VectorXd a = sequential(D, rates, restitution, declared).rate_after;
        const VectorXd b = sequential(D, rates, restitution, reverse).rate_after;
        result.order_difference = (a - b).cwiseAbs().maxCoeff();
    }
    return result;
}

} // namespace liaison::laws
