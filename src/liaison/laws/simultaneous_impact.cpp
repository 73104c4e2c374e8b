// SPDX-License-Identifier: Apache-2.0
// Moreau's problem and Poisson's two phases, solved in the units of the contacts.
#include "liaison/laws/simultaneous_impact.hpp"

#include "liaison/laws/contact_islands.hpp"
#include "liaison/laws/contact_units.hpp"
#include "liaison/laws/coulomb_pivoting.hpp"
#include "liaison/laws/coulomb_sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Coulomb's law on the slip after the impact knows the coefficients of slip and no slip before: rest is held up to the larger of them.
std::vector<CoulombContact> cones_of(const std::vector<ImpactContact>& contacts) {
    std::vector<CoulombContact> cones;
    for (const ImpactContact& c : contacts) {
        cones.push_back(c.contact);
        cones.back().moving = false;
        cones.back().sticking = std::max(c.contact.sliding_plus, c.contact.sliding_minus);
    }
    return cones;
}

std::size_t most_struck(const std::vector<ImpactContact>& contacts, const VectorXd& impulse) {
    std::size_t most = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (impulse(contacts[k].contact.normal) > impulse(contacts[most].contact.normal)) most = k;
    }
    return most;
}

// Impulses are those of the gap rates, which may be small beside the slips: signs are judged by them.
CoulombOptions accuracy(const VectorXd& w, const std::vector<CoulombContact>& contacts) {
    double rate = 0.0;
    double all = 0.0;
    for (const CoulombContact& c : contacts) {
        rate = std::max(rate, std::abs(w(c.normal)));
        all = std::max(all, std::abs(w(c.normal)));
        for (int j = 0; j < c.slips; ++j) all = std::max(all, std::abs(w(c.slip + j)));
    }
    constexpr double k_rounding = 1e-15; // of the slips, which friction may take to zero
    CoulombOptions options;
    if (rate > 0.0) options.tolerance = std::max(options.tolerance * rate / all, k_rounding);
    return options;
}

// A contact that slips so fast beside the approach of all that no impulse of the impact can turn it has its direction, and its
// slip is no unknown: an approach of 1e-9 beside a slip of 1 would be decided by the rounding of the slip. True: one was found.
bool keep_directions(const VectorXd& w, std::vector<CoulombContact>& cones, VectorXd& target) {
    constexpr double k_planar = 1e3; // times the approach
    constexpr double k_spatial = 1e9; // as far as the impulse may turn it
    double approach = 0.0;
    for (const CoulombContact& c : cones) approach = std::max(approach, std::abs(target(c.normal)));
    bool any = false;
    for (CoulombContact& c : cones) {
        const double speed = w.segment(c.slip, c.slips).norm();
        if (c.slips == 0 || !(speed > (c.slips == 1 ? k_planar : k_spatial) * approach)) continue;
        c.moving = any = true;
        c.direction.head(c.slips) = w.segment(c.slip, c.slips) / speed;
        target.segment(c.slip, c.slips).setZero();
    }
    return any;
}

bool kept_directions(const MatrixXd& D, const VectorXd& w, const std::vector<CoulombContact>& cones,
                     const CoulombAnswer& answer) {
    if (answer.solutions.empty()) return false;
    return std::ranges::all_of(answer.solutions, [&](const CoulombSolution& s) {
        const VectorXd after = w + D * s.best().force;
        return std::ranges::all_of(cones, [&](const CoulombContact& c) {
            const auto before = w.segment(c.slip, c.slips);
            return !c.moving ||
                   before.dot(after.segment(c.slip, c.slips)) > 0.5 * before.squaredNorm();
        });
    });
}

CoulombAnswer solve_impact(const MatrixXd& D, const VectorXd& w, const VectorXd& target,
                           const std::vector<CoulombContact>& cones) {
    VectorXd without = target;
    auto sliding = cones;
    if (keep_directions(w, sliding, without)) {
        CoulombAnswer answer = solve_coulomb(D, without, sliding, accuracy(without, sliding));
        if (kept_directions(D, w, sliding, answer)) return answer;
    }
    return solve_coulomb(D, target, cones, accuracy(target, cones));
}

