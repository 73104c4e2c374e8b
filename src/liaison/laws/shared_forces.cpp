// SPDX-License-Identifier: Apache-2.0
// Largest margin now and latest instant of a convex set of forces, by Newton's method with a logarithmic barrier.
#include "liaison/laws/shared_forces.hpp"

#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/self_stress.hpp"
#include "liaison/solve/dense.hpp"
#include "liaison/solve/factor.hpp"

#include <cmath>
#include <limits>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// n(x) > |f(x)| with n = normal·(x, 1) and f = friction (x, 1); without friction n(x) > 0.
struct Cone {
    VectorXd normal;
    MatrixXd friction; // rows: components
};

// Maximises the last component of x inside all cones.
class Barrier {
  public:
    Barrier(std::vector<Cone> cones, Index n, double size)
        : cones_(std::move(cones)), n_(n), size_(size) {}

    // From a point inside; the last component comes within `gap` of its largest value.
    [[nodiscard]] VectorXd climb(VectorXd x, double gap) const {
        constexpr double k_faster = 20.0;
        constexpr int k_most_newton = 40;
        const double count = 2.0 * static_cast<double>(cones_.size());
        for (double weight = 1.0 / size_; count / weight > gap; weight *= k_faster) {
            for (int i = 0; i < k_most_newton; ++i) {
                if (!newton(x, weight)) break;
            }
        }
        return x;
    }
    [[nodiscard]] bool inside(const VectorXd& x) const { return room(x).has_value(); }

  private:
    [[nodiscard]] VectorXd with_one(const VectorXd& x) const {
        VectorXd y(n_ + 1);
        y << x, 1.0;
        return y;
    }
    // A weak pull to the middle keeps directions without end finite.
    static constexpr double k_pull = 1e-4;

    // What is left of each cone, n² − |f|²; nothing where x is outside.
    [[nodiscard]] std::optional<VectorXd> room(const VectorXd& x) const {
        const VectorXd y = with_one(x);
        VectorXd left(static_cast<Index>(cones_.size()));
        for (std::size_t k = 0; k < cones_.size(); ++k) {
            const double normal = cones_[k].normal.dot(y);
            const double friction = (cones_[k].friction * y).norm();
            if (!(normal > friction)) return std::nullopt;
            left(static_cast<Index>(k)) = (normal - friction) * (normal + friction);
        }
        return left;
    }
    // By which the function to be minimised, −weight x_n − Σ log room, falls along a step: differences of large values
    // would be lost in rounding.
    [[nodiscard]] double fall(const VectorXd& x, const VectorXd& left, const VectorXd& step,
                              double weight) const {
        const auto there = room(x + step);
        if (!there) return -std::numeric_limits<double>::infinity();
        return weight * step(n_ - 1) + (there->array() / left.array()).log().sum() -
               k_pull * (x.dot(step) + 0.5 * step.squaredNorm()) / (size_ * size_);
    }

    // One damped step; false: there is nothing left to gain.
    bool newton(VectorXd& x, double weight) const {
        const VectorXd y = with_one(x);
        VectorXd slope = k_pull / (size_ * size_) * x;
        slope(n_ - 1) -= weight;
        MatrixXd curvature = k_pull / (size_ * size_) * MatrixXd::Identity(n_, n_);
        for (const Cone& c : cones_) {
            const double normal = c.normal.dot(y);
            const VectorXd f = c.friction * y;
            const double room = normal * normal - f.squaredNorm();
            const VectorXd along = c.normal.head(n_);
            const MatrixXd across = c.friction.leftCols(n_);
            const VectorXd change = 2.0 * (normal * along - across.transpose() * f);
            slope -= change / room;
            curvature += change * change.transpose() / (room * room) -
                         2.0 / room * (along * along.transpose() - across.transpose() * across);
        }
        const VectorXd step = solve::least_norm(curvature, -slope);
        const double gain = -slope.dot(step);
        if (!step.allFinite() || !(gain > 1e-10)) return false;
        const auto left = room(x);
        if (!left) return false;
        for (double part = 1.0; part > 1e-12; part *= 0.5) {
            if (fall(x, *left, part * step, weight) < 0.1 * part * gain) continue;
            x += part * step;
            return true;
        }
        return false;
    }

    std::vector<Cone> cones_;
    Index n_;
    double size_;
};

// All forces of one motion: those of all rows are at + set y + rate t. Forces that would turn or speed up a slip belong to
// another one; of those the rule of self_stress.hpp chooses.
struct ForceSet {
    VectorXd at;
    VectorXd rate;
    MatrixXd set;
};

