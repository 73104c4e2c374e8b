// SPDX-License-Identifier: Apache-2.0
// What every law of impact promises, whatever the contacts: it ends, contacts push within their cones, none is left approaching,
// energy is not created by the laws that promise so, and nothing depends on how the contacts are written.
#include "liaison/laws/friction_impact.hpp"

#include "support/sanitized.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Under sanitizers a part of them: the numbers are the same ones.
constexpr int how_many(int all) { return liaison::test::k_sanitized ? all / 200 : all; }

struct Case {
    MatrixXd D;
    VectorXd w;
    std::vector<ImpactContact> contacts;
};

struct Wanted {
    int most_contacts = 3;
    int most_slips = 2;
    double spread = 2.0; // decades between the responses of directions
    bool definite = true; // otherwise rows may depend on each other
};

class Cases {
  public:
    explicit Cases(unsigned seed) : engine_(seed) {}

    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

    Case next(const Wanted& wanted) {
        Case c;
        const int k = whole(1, wanted.most_contacts);
        Index rows = k;
        for (int i = 0; i < k; ++i) {
            ImpactContact& contact = c.contacts.emplace_back();
            contact.contact.normal = i;
            contact.contact.slip = rows;
            contact.contact.slips = whole(0, wanted.most_slips);
            rows += contact.contact.slips;
            friction(contact.contact);
            const int e = whole(0, 3);
            contact.restitution = e == 0 ? 0.0 : e == 1 ? 1.0 : uniform(0.0, 1.0);
            contact.law = static_cast<Restitution>(whole(0, 2));
        }
        response(rows, wanted, c.D);
        c.w.resize(rows);
        for (double& x : c.w) x = uniform(-1.0, 1.0) * std::pow(10.0, uniform(-2.0, 0.0));
        // Contacts of an admissible motion approach or rest; slips may be zero.
        for (int i = 0; i < k; ++i) {
            c.w(i) = i > 0 && whole(0, 3) == 0 ? 0.0 : -std::abs(c.w(i));
            const CoulombContact& contact = c.contacts[static_cast<std::size_t>(i)].contact;
            if (whole(0, 4) == 0) c.w.segment(contact.slip, contact.slips).setZero();
        }
        for (ImpactContact& contact : c.contacts) direction(contact.contact, c.w);
        return c;
    }

    static void direction(CoulombContact& c, const VectorXd& w) {
        const double speed = w.segment(c.slip, c.slips).norm();
        c.moving = speed > 0.0;
        c.direction.setZero();
        if (c.moving) c.direction.head(c.slips) = w.segment(c.slip, c.slips) / speed;
    }

  private:
    void friction(CoulombContact& c) {
        if (c.slips == 0) return;
        const double mu = uniform(0.0, 1.0) * std::pow(10.0, uniform(-1.0, 0.7));
        c.sliding_plus = c.sliding_minus = c.sticking = mu;
        if (whole(0, 3) == 0) c.sticking *= 1.5;
        if (c.slips == 1 && whole(0, 3) == 0) c.sliding_minus *= 0.7;
    }
    // D = W Wᵀ with directions of W whose responses spread over decades.
    void response(Index rows, const Wanted& wanted, MatrixXd& D) {
        const Index n =
            wanted.definite ? rows + whole(0, 2) : std::max<Index>(1, rows - whole(0, 1));
        std::normal_distribution<double> normal;
        MatrixXd W(rows, n);
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < n; ++j) W(i, j) = normal(engine_);
        for (Index j = 0; j < n; ++j)
            W.col(j) *= std::pow(10.0, uniform(-wanted.spread / 2.0, 0.0));
        D = W * W.transpose();
    }

    std::mt19937_64 engine_;
};

// An energy of the size of the impact.
double energy_scale(const FrictionCollision& c) {
    return (c.before.cwiseAbs() + c.after.cwiseAbs()).dot(c.impulse.cwiseAbs());
}

double cone_excess(const ImpactContact& c, const VectorXd& impulse) {
    const CoulombContact& k = c.contact;
    const double mu = std::max({k.sliding_plus, k.sliding_minus, k.sticking});
    return impulse.segment(k.slip, k.slips).norm() - mu * impulse(k.normal);
}

VectorXd total(const FrictionCollisions& r, Index rows) {
    VectorXd sum = VectorXd::Zero(rows);
    for (const FrictionCollision& c : r.collisions) sum += c.impulse;
    return sum;
}

