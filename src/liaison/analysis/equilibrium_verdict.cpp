// SPDX-License-Identifier: Apache-2.0
// Is a rest position stable? Each answer with the argument that gives it, and none where no argument does.
#include "liaison/analysis/equilibrium.hpp"
#include "liaison/analysis/rest_carrying.hpp"
#include "liaison/analysis/rest_surroundings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

// Eigenvalues that neither grow nor decay, and those among them that are zero.
struct Neutral {
    std::size_t all = 0;
    std::size_t zeros = 0;
};

Neutral neutral(const SmallMotions& motions, double zero) {
    Neutral result;
    for (const auto& lambda : motions.eigenvalues) {
        if (lambda.real() < -zero) continue;
        ++result.all;
        result.zeros += std::abs(lambda) <= zero ? 1 : 0;
    }
    return result;
}

// The rate that the forces near this place alone would give to the inertia they act on, as a size.
double own_rate(const RestDerivatives& d) {
    const double stiffness = d.by_q.size() > 0 ? d.by_q.cwiseAbs().maxCoeff() : 0.0;
    if (d.M.size() == 0) return stiffness;
    const double mass = d.M.diagonal().cwiseAbs().maxCoeff();
    return mass > 0.0 ? std::sqrt(stiffness / mass) : 0.0;
}

struct Judgement {
    Verdict verdict = Verdict::not_decided;
    std::string reason;
};

// Rest by friction. While it sticks, small motions are those of the linearisation, with one eigenvalue zero per
// dimension of the set. With λ the forces that would keep all slips s at zero and G their response matrix, the energy of
// slip ½ sᵀG⁻¹s changes by Σ(λ·s − F|s|) ≤ −(least reserve)|s|: a small slip ends within a time, and over a way, of its
// own size, and near rest it does not begin again. That needs pressures that do not answer to the slip, forces along
// their slips (one alone needs only to push towards its surface), and bounces that die out, or each flight carries the
// body a little further. Where motions that stick neither grow nor decay their energy decides: with path length L of the
// slip T + V + F L does not increase, and V + F L has a strict minimum at rest.
Judgement held_by_friction(const Equilibrium& e, const Carrying& carried, const ForceClass& forces,
                           const Neutral& n) {
    if (!carried.set_off.empty()) {
        if (carried.held == 1 && carried.coupling.empty())
            return {Verdict::unstable, carried.set_off + ": the smallest push sets it off"};
        return {Verdict::not_decided, carried.coupling.empty()
                                          ? carried.set_off
                                          : carried.set_off + ", but " + carried.coupling};
    }
    if (!carried.coupling.empty())
        return {
            Verdict::not_decided,
            fmt::format("it stays at rest, friction being strictly inside its bound ({}), and so "
                        "do the rest positions nearby; but {}, so that a small slip or bounce "
                        "may grow",
                        carried.reserve, carried.coupling)};
    if (carried.contacts > 0 && !carried.bounces_die_out)
        return {Verdict::not_decided,
                "friction holds it, but bounces do not die out and carry it on between impacts"};
    if (n.zeros > e.dimension)
        return {Verdict::not_decided,
                "friction holds it in some directions, and it may drift in others"};
    if (!carried.skew.empty() && (carried.held > 1 || n.all != n.zeros))
        return {Verdict::not_decided,
                fmt::format("friction holds it, but the force of {} is not along the rate of its "
                            "surface, so that it may work on other motions",
                            carried.skew)};
    const std::string stops =
        fmt::format("friction stops small slips ({}) and keeps it near; the rest positions are a "
                    "set, so it need not return to this one",
                    carried.reserve);
    if (n.all == n.zeros)
        return {Verdict::stable, e.motions.eigenvalues.size() == n.zeros
                                     ? stops
                                     : "small motions that stick decay, and " + stops};
    const bool conservative = carried.driven.empty() && forces.positional_forces_have_potential &&
                              !e.motions.gyroscopic &&
                              (!forces.velocity_forces || forces.velocity_forces_linear);
    if (conservative)
        return {Verdict::stable,
                "the potential has a strict minimum among the positions that stick "
                "allows, and " +
                    stops};
    return {Verdict::not_decided, "friction holds it, but an eigenvalue of the motions that stick "
                                  "lies on the imaginary axis"};
}

} // namespace