// Moreau's law for all contacts together, island by island. Several solutions: the one that loses least energy is no
// better than another; the first with most sticking contacts is taken and the number reported.
FrictionCollisions simultaneous(const MatrixXd& D, const VectorXd& w,
                                const std::vector<ImpactContact>& contacts, bool plastic) {
    FrictionCollisions result;
    VectorXd e = VectorXd::Zero(static_cast<Eigen::Index>(contacts.size()));
    VectorXd target = w;
    for (std::size_t k = 0; k < contacts.size() && !plastic; ++k) {
        const ImpactContact& c = contacts[k];
        e(static_cast<Eigen::Index>(k)) = c.restitution;
        target(c.contact.normal) += c.restitution * std::min(w(c.contact.normal), 0.0);
    }
    const auto cones = cones_of(contacts);
    FrictionCollision c;
    c.before = w;
    c.impulse = VectorXd::Zero(w.size());
    c.mode.resize(contacts.size());
    for (const auto& island : contact_islands(D, cones)) {
        std::vector<CoulombContact> mine;
        for (const std::size_t k : island) mine.push_back(cones[k]);
        CoulombAnswer answer = solve_impact(D, w, target, mine);
        // Contacts that can jam may have no impact that returns the rates: those without restitution have one wherever nothing
        // else moves them (theory of many contacts §4.1).
        if (answer.none() && target != w) {
            answer = solve_impact(D, w, w, mine);
            c.plastic_instead = c.plastic_instead || !answer.solutions.empty();
            for (const std::size_t k : island) e(static_cast<Eigen::Index>(k)) = 0.0;
        }
        if (answer.solutions.empty()) {
            result.solved = false;
            result.none = answer.complete;
            result.reason =
                answer.complete
                    ? "the complementarity problem of the impact has no solution"
                    : "the complementarity problem of the impact was not solved: " + answer.note;
            return result;
        }
        if (!answer.complete) result.note = answer.note;
        const auto best =
            std::max_element(answer.solutions.begin(), answer.solutions.end(),
                             [](const CoulombSolution& x, const CoulombSolution& y) {
                                 return std::ranges::count(x.best().mode, ContactMode::stick) <
                                        std::ranges::count(y.best().mode, ContactMode::stick);
                             });
        c.impulse += best->best().force;
        c.solutions *= answer.solutions.size();
        for (std::size_t j = 0; j < island.size(); ++j) c.mode[island[j]] = best->best().mode[j];
    }
    c.after = w + D * c.impulse;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& rows = contacts[k].contact;
        // What the law makes zero is zero.
        if (c.mode[k] != ContactMode::open)
            c.after(rows.normal) = -e(static_cast<Eigen::Index>(k)) * std::min(w(rows.normal), 0.0);
        if (c.mode[k] == ContactMode::stick) c.after.segment(rows.slip, rows.slips).setZero();
    }
    result.after = c.after;
    result.collisions.push_back(std::move(c));
    return result;
}

// The mode that velocities after an impact show; what is zero up to rounding is made zero.
ContactMode settled_mode(const CoulombContact& rows, double still, VectorXd& after) {
    if (after(rows.normal) > still) return ContactMode::open;
    after(rows.normal) = 0.0;
    if (rows.slips == 0) return ContactMode::closed;
    auto slip = after.segment(rows.slip, rows.slips);
    if (slip.norm() <= still) {
        slip.setZero();
        return ContactMode::stick;
    }
    return rows.slips == 1 && slip(0) < 0.0 ? ContactMode::slip_minus : ContactMode::slip_plus;
}

// Compression as if without restitution, then every contact gives back e times what it took.
FrictionCollisions two_phases(const MatrixXd& D, const VectorXd& w,
                              const std::vector<ImpactContact>& contacts) {
    FrictionCollisions result = simultaneous(D, w, contacts, true);
    if (!result.solved) return result;
    FrictionCollision& c = result.collisions.front();
    std::vector<double> given;
    for (const ImpactContact& k : contacts)
        given.push_back(k.restitution * c.impulse(k.contact.normal));
    if (std::ranges::all_of(given, [](double n) { return n == 0.0; })) return result;
    const auto cones = cones_of(contacts);
    VectorXd expansion;
    if (std::ranges::all_of(cones, [](const CoulombContact& k) { return k.slips < 2; })) {
        const PivotResult pivot = pivot_coulomb(D, c.after, cones, given);
        result.solved = pivot.solved;
        expansion = pivot.force;
    } else {
        SweepOptions options;
        options.given = given;
        const SweepResult sweep = sweep_coulomb(D, c.after, cones, options);
        result.solved = sweep.converged;
        expansion = sweep.force;
    }
    if (!result.solved) {
        result.reason = "the expansion of Poisson's impact was not solved";
        return result;
    }
    constexpr double k_rounding = 1e-12;
    c.after += D * expansion;
    c.impulse += expansion;
    const double still =
        k_rounding * std::max(w.cwiseAbs().maxCoeff(), c.after.cwiseAbs().maxCoeff());
    for (std::size_t k = 0; k < contacts.size(); ++k)
        c.mode[k] = settled_mode(contacts[k].contact, still, c.after);
    result.after = c.after;
    return result;
}

// The law in the units of the contacts, its result in those of the model.
template <class Law>
FrictionCollisions in_own_units(const MatrixXd& D, const VectorXd& w,
                                const std::vector<ImpactContact>& contacts, const Law& law) {
    std::vector<CoulombContact> rows;
    for (const ImpactContact& c : contacts) rows.push_back(c.contact);
    const ContactUnits units(D, rows);
    std::vector<ImpactContact> own = contacts;
    for (ImpactContact& c : own) c.contact = units.contact(c.contact);
    FrictionCollisions result = law(units.response(D), units.rates(w), own);
    for (FrictionCollision& c : result.collisions) {
        c.before = w;
        c.after = units.rates_of(c.after);
        c.impulse = units.impulses_of(c.impulse);
        c.contact = most_struck(contacts, c.impulse);
    }
    if (!result.collisions.empty()) result.after = result.collisions.back().after;
    return result;
}

} // namespace

FrictionCollisions moreau_impact(const MatrixXd& D, const VectorXd& w,
                                 const std::vector<ImpactContact>& contacts) {
    return in_own_units(D, w, contacts, [](const auto& D_own, const auto& w_own, const auto& own) {
        return simultaneous(D_own, w_own, own, false);
    });
}

FrictionCollisions plastic_impact(const MatrixXd& D, const VectorXd& w,
                                  const std::vector<ImpactContact>& contacts) {
    return in_own_units(D, w, contacts, [](const auto& D_own, const auto& w_own, const auto& own) {
        return simultaneous(D_own, w_own, own, true);
    });
}

FrictionCollisions poisson_impact(const MatrixXd& D, const VectorXd& w,
                                  const std::vector<ImpactContact>& contacts) {
    return in_own_units(D, w, contacts, two_phases);
}

} // namespace liaison::laws