NormalImpactOptions options(ImpactRule rule, const Case& c, Order order = Order::deepest,
                            Gain gain = Gain::report) {
    NormalImpactOptions o;
    o.rule = rule;
    o.order = order;
    o.gain = gain;
    o.rate_tolerance = 1e-12 * c.w.cwiseAbs().maxCoeff();
    return o;
}

// How far from its promises a result is, relative to its own velocities and impulses.
struct Kept {
    double momentum = 0.0;
    double pull = 0.0;
    double cone = 0.0;
    double approach = 0.0;
    double gain = 0.0; // of one collision
};

Kept judge(const Case& c, const FrictionCollisions& r) {
    Kept kept;
    const VectorXd sum = total(r, c.w.size());
    const double speed = std::max(c.w.cwiseAbs().maxCoeff(), r.after.cwiseAbs().maxCoeff());
    const VectorXd terms = c.D.cwiseAbs() * sum.cwiseAbs();
    kept.momentum =
        (c.w + c.D * sum - r.after).cwiseAbs().maxCoeff() / std::max(speed, terms.maxCoeff());
    for (const FrictionCollision& one : r.collisions) {
        const double size = one.impulse.cwiseAbs().maxCoeff();
        if (!(size > 0.0)) continue;
        for (const ImpactContact& k : c.contacts) {
            kept.pull = std::max(kept.pull, -one.impulse(k.contact.normal) / size);
            kept.cone = std::max(kept.cone, cone_excess(k, one.impulse) / size);
        }
        kept.gain = std::max(kept.gain, one.energy() / energy_scale(one));
    }
    for (const ImpactContact& k : c.contacts)
        kept.approach = std::max(kept.approach, -r.after(k.contact.normal) / speed);
    return kept;
}

void keeps(const Kept& k) {
    CHECK(k.momentum < 1e-9);
    CHECK(k.pull < 1e-9);
    CHECK(k.cone < 1e-8);
    CHECK(k.approach < 1e-9);
}

} // namespace

TEST_CASE("impacts one after another end, within their cones, with no contact approaching") {
    Cases cases(1);
    for (int i = 0; i < how_many(3000); ++i) {
        CAPTURE(i);
        const Case c = cases.next({});
        const auto order = static_cast<Order>(i % 3);
        const auto r =
            friction_impact(c.D, c.w, c.contacts, options(ImpactRule::sequential, c, order));
        CHECK_MESSAGE(r.solved, r.reason);
        if (!r.solved) continue;
        keeps(judge(c, r));
    }
}

TEST_CASE("the impulse of one contact is followed to its end whatever its response") {
    Cases cases(2);
    for (int i = 0; i < how_many(20000); ++i) {
        CAPTURE(i);
        const Case c = cases.next({.most_contacts = 1, .spread = i % 2 == 0 ? 4.0 : 8.0});
        const auto r = friction_impact(c.D, c.w, c.contacts, options(ImpactRule::sequential, c));
        CHECK_MESSAGE(r.solved, r.reason);
        if (!r.solved) continue;
        keeps(judge(c, r));
    }
}

TEST_CASE("simultaneous impacts are found, within their cones, with no contact approaching") {
    Cases cases(3);
    int missed = 0;
    for (int i = 0; i < how_many(1500); ++i) {
        CAPTURE(i);
        const Case c = cases.next({});
        for (const auto rule : {ImpactRule::simultaneous, ImpactRule::poisson}) {
            CAPTURE(static_cast<int>(rule));
            const auto r = friction_impact(c.D, c.w, c.contacts, options(rule, c));
            // Expansions in space are swept, and sweeps have no proof: told, not done.
            const bool swept = rule == ImpactRule::poisson &&
                               r.reason == "the expansion of Poisson's impact was not solved";
            missed += swept ? 1 : 0;
            if (swept) continue;
            CHECK_MESSAGE(r.solved, r.reason);
            if (r.solved) keeps(judge(c, r));
        }
    }
    CHECK(missed <= 2);
}

