// SPDX-License-Identifier: Apache-2.0
// Sequential and simultaneous impacts with friction.
#include "liaison/laws/friction_impact.hpp"

#include "liaison/laws/contact_islands.hpp"
#include "liaison/laws/coulomb_pivoting.hpp"
#include "liaison/laws/coulomb_sweeps.hpp"
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

// Coulomb's law on the slip after the impact knows one coefficient and no slip before.
std::vector<CoulombContact> cones_of(const std::vector<ImpactContact>& contacts) {
    std::vector<CoulombContact> cones;
    for (const ImpactContact& c : contacts) {
        cones.push_back(c.contact);
        cones.back().moving = false;
        cones.back().sticking = c.contact.sliding_plus;
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
    c.contact = most_struck(contacts, c.impulse);
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
    c.contact = most_struck(contacts, c.impulse);
    result.after = c.after;
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

namespace {

// Energy that is more than rounding.
bool gains(const FrictionCollision& c) {
    constexpr double k_rounding = 1e-12;
    return c.energy() >
           k_rounding * (c.before.cwiseAbs() + c.after.cwiseAbs()).dot(c.impulse.cwiseAbs());
}

std::vector<ImpactContact> with_restitution(std::vector<ImpactContact> contacts, double factor) {
    for (ImpactContact& c : contacts) c.restitution *= factor;
    return contacts;
}

// Where a collision would create energy: with the largest part of its restitutions that does not (without any it never
// does: ΔT = −½|Δv|² + w⁺·Λ), or by Poisson's law. `collide` makes it from contacts; nothing: not solved.
template <class Collide>
std::optional<FrictionCollision> bounded(const std::vector<ImpactContact>& contacts, Gain rule,
                                         const Collide& collide) {
    auto c = collide(contacts);
    if (!c || rule == Gain::report || !gains(*c)) return c;
    if (rule == Gain::poisson) {
        auto changed = contacts;
        for (ImpactContact& k : changed) k.law = Restitution::poisson;
        c = collide(changed);
        if (c) c->poisson_instead = true;
        return c;
    }
    double low = 0.0;
    double high = 1.0;
    constexpr int k_halvings = 60;
    for (int i = 0; i < k_halvings && high - low > 1e-15; ++i) {
        const double middle = 0.5 * (low + high);
        const auto trial = collide(with_restitution(contacts, middle));
        (trial && !gains(*trial) ? low : high) = middle;
    }
    c = collide(with_restitution(contacts, low));
    if (c) c->scaled = low;
    return c;
}

} // namespace

FrictionCollisions friction_impact(const MatrixXd& D, const VectorXd& w,
                                   const std::vector<ImpactContact>& contacts,
                                   const NormalImpactOptions& options) {
    if (options.rule == ImpactRule::poisson) return two_phases(D, w, contacts);
    if (options.rule == ImpactRule::simultaneous) {
        FrictionCollisions all;
        const auto c = bounded(contacts, options.gain, [&](const auto& given) {
            const bool phases = !given.empty() && options.gain == Gain::poisson &&
                                given.front().law == Restitution::poisson &&
                                contacts.front().law != Restitution::poisson;
            all = phases ? two_phases(D, w, given) : simultaneous(D, w, given, false);
            return all.solved ? std::optional(all.collisions.front()) : std::nullopt;
        });
        if (c) all.collisions.front() = *c;
        return all;
    }
    FrictionCollisions result;
    result.after = w;
    for (std::size_t i = next_contact(w, contacts, options); i < contacts.size();
         i = next_contact(result.after, contacts, options)) {
        if (static_cast<int>(result.collisions.size()) >= options.cap) {
            // Inelastic collapse: what is left is finished without restitution.
            FrictionCollisions rest = simultaneous(D, result.after, contacts, true);
            result.collapsed = true;
            result.solved = rest.solved;
            result.none = rest.none;
            result.reason = std::move(rest.reason);
            if (!rest.solved) return result;
            result.after = rest.after;
            result.collisions.push_back(std::move(rest.collisions.front()));
            break;
        }
        FrictionCollision c = *bounded(contacts, options.gain, [&](const auto& given) {
            return std::optional(single_impact(D, result.after, given, i));
        });
        if (c.course && !c.course->finished) {
            result.solved = false;
            result.reason = "an impact with friction does not end";
            return result;
        }
        result.after = c.after;
        result.collisions.push_back(std::move(c));
    }
    // Ended because the approach became too small to tell from none: there are infinitely many collisions.
    constexpr double k_faded = 1e-9;
    if (result.collisions.size() >= 3) {
        const FrictionCollision& last = result.collisions.back();
        const double approach = -last.before(contacts[last.contact].contact.normal);
        result.collapsed = result.collapsed || approach <= k_faded * w.cwiseAbs().maxCoeff();
    }
    return result;
}

} // namespace liaison::laws
