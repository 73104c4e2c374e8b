// SPDX-License-Identifier: Apache-2.0
// One angle by a grid and root finding, several by a damped fixed point that Newton's method finishes.
#include "liaison/laws/coulomb_directions.hpp"

#include "liaison/solve/dense.hpp"
#include "liaison/solve/scalar_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

Vector2d across(const Vector2d& s) { return {-s(1), s(0)}; }

// s^⊥·v̇ by starting contact, in units of the accelerations; empty where the forces are not determined.
VectorXd turning(CoulombAssignment& assignment, const ModeChoices& modes,
                 const std::vector<CoulombContact>& contacts,
                 const std::vector<std::size_t>& starting) {
    const auto a = assignment.accelerations(modes);
    if (!a) return {};
    VectorXd result(static_cast<Index>(starting.size()));
    for (std::size_t i = 0; i < starting.size(); ++i) {
        const std::size_t k = starting[i];
        result(static_cast<Index>(i)) =
            across(modes[k].direction).dot(a->segment<2>(contacts[k].slip)) /
            assignment.acceleration();
    }
    return result;
}

void turn(ModeChoices& modes, std::size_t k, double angle) {
    const Vector2d s = modes[k].direction;
    modes[k].direction = std::cos(angle) * s + std::sin(angle) * across(s);
}

// Averaging with the direction of v̇, until nothing changes or for a while.
bool approach(CoulombAssignment& assignment, ModeChoices& modes,
              const std::vector<CoulombContact>& contacts,
              const std::vector<std::size_t>& starting) {
    constexpr int k_most = 30;
    for (int i = 0; i < k_most; ++i) {
        const auto a = assignment.accelerations(modes);
        if (!a) return false;
        double change = 0.0;
        for (const std::size_t k : starting) {
            const Vector2d v = a->segment<2>(contacts[k].slip);
            const Vector2d mean = modes[k].direction + v / std::max(v.norm(), 1e-300);
            if (!(v.norm() > 0.0) || !(mean.norm() > 1e-6)) continue;
            const Vector2d next = mean.normalized();
            change = std::max(change, (next - modes[k].direction).norm());
            modes[k].direction = next;
        }
        if (change < 1e-6) return true;
    }
    return true;
}

bool newton(CoulombAssignment& assignment, ModeChoices& modes,
            const std::vector<CoulombContact>& contacts, const std::vector<std::size_t>& starting) {
    constexpr int k_most = 12;
    constexpr double k_step = 1e-6;
    constexpr double k_done = 1e-13;
    const auto n = static_cast<Index>(starting.size());
    for (int i = 0; i < k_most; ++i) {
        const VectorXd F = turning(assignment, modes, contacts, starting);
        if (F.size() == 0) return false;
        if (F.cwiseAbs().maxCoeff() < k_done) return true;
        MatrixXd J(n, n);
        for (Index j = 0; j < n; ++j) {
            const std::size_t k = starting[static_cast<std::size_t>(j)];
            const Vector2d s = modes[k].direction;
            turn(modes, k, k_step);
            const VectorXd ahead = turning(assignment, modes, contacts, starting);
            modes[k].direction = s;
            turn(modes, k, -k_step);
            const VectorXd behind = turning(assignment, modes, contacts, starting);
            modes[k].direction = s;
            if (ahead.size() == 0 || behind.size() == 0) return false;
            J.col(j) = (ahead - behind) / (2.0 * k_step);
        }
        const VectorXd step = solve::least_norm(J, -F);
        if (!step.allFinite()) return false;
        const double longest = step.cwiseAbs().maxCoeff();
        const double scale = longest > 0.5 ? 0.5 / longest : 1.0;
        for (Index j = 0; j < n; ++j)
            turn(modes, starting[static_cast<std::size_t>(j)], scale * step(j));
    }
    const VectorXd F = turning(assignment, modes, contacts, starting);
    return F.size() > 0 && F.cwiseAbs().maxCoeff() < 1e3 * k_done;
}

} // namespace

std::vector<std::size_t> starting_slips(const ModeChoices& modes,
                                        const std::vector<CoulombContact>& contacts) {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (is_slip(modes[k].mode) && contacts[k].slips == 2 && !contacts[k].moving)
            list.push_back(k);
    }
    return list;
}