TEST_CASE(
    "energetic impacts never create energy, nor those without restitution, nor limited ones") {
    Cases cases(4);
    for (int i = 0; i < how_many(1500); ++i) {
        CAPTURE(i);
        Case c = cases.next({});
        const auto gain = [&](ImpactRule rule, Gain policy) {
            const auto r =
                friction_impact(c.D, c.w, c.contacts, options(rule, c, Order::deepest, policy));
            return r.solved ? judge(c, r).gain : 0.0;
        };
        CHECK(gain(ImpactRule::simultaneous, Gain::limit) < 1e-10);
        CHECK(gain(ImpactRule::sequential, Gain::limit) < 1e-10);
        for (ImpactContact& k : c.contacts) k.law = Restitution::energetic;
        CHECK(gain(ImpactRule::sequential, Gain::report) < 1e-10);
        for (ImpactContact& k : c.contacts) k.restitution = 0.0;
        CHECK(gain(ImpactRule::simultaneous, Gain::report) < 1e-10);
        CHECK(gain(ImpactRule::poisson, Gain::report) < 1e-10);
    }
}

namespace {

// The same contacts with gap i written as a_i times itself: impulses Λ/a, coefficients μ a.
Case scaled(Case c, const std::vector<double>& a) {
    VectorXd factor = VectorXd::Ones(c.w.size());
    for (std::size_t k = 0; k < c.contacts.size(); ++k) {
        CoulombContact& rows = c.contacts[k].contact;
        factor(rows.normal) = a[k];
        rows.sliding_plus *= a[k];
        rows.sliding_minus *= a[k];
        rows.sticking *= a[k];
    }
    c.D = factor.asDiagonal() * c.D * factor.asDiagonal();
    c.w = factor.cwiseProduct(c.w);
    return c;
}

// Slips seen in a mirror.
Case mirrored(Case c) {
    VectorXd sign = VectorXd::Ones(c.w.size());
    for (ImpactContact& k : c.contacts) {
        if (k.contact.slips > 0) sign(k.contact.slip) = -1.0;
        if (k.contact.slips == 1) std::swap(k.contact.sliding_plus, k.contact.sliding_minus);
    }
    c.D = sign.asDiagonal() * c.D * sign.asDiagonal();
    c.w = sign.cwiseProduct(c.w);
    for (ImpactContact& k : c.contacts) Cases::direction(k.contact, c.w);
    return c;
}

Case reversed(Case c) {
    std::reverse(c.contacts.begin(), c.contacts.end());
    return c;
}

// Of velocities after the impact, relative to those before it.
double difference(const Case& c, const VectorXd& a, const VectorXd& b) {
    return (a - b).cwiseAbs().maxCoeff() / c.w.cwiseAbs().maxCoeff();
}

} // namespace

TEST_CASE("an impact does not depend on how gaps are scaled, contacts ordered or slips directed") {
    Cases cases(5);
    for (int i = 0; i < how_many(1000); ++i) {
        CAPTURE(i);
        const Case c = cases.next({});
        std::vector<double> a;
        for (std::size_t k = 0; k < c.contacts.size(); ++k)
            a.push_back(std::pow(10.0, cases.uniform(-2.0, 2.0)));
        VectorXd factor = VectorXd::Ones(c.w.size());
        for (std::size_t k = 0; k < a.size(); ++k) factor(c.contacts[k].contact.normal) = a[k];
        VectorXd sign = VectorXd::Ones(c.w.size());
        for (const ImpactContact& k : c.contacts)
            if (k.contact.slips > 0) sign(k.contact.slip) = -1.0;
        for (const auto rule :
             {ImpactRule::sequential, ImpactRule::simultaneous, ImpactRule::poisson}) {
            CAPTURE(static_cast<int>(rule));
            const auto solve = [&](const Case& one, Order order) {
                return friction_impact(one.D, one.w, one.contacts, options(rule, c, order));
            };
            const auto r = solve(c, Order::declared);
            if (!r.solved) continue;
            const bool several = std::ranges::any_of(
                r.collisions, [](const FrictionCollision& one) { return one.solutions > 1; });
            if (several) continue;
            const auto in_mirror = solve(mirrored(c), Order::declared);
            const auto turned = solve(reversed(c), Order::reverse);
            const auto other_gaps = solve(scaled(c, a), Order::declared);
            CHECK(in_mirror.solved);
            CHECK(turned.solved);
            CHECK(other_gaps.solved);
            if (in_mirror.solved)
                CHECK(difference(c, r.after, sign.cwiseProduct(in_mirror.after)) < 1e-8);
            if (turned.solved) CHECK(difference(c, r.after, turned.after) < 1e-8);
            if (other_gaps.solved)
                CHECK(difference(c, r.after, other_gaps.after.cwiseQuotient(factor)) < 1e-8);
        }
    }
}
