// SPDX-License-Identifier: Apache-2.0
// Impacts with friction one after another, and what becomes of those that would create energy.
#include "liaison/laws/friction_impact.hpp"

#include "liaison/laws/simultaneous_impact.hpp"
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

// The impact of one contact by its own law, in the plane or in space.
FrictionImpact followed_through(const MatrixXd& D, const VectorXd& w, const ImpactContact& c) {
    const Index n = c.contact.normal;
    const Index t = c.contact.slip;
    const double u = std::min(w(n), 0.0);
    if (c.contact.slips == 1) {
        const PlanarContact planar{D(n, n),
                                   D(n, t),
                                   D(t, t),
                                   c.contact.sliding_plus,
                                   c.contact.sticking,
                                   c.contact.sliding_minus};
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

FrictionCollisions by_rule(const MatrixXd& D, const VectorXd& w,
                           const std::vector<ImpactContact>& contacts,
                           const NormalImpactOptions& options) {
    if (options.rule == ImpactRule::poisson) return poisson_impact(D, w, contacts);
    if (options.rule == ImpactRule::simultaneous) {
        FrictionCollisions all;
        const auto c = bounded(contacts, options.gain, [&](const auto& given) {
            const bool phases = !given.empty() && options.gain == Gain::poisson &&
                                given.front().law == Restitution::poisson &&
                                contacts.front().law != Restitution::poisson;
            all = phases ? poisson_impact(D, w, given) : moreau_impact(D, w, given);
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
            FrictionCollisions rest = plastic_impact(D, result.after, contacts);
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
            result.reason =
                c.course->jammed
                    ? "an impact with friction does not end: friction holds the contact, "
                      "and no impulse parts it again"
                    : "an impact with friction does not end";
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

// What every law promises, checked on what was computed: no contact approaches, and the impulses are not so large that the velocities
// after them are rounding.
void check_promises(const MatrixXd& D, const VectorXd& w,
                    const std::vector<ImpactContact>& contacts, const NormalImpactOptions& options,
                    FrictionCollisions& result) {
    constexpr double k_accuracy = 1e-9;
    constexpr double k_most =
        1e13; // times the velocities: what rounding leaves of them is no velocity
    const double speed = std::max(w.cwiseAbs().maxCoeff(), result.after.cwiseAbs().maxCoeff());
    double terms = 0.0;
    for (const FrictionCollision& c : result.collisions)
        terms = std::max(terms, (D.cwiseAbs() * c.impulse.cwiseAbs()).maxCoeff());
    const bool approaching = std::ranges::any_of(contacts, [&](const ImpactContact& c) {
        return result.after(c.contact.normal) <
               -std::max(options.rate_tolerance, k_accuracy * speed);
    });
    if (terms <= k_most * speed && !approaching) return;
    result.solved = false;
    result.reason = approaching ? "an impact left a contact approaching"
                                : "the impulses of an impact with friction are too large to be "
                                  "computed: friction all but jams the contacts";
}

} // namespace

FrictionCollisions friction_impact(const MatrixXd& D, const VectorXd& w,
                                   const std::vector<ImpactContact>& contacts,
                                   const NormalImpactOptions& options) {
    FrictionCollisions result = by_rule(D, w, contacts, options);
    if (result.solved) check_promises(D, w, contacts, options, result);
    return result;
}

} // namespace liaison::laws
