// SPDX-License-Identifier: Apache-2.0
// Loads, reserves and the responses of supports to each other's forces.
#include "liaison/analysis/rest_carrying.hpp"

#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_share = 1e-9; // of a force that is as good as none

VectorXd unknowns(const Equilibrium& e) {
    VectorXd X(static_cast<Index>(e.q.size() + e.forces.size()));
    Index i = 0;
    for (const double q : e.q) X(i++) = q;
    for (const double f : e.forces) X(i++) = f;
    return X;
}

class Reading {
  public:
    Reading(const model::Model& model, const RestEquations& rest, const Equilibrium& e)
        : model_(model), rest_(rest), supports_(rest.supports()), e_(e), X_(unknowns(e)) {
        for (const double f : e.forces) scale_ = std::max(scale_, std::abs(f));
    }

    Carrying read() {
        respond();
        for (std::size_t k = 0; k < supports_.size(); ++k) {
            const Support& s = supports_[k];
            if (e_.states[k] == SupportState::slides) result_.slides = true;
            if (s.kind == SupportKind::normal && e_.states[k] == SupportState::absent &&
                std::abs(e_.gaps[k]) < k_share)
                obstacle(fmt::format("{} touches without carrying anything", s.name));
            const bool off = s.kind == SupportKind::relay && (e_.states[k] == SupportState::above ||
                                                              e_.states[k] == SupportState::below);
            if (off && !rest_.pushes_constantly(k)) result_.driven = s.name;
            if (e_.states[k] != SupportState::holds) continue;
            if (s.kind == SupportKind::normal) pressed(k);
            if (s.kind == SupportKind::tangential) sticks(k);
            if (s.kind == SupportKind::relay) relay(k);
        }
        couple();
        return std::move(result_);
    }

  private:
    void obstacle(std::string text) {
        if (result_.obstacle.empty()) result_.obstacle = std::move(text);
    }

    void pressed(std::size_t k) {
        ++result_.contacts;
        if (e_.forces[k] <= k_share * scale_)
            obstacle(fmt::format("{} touches without carrying anything", supports_[k].name));
        const auto& law = model_.contacts[supports_[k].contact].restitution;
        const double restitution = law ? rest_.value(law.expr, X_) : 0.0;
        result_.bounces_die_out = result_.bounces_die_out && restitution < 1.0;
        result_.bounces_gain = result_.bounces_gain || !(restitution <= 1.0);
    }

    void sticks(std::size_t k) {
        ++result_.held;
        const Support& s = supports_[k];
        double square = 0.0;
        for (std::size_t j = 0; j < supports_.size(); ++j) {
            if (supports_[j].kind == SupportKind::tangential && supports_[j].owner == s.owner)
                square += e_.forces[j] * e_.forces[j];
        }
        load(s.name, std::sqrt(square), e_.bound[k], rest_.value(s.kinetic, X_));
    }

    // The rate of its surface with a relay at the value u, everything else as at rest.
    double rate(std::size_t relay, double u) const {
        VectorXd X = X_;
        X(static_cast<Index>(e_.q.size() + relay)) = u;
        VectorXd r;
        rest_.evaluate(e_.states, X, r, nullptr);
        return surface_.row(static_cast<Index>(relay))
            .dot(moved(r.head(static_cast<Index>(rest_.n_balance()))).col(0));
    }

    // A relay above and below its surface pushes towards it where the rate of the surface is negative with the value
    // above, positive with the one below.
    void relay(std::size_t k) {
        const Support& s = supports_[k];
        if (s.holonomic && !rest_.first_order()) {
            ++result_.relay_surfaces;
            return;
        }
        ++(s.holonomic ? result_.relay_surfaces : result_.held);
        const double u = e_.forces[k];
        const double lower = rest_.value(s.lower, X_);
        const double upper = rest_.value(s.upper, X_);
        const double D = response_(static_cast<Index>(k), static_cast<Index>(k));
        const double above = rest_.value(s.above, X_);
        const double below = rest_.value(s.below, X_);
        if (std::min(u - lower, upper - u) <=
            k_share * std::max(std::abs(upper), std::abs(lower))) {
            obstacle(fmt::format("{} is at the end of what it can hold", s.name));
            return;
        }
        if (std::abs(D) <= 1e-12 * reach_(static_cast<Index>(k))) {
            obstacle(fmt::format("{} does not act on the rate of its surface", s.name));
            return;
        }
        for (const double value : {above, below}) {
            const double linear = D * (value - u);
            if (std::abs(rate(k, value) - linear) > 1e-9 * std::abs(D) * (upper - lower))
                return obstacle(fmt::format(
                    "the force of {} is not linear in its value, so that what holds it on its "
                    "surface depends on how sliding is defined",
                    s.name));
        }
        if (!rest_.first_order() && !along_its_surface(k)) result_.skew = s.name;
        if (D * (above - below) > 0.0) {
            result_.repels = s.name;
            result_.repels_alone = alone(k);
            return;
        }
        // Towards the surface on both sides: the value needed lies between those off it.
        load(s.name, std::abs(u - 0.5 * (above + below)), 0.5 * (upper - lower),
             0.5 * std::abs(above - below));
    }

    // Whether the force acts along the rate of its surface, so that it takes power wherever there is slip.
    bool along_its_surface(std::size_t k) const {
        const VectorXd acts = by_force_.col(static_cast<Index>(k));
        const VectorXd row = surface_.row(static_cast<Index>(k)).transpose();
        const double along = acts.dot(row);
        const double most = acts.squaredNorm() * row.squaredNorm();
        return most - along * along <= 1e-18 * most;
    }

