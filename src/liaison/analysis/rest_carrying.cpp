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

    // A relay above and below its surface pushes towards it if D (u_above − u) < 0 < D (u_below − u), where D is the
    // answer of the surface's rate to u.
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
        const double above = rest_.value(s.above, X_) - u;
        const double below = rest_.value(s.below, X_) - u;
        if (std::min(u - lower, upper - u) <=
            k_share * std::max(std::abs(upper), std::abs(lower))) {
            obstacle(fmt::format("{} is at the end of what it can hold", s.name));
            return;
        }
        if (std::abs(D) <= 1e-12 * reach_(static_cast<Index>(k))) {
            obstacle(fmt::format("{} does not act on the rate of its surface", s.name));
            return;
        }
        if (D * (above - below) > 0.0) {
            result_.repels = s.name;
            return;
        }
        // Towards the surface on both sides: the value needed lies between those off it.
        const double middle = 0.5 * (above + below) + u;
        const double kinetic = 0.5 * std::abs(above - below);
        load(s.name, std::abs(u - middle), 0.5 * (upper - lower), kinetic);
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
        if (rest_.first_order()) {
            const MatrixXd surface = d.surface_q.topRows(static_cast<Index>(supports_.size()));
            response_ = surface * d.by_force;
            reach_ = surface.rowwise().norm().cwiseProduct(d.by_force.colwise().norm().transpose());
            return;
        }
        const Index n = d.M.rows();
        std::vector<Index> kept;
        for (std::size_t k = 0; k < supports_.size(); ++k) {
            if (supports_[k].kind == SupportKind::constraint && !presses(k))
                kept.push_back(static_cast<Index>(k));
        }
        const auto m = static_cast<Index>(kept.size());
        MatrixXd L = MatrixXd::Zero(n + m, n + m);
        MatrixXd R = MatrixXd::Zero(n + m, d.by_force.cols());
        L.topLeftCorner(n, n) = d.M;
        R.topRows(n) = d.by_force;
        for (Index i = 0; i < m; ++i) {
            L.block(n + i, 0, 1, n) = d.surface_v.row(kept[static_cast<std::size_t>(i)]);
            L.block(0, n + i, n, 1) = -d.by_force.col(kept[static_cast<std::size_t>(i)]);
        }
        const MatrixXd moved = solve::least_norm_columns(L, R, 1e-12).topRows(n);
        response_ = d.surface_v * moved;
        reach_ = d.surface_v.rowwise().norm().cwiseProduct(moved.colwise().norm().transpose());
    }

    void couple() {
        for (std::size_t i = 0; i < supports_.size() && result_.coupling.empty(); ++i) {
            if (!presses(i)) continue;
            for (std::size_t j = 0; j < supports_.size(); ++j) {
                if (i == j || !carries(j) ||
                    (!presses(j) && supports_[j].kind != SupportKind::tangential))
                    continue;
                const auto [a, b] = std::pair{static_cast<Index>(i), static_cast<Index>(j)};
                const double own = std::sqrt(std::abs(response_(a, a) * response_(b, b)));
                if (std::abs(response_(a, b)) <= 1e-12 * own) continue;
                result_.coupling =
                    presses(j) ? fmt::format("the pressures of {} and {} answer to each other",
                                             supports_[i].name, supports_[j].name)
                               : fmt::format("the pressure of {} answers to the friction of {}",
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
    MatrixXd response_;
    VectorXd reach_; // what an answer of a surface to its own force could be at most
    Carrying result_;
};

} // namespace

Carrying carrying(const model::Model& model, const RestEquations& rest, const Equilibrium& e) {
    return Reading(model, rest, e).read();
}

} // namespace liaison::analysis
