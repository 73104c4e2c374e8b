// SPDX-License-Identifier: Apache-2.0
// Is a rest position stable? Each answer with the argument that gives it, and none where no argument does.
#include "liaison/analysis/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

// How the supports carry the rest position.
struct Carrying {
    std::string obstacle; // a support at the end of what it can hold
    bool contacts = false;
    bool friction = false; // holds by friction or a relay on a surface of velocities
    bool slides = false; // rubs on a moving body
    bool relay_surface = false; // a relay kept on a surface of positions
};

Carrying carrying(const std::vector<Support>& supports, const Equilibrium& e) {
    Carrying result;
    double scale = 1e-300;
    for (const double f : e.forces) scale = std::max(scale, std::abs(f));
    for (std::size_t k = 0; k < supports.size(); ++k) {
        const Support& s = supports[k];
        if (e.states[k] == SupportState::slides) result.slides = true;
        if (s.kind == SupportKind::normal && e.states[k] == SupportState::absent &&
            std::abs(e.gaps[k]) < 1e-9 && result.obstacle.empty())
            result.obstacle = fmt::format("{} touches without carrying anything", s.name);
        if (e.states[k] != SupportState::holds) continue;
        if (s.kind == SupportKind::normal) {
            result.contacts = true;
            if (e.forces[k] <= 1e-9 * scale && result.obstacle.empty())
                result.obstacle = fmt::format("{} touches without carrying anything", s.name);
        }
        if (s.kind == SupportKind::tangential || (s.kind == SupportKind::relay && !s.holonomic)) {
            result.friction = true;
            double square = 0.0;
            for (std::size_t j = 0; j < supports.size(); ++j) {
                if (j == k || (s.kind == SupportKind::tangential && supports[j].owner == s.owner &&
                               supports[j].kind == SupportKind::tangential))
                    square += e.forces[j] * e.forces[j];
            }
            if (std::sqrt(square) >= e.bound[k] * (1.0 - 1e-9) && result.obstacle.empty())
                result.obstacle = fmt::format("{} is at the end of what it can hold", s.name);
        } else if (s.kind == SupportKind::relay) {
            result.relay_surface = true;
        }
    }
    return result;
}

} // namespace

void EquilibriumSearch::judge(Equilibrium& e) const {
    const auto decide = [&](Verdict verdict, std::string reason) {
        e.verdict = verdict;
        e.reason = std::move(reason);
    };
    const auto& motions = e.motions;
    const Carrying carried = carrying(rest_.supports(), e);
    double size = 0.0;
    for (const auto& lambda : motions.eigenvalues) size = std::max(size, std::abs(lambda));
    const double zero = 1e-7 * std::max(size, 1e-300);
    const bool grows = !motions.eigenvalues.empty() && motions.eigenvalues.front().real() > zero;
    // One zero per direction of the set is the set itself.
    std::size_t zeros = 0;
    for (const auto& lambda : motions.eigenvalues) zeros += lambda.real() >= -zero ? 1 : 0;

    if (e.degenerate)
        return decide(Verdict::not_decided,
                      "several rest positions meet here: the stiffness vanishes in some direction");
    if (grows) {
        const auto lambda = motions.eigenvalues.front();
        decide(Verdict::unstable,
               fmt::format("small disturbances grow: eigenvalue {:.6g}{}", lambda.real(),
                           lambda.imag() != 0.0 ? fmt::format(" ± {:.6g}i", std::abs(lambda.imag()))
                                                : std::string()));
        return;
    }
    if (!carried.obstacle.empty()) return decide(Verdict::not_decided, carried.obstacle);
    if (carried.friction)
        return decide(Verdict::not_decided,
                      "it stays at rest, friction being strictly inside its bound, and so do the "
                      "rest positions nearby; what larger disturbances do, linearisation does not "
                      "tell");
    if (carried.relay_surface)
        return decide(Verdict::not_decided,
                      zeros == 0
                          ? "motions on the surface of the relay decay; how they reach it is "
                            "not told by linearisation"
                          : "a relay holds it on its surface");
    if (rest_.first_order()) {
        if (zeros == 0)
            return decide(Verdict::asymptotically_stable,
                          "all eigenvalues have negative real part");
        return decide(Verdict::not_decided, "an eigenvalue lies on the imaginary axis");
    }

    // The energy argument: V − T₀ has a strict minimum on the admissible positions and no force adds energy
    // (Lagrange and Dirichlet; Kelvin and Chetaev with linear damping; pressed contacts make the minimum strict
    // across them, and impacts take energy).
    const ForceClass& forces = rest_.forces();
    const bool no_source =
        forces.positional_forces_have_potential &&
        (!forces.velocity_forces || (forces.velocity_forces_linear && motions.dissipative));
    bool restitution_fits = true;
    for (std::size_t k = 0; k < e.states.size(); ++k) {
        const Support& s = rest_.supports()[k];
        if (s.kind != SupportKind::normal || e.states[k] != SupportState::holds) continue;
        const auto& law = model_.contacts[s.contact].restitution;
        if (!law) continue;
        Eigen::VectorXd X(static_cast<Eigen::Index>(e.q.size() + e.forces.size()));
        for (std::size_t i = 0; i < e.q.size(); ++i) X(static_cast<Eigen::Index>(i)) = e.q[i];
        for (std::size_t i = 0; i < e.forces.size(); ++i)
            X(static_cast<Eigen::Index>(e.q.size() + i)) = e.forces[i];
        restitution_fits &= rest_.value(law.expr, X) <= 1.0;
    }
    const bool minimum = motions.stiffness && motions.symmetric && !carried.slides &&
                         (motions.stiffness->size() == 0 ||
                          (*motions.stiffness)(0) >
                              1e-9 * std::max(1e-300, motions.stiffness->cwiseAbs().maxCoeff()));
    if (carried.contacts) {
        if (minimum && no_source && restitution_fits)
            return decide(
                Verdict::stable,
                motions.freedom == 0
                    ? "contacts leave no freedom and all are pressed: the potential has a "
                      "strict minimum among the positions they admit"
                    : "all contacts are pressed and the potential has a strict minimum "
                      "among the positions they admit");
        return decide(Verdict::not_decided,
                      zeros == 0 ? "motions that keep the contacts closed decay; those that open "
                                   "them are not told by linearisation"
                                 : "linearisation on the closed contacts does not decide");
    }
    if (zeros == 0 && !motions.eigenvalues.empty())
        return decide(Verdict::asymptotically_stable, "all eigenvalues have negative real part");
    if (minimum && no_source)
        return decide(Verdict::stable, motions.freedom == 0
                                           ? "the constraints leave no freedom"
                                           : "the potential has a strict minimum (Lagrange and "
                                             "Dirichlet)");
    if (motions.stiffness && motions.stiffness->size() > 0 && !minimum)
        return decide(Verdict::not_decided,
                      fmt::format("no eigenvalue grows, but the potential has no strict minimum to "
                                  "second order (least stiffness {:.3g})",
                                  (*motions.stiffness)(0)));
    decide(Verdict::not_decided, "no eigenvalue grows and none of the energy arguments applies");
}

} // namespace liaison::analysis