    // Whether no other support that carries acts on the rate of this one.
    bool alone(std::size_t k) const {
        for (std::size_t j = 0; j < supports_.size(); ++j) {
            const bool kept = supports_[j].kind == SupportKind::constraint && !presses(j);
            if (j != k && carries(j) && !kept && answers(k, j)) return false;
        }
        return true;
    }

    // Whether the rate of surface i changes with force j.
    bool answers(std::size_t i, std::size_t j) const {
        const auto [a, b] = std::pair{static_cast<Index>(i), static_cast<Index>(j)};
        return std::abs(response_(a, b)) >
               1e-12 * std::sqrt(std::abs(response_(a, a) * response_(b, b)));
    }

    void load(const std::string& name, double force, double bound, double kinetic) {
        if (force >= bound * (1.0 - k_share)) {
            obstacle(fmt::format("{} is at the end of what it can hold", name));
            return;
        }
        if (!(force < kinetic * (1.0 - k_share))) {
            if (force > kinetic * (1.0 + k_share))
                result_.set_off = fmt::format(
                    "{} holds {:.6g} by its static bound {:.6g} alone; slip is opposed by {:.6g}",
                    name, force, bound, kinetic);
            else
                obstacle(fmt::format("{} would oppose slip with no more than it holds", name));
            return;
        }
        const double share = force / kinetic;
        if (share < least_reserve_) return;
        least_reserve_ = share;
        result_.reserve = fmt::format("{} {:.6g} of {:.6g}", name, force, kinetic);
    }

    bool carries(std::size_t k) const {
        return e_.states[k] == SupportState::holds || e_.states[k] == SupportState::slides;
    }
    // Its force answers to others, and friction depends on it.
    bool presses(std::size_t k) const {
        if (!carries(k)) return false;
        if (supports_[k].kind == SupportKind::normal) return true;
        return supports_[k].kind == SupportKind::constraint &&
               std::any_of(supports_.begin(), supports_.end(), [&](const Support& s) {
                   return s.kind == SupportKind::tangential && s.owner == k;
               });
    }

    // Rates of all surfaces by all forces, with the constraints that friction does not lean on kept.
    void respond() {
        const RestDerivatives d = rest_.derivatives(e_.states, X_);
        by_force_ = d.by_force;
        if (rest_.first_order()) {
            surface_ = d.surface_q.topRows(static_cast<Index>(supports_.size()));
            inertia_ = MatrixXd::Identity(d.by_force.rows(), d.by_force.rows());
        } else {
            surface_ = d.surface_v;
            const Index n = d.M.rows();
            std::vector<Index> kept;
            for (std::size_t k = 0; k < supports_.size(); ++k) {
                if (supports_[k].kind == SupportKind::constraint && !presses(k))
                    kept.push_back(static_cast<Index>(k));
            }
            const auto m = static_cast<Index>(kept.size());
            inertia_ = MatrixXd::Zero(n + m, n + m);
            inertia_.topLeftCorner(n, n) = d.M;
            for (Index i = 0; i < m; ++i) {
                const Index k = kept[static_cast<std::size_t>(i)];
                inertia_.block(n + i, 0, 1, n) = d.surface_v.row(k);
                inertia_.block(0, n + i, n, 1) = -d.by_force.col(k);
            }
        }
        const MatrixXd by_all = moved(by_force_);
        response_ = surface_ * by_all;
        reach_ = surface_.rowwise().norm().cwiseProduct(by_all.colwise().norm().transpose());
    }

    // Accelerations, or rates of a first-order system, by forces on the balance.
    [[nodiscard]] MatrixXd moved(const MatrixXd& forces) const {
        MatrixXd right = MatrixXd::Zero(inertia_.rows(), forces.cols());
        right.topRows(forces.rows()) = forces;
        return solve::least_norm_columns(inertia_, right, 1e-12).topRows(forces.rows());
    }

    void couple() {
        for (std::size_t i = 0; i < supports_.size() && result_.coupling.empty(); ++i) {
            if (!presses(i)) continue;
            for (std::size_t j = 0; j < supports_.size(); ++j) {
                const bool rubs = supports_[j].kind == SupportKind::tangential;
                const bool switches = supports_[j].kind == SupportKind::relay;
                if (i == j || !carries(j) || (!presses(j) && !rubs && !switches) || !answers(i, j))
                    continue;
                result_.coupling =
                    rubs       ? fmt::format("the pressure of {} answers to the friction of {}",
                                             supports_[i].name, supports_[j].name)
                    : switches ? fmt::format("the pressure of {} answers to {}", supports_[i].name,
                                             supports_[j].name)
                               : fmt::format("the pressures of {} and {} answer to each other",
                                             supports_[i].name, supports_[j].name);
                break;
            }
        }
    }

    const model::Model& model_;
    const RestEquations& rest_;
    const std::vector<Support>& supports_;
    const Equilibrium& e_;
    VectorXd X_;
    double scale_ = 1e-300;
    double least_reserve_ = -1.0;
    MatrixXd surface_; // rates of surfaces by velocities, in first-order systems by positions
    MatrixXd by_force_;
    MatrixXd inertia_; // with the constraints that are kept
    MatrixXd response_;
    VectorXd reach_; // what an answer of a surface to its own force could be at most
    Carrying result_;
};

} // namespace

Carrying carrying(const model::Model& model, const RestEquations& rest, const Equilibrium& e) {
    return Reading(model, rest, e).read();
}

} // namespace liaison::analysis