// The system of one motion: kept z = load, and the forces of all rows are columns z.
struct Motion {
    MatrixXd columns;
    MatrixXd kept; // accelerations that are zero, and the rule of the normals below them
    MatrixXd slips; // accelerations of the slips
    VectorXd load;
    MatrixXd stress;
};

Motion motion(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
              const CoulombLabel& label) {
    std::vector<Index> rows;
    std::vector<Index> moving;
    std::vector<Index> normals;
    std::vector<Index> unknowns; // of the normals
    std::vector<char> slips; // by normal
    std::vector<VectorXd> spread;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        if (label.mode[k] == ContactMode::open) continue;
        rows.push_back(c.normal);
        normals.push_back(c.normal);
        slips.push_back(is_slip(label.mode[k]) ? 1 : 0);
        unknowns.push_back(static_cast<Index>(spread.size()));
        spread.emplace_back(VectorXd::Unit(D.rows(), c.normal));
        for (int j = 0; j < c.slips; ++j) {
            if (is_slip(label.mode[k])) {
                const double s = label.direction[k](j);
                spread.back()(c.slip + j) = -c.sliding(c.slips == 1 ? s : 1.0) * s;
                moving.push_back(c.slip + j);
            } else {
                rows.push_back(c.slip + j);
            }
        }
        for (int j = 0; j < c.slips && !is_slip(label.mode[k]); ++j)
            spread.emplace_back(VectorXd::Unit(D.rows(), c.slip + j));
    }
    Motion result;
    result.columns.resize(D.rows(), static_cast<Index>(spread.size()));
    for (std::size_t j = 0; j < spread.size(); ++j)
        result.columns.col(static_cast<Index>(j)) = spread[j];
    const MatrixXd response = D * result.columns;
    // Without slip there is nothing to choose between motions.
    result.stress = self_stress(D, normals, slips);
    const Index rules = result.stress.cols();
    const auto zero = static_cast<Index>(rows.size());
    result.kept = MatrixXd::Zero(zero + rules, result.columns.cols());
    result.kept.topRows(zero) = response(rows, Eigen::all);
    const double unit = D.diagonal().cwiseAbs().maxCoeff();
    for (Index i = 0; i < result.stress.rows() && rules > 0; ++i)
        result.kept.col(unknowns[static_cast<std::size_t>(i)]).tail(rules) =
            unit * result.stress.row(i).transpose();
    result.load = VectorXd::Zero(zero + rules);
    result.load.head(zero) = -b(rows);
    result.slips = response(moving, Eigen::all);
    return result;
}

// kept ż = load˙ − kept˙ z, and the forces change by columns ż + columns˙ z: a slip that turns takes its friction with it.
VectorXd rate_of(const Motion& now, const VectorXd& z, const solve::RankFactor& factor,
                 const LaterProblem& later, CoulombLabel label) {
    for (std::size_t k = 0; k < later.contacts.size(); ++k) {
        if (later.contacts[k].moving) label.direction[k] = later.contacts[k].direction;
    }
    Motion then = motion(later.D, later.b, later.contacts, label);
    const Index rules = now.stress.cols();
    if (then.kept.rows() != now.kept.rows()) return VectorXd::Zero(now.columns.rows());
    // One basis of the stresses is as good as another: the one that is closest to the present one.
    if (rules > 0)
        then.kept.bottomRows(rules) =
            now.stress.transpose() * then.stress * then.kept.bottomRows(rules);
    const VectorXd push = then.load - now.load - (then.kept - now.kept) * z;
    const VectorXd change = now.columns * factor.solve(push).x + (then.columns - now.columns) * z;
    // Rounding is no change.
    const double nothing = 1e-14 * (now.columns * z).cwiseAbs().maxCoeff();
    return (change.array().abs() > nothing).select(change / later.moment, 0.0);
}