void EquilibriumSearch::judge(Equilibrium& e) const {
    const auto decide = [&](Verdict verdict, std::string reason) {
        e.verdict = verdict;
        e.reason = std::move(reason);
    };
    const auto& motions = e.motions;
    const Carrying carried = carrying(model_, rest_, e);
    Eigen::VectorXd X(static_cast<Eigen::Index>(e.q.size() + e.forces.size()));
    std::copy(e.q.begin(), e.q.end(), X.begin());
    std::copy(e.forces.begin(), e.forces.end(),
              X.begin() + static_cast<std::ptrdiff_t>(e.q.size()));
    // Where everything is held no eigenvalue but zero is left: rounding is told by what the forces alone would make.
    double size = own_rate(rest_.derivatives(e.states, X));
    for (const auto& lambda : motions.eigenvalues) size = std::max(size, std::abs(lambda));
    const double zero = 1e-7 * std::max(size, 1e-300);
    const bool grows = !motions.eigenvalues.empty() && motions.eigenvalues.front().real() > zero;
    const Neutral n = neutral(motions, zero);
    const std::size_t zeros = n.all;

    if (e.degenerate)
        return decide(Verdict::not_decided,
                      "several rest positions meet here: the stiffness vanishes in some direction");
    if (std::string rough = rough_surroundings(model_, rest_, X); !rough.empty())
        return decide(Verdict::not_decided, std::move(rough));
    // Motions that grow need supports that hold while they do.
    if (grows && !carried.obstacle.empty())
        return decide(Verdict::not_decided,
                      "an eigenvalue grows as long as everything holds, but " + carried.obstacle);
    if (grows) {
        const auto lambda = motions.eigenvalues.front();
        decide(Verdict::unstable,
               fmt::format("small disturbances grow: eigenvalue {:.6g}{}", lambda.real(),
                           lambda.imag() != 0.0 ? fmt::format(" ± {:.6g}i", std::abs(lambda.imag()))
                                                : std::string()));
        return;
    }
    if (!carried.repels.empty() && carried.repels_alone)
        return decide(Verdict::unstable,
                      fmt::format("the relay {} drives away from its surface", carried.repels));
    if (!carried.repels.empty())
        return decide(Verdict::not_decided,
                      fmt::format("the relay {} drives away from its surface, but other supports "
                                  "act on it too",
                                  carried.repels));
    if (!carried.obstacle.empty()) return decide(Verdict::not_decided, carried.obstacle);
    if (carried.held > 0 && carried.relay_surfaces == 0 && !carried.slides) {
        Judgement j = held_by_friction(e, carried, rest_.forces(), n);
        return decide(j.verdict, std::move(j.reason));
    }
    if (carried.held > 0)
        return decide(Verdict::not_decided,
                      "it stays at rest, friction being strictly inside its bound; what larger "
                      "disturbances do, linearisation does not tell");
    if (carried.relay_surfaces == 1 && rest_.first_order() && zeros == 0)
        return decide(Verdict::asymptotically_stable,
                      fmt::format("the relay brings it back to its surface ({}), and motions along "
                                  "it decay",
                                  carried.reserve));
    if (carried.relay_surfaces > 0)
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
        carried.driven.empty() && forces.positional_forces_have_potential &&
        (!forces.velocity_forces || (forces.velocity_forces_linear && motions.dissipative));
    const bool minimum = motions.stiffness && motions.symmetric && !carried.slides &&
                         (motions.stiffness->size() == 0 ||
                          (*motions.stiffness)(0) >
                              1e-9 * std::max(1e-300, motions.stiffness->cwiseAbs().maxCoeff()));
    if (carried.contacts > 0) {
        // Pressed and not disturbed by others, a contact bounces for a time, and over a way, as small as the disturbance.
        if (zeros == 0 && carried.bounces_die_out && carried.coupling.empty())
            return decide(Verdict::asymptotically_stable,
                          motions.eigenvalues.empty()
                              ? "contacts leave no freedom, all are pressed and bounces die out"
                              : "motions that keep the contacts closed decay; the contacts are "
                                "pressed and bounces die out");
        if (minimum && no_source && !carried.bounces_gain)
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
