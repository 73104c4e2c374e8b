// SPDX-License-Identifier: Apache-2.0
// The saltation formula.
#include "liaison/flow/saltation.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::flow {
namespace {

using Eigen::Index;

// F⁻ = (f⁻, 1, 0)
Eigen::VectorXd augmented(const SaltationInput& input) {
    Eigen::VectorXd F = Eigen::VectorXd::Zero(input.reset.cols());
    F.head(input.before.size()) = input.before;
    F(input.before.size()) = 1.0;
    return F;
}

} // namespace

Saltation saltation(const SaltationInput& input) {
    // Below this share of its terms D is a difference of equal numbers: the motion grazes the guard.
    constexpr double k_tangent = 1e-9;
    Saltation s;
    const Eigen::VectorXd F = augmented(input);
    const Index rows = input.before.size();
    s.speed = input.gradient.dot(F);
    const double terms = input.gradient.cwiseAbs().dot(F.cwiseAbs());
    // |g_z||F| sees a guard whose own terms all vanish at grazing (x' = 0 of the gap x − σ): what its acceleration makes
    // of it in the time of the motion.
    const double scale =
        std::max(terms, input.gradient.head(rows).norm() * input.before.norm() * input.time);
    if (!(std::abs(s.speed) > k_tangent * scale)) {
        s.obstacle = fmt::format("grazing: the guard is reached with speed {:.3g}, neighbouring "
                                 "motions pass it or miss it",
                                 s.speed);
        return s;
    }
    s.instant = -input.gradient / s.speed;
    const Eigen::VectorXd jump = input.after - input.reset * F;
    s.matrix = input.reset.leftCols(rows) - jump * s.instant.head(rows);
    return s;
}

Eigen::VectorXd pass(const SaltationInput& input, const Saltation& s,
                     const Eigen::VectorXd& variation) {
    const double shift = s.instant.dot(variation);
    return input.reset * (variation + augmented(input) * shift) - input.after * shift;
}

} // namespace liaison::flow