void scan_direction(CoulombAssignment& assignment, ModeChoices& modes,
                    const std::vector<CoulombContact>& contacts, std::size_t k, double tolerance,
                    const std::function<void()>& at) {
    constexpr int k_grid = 360;
    const Index t = contacts[k].slip;
    const double scale = assignment.acceleration();
    const auto sideways = [&](double psi) {
        modes[k].direction = {std::cos(psi), std::sin(psi)};
        const auto a = assignment.accelerations(modes);
        if (!a) return std::numeric_limits<double>::quiet_NaN();
        return -std::sin(psi) * (*a)(t) + std::cos(psi) * (*a)(t + 1);
    };
    // Others keep this slip zero, whatever its friction: what changes its sign is rounding.
    const double nothing = 1e-12 * scale;
    const auto none = [&](double psi) { return std::abs(sideways(psi)) <= nothing; };
    if (none(0.3) && none(1.9) && none(3.1) && none(5.2)) {
        modes[k].direction.setZero();
        return;
    }
    const double step = 2.0 * std::numbers::pi / k_grid;
    double at_b = sideways(0.37 * step);
    for (int i = 0; i < k_grid; ++i) {
        const double a = (i + 0.37) * step;
        const double at_a = at_b;
        at_b = sideways(a + step);
        if (std::max(std::abs(at_a), std::abs(at_b)) <= nothing) continue;
        if (!(at_a * at_b <= 0.0)) continue;
        const auto root = solve::find_scalar_root(sideways, a, a + step);
        const double rest = sideways(root.root);
        const auto v = assignment.accelerations(modes);
        if (!v) continue;
        const double along = modes[k].direction.dot(v->segment<2>(t));
        // At the very onset the slip acceleration itself is zero.
        if (!(along > -tolerance * scale) || std::abs(rest) > 1e-7 * std::max(along, 1e-3 * scale))
            continue;
        at();
    }
    modes[k].direction.setZero();
}

bool follow_directions(const MatrixXd& D, const VectorXd& b,
                       const std::vector<CoulombContact>& contacts,
                       const std::vector<std::size_t>& starting, const CoulombOptions& options,
                       ModeChoices& modes) {
    constexpr double k_over = 64.0; // times the load: friction hardly turns the slips
    constexpr double k_smallest = 1e-9;
    const auto slips = [&](double over) {
        VectorXd load = b;
        for (const CoulombContact& c : contacts)
            for (int j = 0; j < c.slips; ++j) load(c.slip + j) *= 1.0 + over;
        return load;
    };
    for (const std::size_t k : starting) {
        const Vector2d v = b.segment<2>(contacts[k].slip);
        if (!(v.norm() > 0.0)) return false;
        modes[k].direction = v.normalized();
    }
    // The overload falls to zero, faster or slower as Newton's method keeps up.
    double over = k_over;
    double factor = 0.25;
    ModeChoices last = modes;
    bool first = true;
    for (int i = 0; i < 200; ++i) {
        const double next = first ? over : over * factor < k_smallest ? 0.0 : over * factor;
        const VectorXd load = slips(next);
        CoulombAssignment assignment(D, load, contacts, options);
        modes = last;
        if (newton(assignment, modes, contacts, starting)) {
            if (next == 0.0) return true;
            last = modes;
            over = next;
            first = false;
            factor = std::max(0.25, factor * factor);
        } else {
            if (first) return false;
            factor = std::sqrt(factor);
            if (factor > 0.97) return false;
        }
    }
    return false;
}

bool find_directions(CoulombAssignment& assignment, ModeChoices& modes,
                     const std::vector<CoulombContact>& contacts,
                     const std::vector<std::size_t>& starting) {
    if (!approach(assignment, modes, contacts, starting)) return false;
    if (!newton(assignment, modes, contacts, starting)) return false;
    const auto a = assignment.accelerations(modes);
    return a && std::ranges::all_of(starting, [&](std::size_t k) {
               return modes[k].direction.dot(a->segment<2>(contacts[k].slip)) > 0.0;
           });
}

} // namespace liaison::laws
