// SPDX-License-Identifier: Apache-2.0
// Sizes read off the starts, middles and ends of the legs.
#include "liaison/analysis/orbit_scales.hpp"

#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A component that is zero wherever it was looked at is measured by what its rate makes of it in a period, and where
// that is zero too by the largest of the others: nothing depends on it.
VectorXd state_sizes(const flow::SaltationRule& rule, const OrbitEquations& equations,
                     PieceMap* pieces) {
    VectorXd size = VectorXd::Zero(equations.legs().front().w.size());
    VectorXd rate = size;
    const auto see = [&](const VectorXd& w) { size = size.cwiseMax(w.cwiseAbs()).eval(); };
    for (std::size_t i = 0; i < equations.legs().size(); ++i) {
        const Leg& leg = equations.legs()[i];
        const LegEnd& end = equations.ends()[i];
        see(leg.w);
        see(end.piece.w);
        rate = rate.cwiseMax(rule.field(end.piece.instant).cwiseAbs()).eval();
        if (pieces == nullptr || !(leg.duration > 0.0)) continue;
        const PieceEnd middle = pieces->run(leg.time, leg.w, leg.mode, 0.5 * leg.duration);
        if (middle.reached) see(middle.w);
    }
    constexpr double k_none = 1e-9; // of what the rate makes of it
    for (Index c = 0; c < size.size(); ++c) {
        const double made = rate(c) * equations.period();
        if (!(size(c) > k_none * made)) size(c) = made;
    }
    const double largest = size.size() > 0 ? size.maxCoeff() : 0.0;
    for (double& s : size) {
        if (!(s > 0.0)) s = largest > 0.0 ? largest : 1.0;
    }
    return size;
}

} // namespace

OrbitScales orbit_scales(const flow::SaltationRule& rule, const OrbitEquations& equations,
                         PieceMap* pieces) {
    OrbitScales scales;
    scales.state = state_sizes(rule, equations, pieces);
    const Index n = equations.unknowns().size();
    const Index rows = scales.state.size();
    scales.unknowns.resize(n);
    scales.residual.resize(n);
    for (Index k = 0; k < n; ++k) {
        const Index c = k % (rows + 1);
        if (c < rows) {
            scales.unknowns(k) = scales.state(c);
            scales.residual(k) = scales.state(c);
            continue;
        }
        scales.unknowns(k) = equations.period();
        const auto leg = static_cast<std::size_t>(k / (rows + 1));
        const flow::Instant& end = equations.ends()[leg].piece.instant;
        // A guard, or the phase condition: a unit vector along the motion.
        const auto& fired = equations.legs()[leg].fired;
        const VectorXd g = fired.empty()
                               ? VectorXd(rule.field(end).normalized())
                               : VectorXd(rule.gradient(fired.front().guard, end).transpose());
        const double size = g.head(rows).cwiseAbs().dot(scales.state);
        scales.residual(k) = size > 0.0 && std::isfinite(size) ? size : 1.0;
    }
    return scales;
}

OrbitScales orbit_scales_at_unknowns(const flow::SaltationRule& rule, OrbitEquations& equations,
                                     PieceMap& pieces) {
    const VectorXd X = equations.unknowns();
    VectorXd r;
    equations(X, r, nullptr);
    if (r.allFinite()) return orbit_scales(rule, equations, &pieces);
    return {VectorXd::Ones(equations.legs().front().w.size()), VectorXd::Ones(X.size()),
            VectorXd::Ones(X.size())};
}

} // namespace liaison::analysis