std::optional<ForceSet> forces(const MatrixXd& D, const VectorXd& b,
                               const std::vector<CoulombContact>& contacts,
                               const CoulombLabel& label, const LaterProblem* later) {
    const Motion now = motion(D, b, contacts, label);
    if (now.columns.cols() == 0) return std::nullopt;
    solve::RankFactor particular;
    particular.factor(now.kept, {.threshold = 1e-10, .consistency = 1e-8});
    // What changes neither the motion nor the rule.
    MatrixXd same(now.kept.rows() + now.slips.rows(), now.kept.cols());
    same << now.kept, now.slips;
    solve::RankFactor factor;
    factor.factor(same, {.threshold = 1e-10, .consistency = 1e-8});
    if (particular.full_column_rank()) return std::nullopt;
    // A wall that holds a part of the weight by its friction unloads feet that slip: then no rule says how much, and all such
    // motions are as good.
    const MatrixXd set = factor.full_column_rank() ? particular.null_space() : factor.null_space();
    const VectorXd z = particular.solve(now.load).x;
    return ForceSet{now.columns * z,
                    later == nullptr ? VectorXd(VectorXd::Zero(D.rows()))
                                     : rate_of(now, z, particular, *later, label),
                    now.columns * set};
}

// x = (y, margin): every cone smaller by the margin; or x = (y, t).
std::vector<Cone> cones(const ForceSet& forces, const std::vector<CoulombContact>& contacts,
                        const CoulombLabel& label, bool margin) {
    const Index n = forces.set.cols() + 1;
    std::vector<Cone> list;
    const auto row = [&](Index i) {
        VectorXd r(n + 1);
        r << forces.set.row(i).transpose(), margin ? 0.0 : forces.rate(i), forces.at(i);
        return r;
    };
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        if (label.mode[k] == ContactMode::open) continue;
        Cone cone{row(c.normal), MatrixXd(0, n + 1)};
        if (label.mode[k] == ContactMode::stick) {
            cone.normal *= c.sticking;
            cone.friction.resize(c.slips, n + 1);
            for (int j = 0; j < c.slips; ++j) cone.friction.row(j) = row(c.slip + j);
        }
        if (margin) cone.normal(n - 1) = -1.0;
        list.push_back(std::move(cone));
    }
    return list;
}

// bound − last component > 0
Cone below(Index n, double bound) {
    VectorXd normal = VectorXd::Zero(n + 1);
    normal(n - 1) = -1.0;
    normal(n) = bound;
    return {normal, MatrixXd(0, n + 1)};
}

} // namespace

std::optional<SharedForces> share_forces(const MatrixXd& D, const VectorXd& b,
                                         const std::vector<CoulombContact>& contacts,
                                         const CoulombLabel& label, const LaterProblem* later) {
    const auto set = forces(D, b, contacts, label, later);
    if (!set) return std::nullopt;
    const double size = set->at.cwiseAbs().maxCoeff();
    if (!(size > 0.0)) return std::nullopt;
    const Index n = set->set.cols() + 1;

    // The largest margin, from forces with a negative one.
    auto smaller = cones(*set, contacts, label, true);
    VectorXd x = VectorXd::Zero(n);
    x(n - 1) = -4.0 * size * static_cast<double>(contacts.size());
    smaller.push_back(below(n, size));
    const Barrier widest(std::move(smaller), n, size);
    if (!widest.inside(x)) return std::nullopt;
    constexpr double k_exact = 1e-12;
    x = widest.climb(x, k_exact * size);
    const VectorXd now = set->at + set->set * x.head(n - 1);
    SharedForces shared{now, VectorXd::Zero(now.size()), std::numeric_limits<double>::infinity(),
                        x(n - 1) / size};
    if (!(shared.margin > k_exact)) {
        shared.margin = std::min(shared.margin, 0.0);
        shared.lasts = 0.0;
        return shared;
    }
    const double speed = set->rate.cwiseAbs().maxCoeff();
    if (!(speed > 0.0)) return shared;

    // The latest instant.
    const double longest = 1e3 * size / speed;
    x(n - 1) = 0.0;
    auto in_time = cones(*set, contacts, label, false);
    in_time.push_back(below(n, longest));
    // Times as long as forces are large, so that one scale fits both.
    const double unit = size / speed;
    for (Cone& c : in_time) {
        c.normal(n - 1) *= unit / size;
        if (c.friction.rows() > 0) c.friction.col(n - 1) *= unit / size;
    }
    const Barrier latest(std::move(in_time), n, size);
    if (!latest.inside(x)) return shared;
    x = latest.climb(x, 1e-10 * std::max(shared.margin, k_exact) * size);
    shared.lasts = x(n - 1) * unit / size;
    if (!(shared.lasts > 0.0)) return shared;
    const VectorXd then = set->at + set->set * x.head(n - 1) + set->rate * shared.lasts;
    shared.rate = (then - now) / shared.lasts;
    return shared;
}

} // namespace liaison::laws
