// SPDX-License-Identifier: Apache-2.0
// Slip and stick phases of a planar impact, each advanced to its end at once.
#include "liaison/laws/planar_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::laws {
namespace {

constexpr double k_boundary = 1e-9;
constexpr double k_dependent = 1e-12;
constexpr double k_never = std::numeric_limits<double>::infinity();

class PlanarImpact {
  public:
    PlanarImpact(const PlanarContact& contact, double u, double v, double kappa, Restitution law)
        : contact_(contact), kappa_(kappa), law_(law), u0_(u), u_(u), v_(v),
          scale_(std::abs(u) + (contact.D_tt > 0.0
                                    ? std::abs(v) * std::sqrt(contact.D_nn / contact.D_tt)
                                    : 0.0)) {}

    FrictionImpact run() {
        // At most two slip or stick phases, split by the end of compression.
        constexpr int k_most_phases = 8;
        choose();
        if (u_ == 0.0 && u_rate_ > 0.0) return finish();
        for (int i = 0; i < k_most_phases && !over_; ++i) phase();
        result_.finished = over_;
        return finish();
    }

  private:
    // The direction of friction from here on.
    void choose() {
        sign_ = v_ > 0.0 ? 1.0 : v_ < 0.0 ? -1.0 : 0.0;
        // Rest is held by what slip would rub with, and by more where static friction is larger.
        const double pushed = contact_.D_nt > 0.0 ? 1.0 : -1.0;
        const double holds = std::max(contact_.sticking, contact_.sliding_along(pushed));
        if (sign_ == 0.0 && holds * contact_.D_tt < std::abs(contact_.D_nt)) sign_ = pushed;
        const double held = contact_.D_tt > 0.0 ? -contact_.D_nt / contact_.D_tt : 0.0;
        const double m = sign_ != 0.0 ? -contact_.sliding_along(sign_) * sign_ : held;
        p_rate_ = m;
        u_rate_ = contact_.D_nn + contact_.D_nt * m;
        // Others leave the contact one direction only: what sticks cannot part, and its gap stands still with its slip.
        if (sign_ == 0.0 && u_rate_ <= k_dependent * contact_.D_nn) {
            u_rate_ = 0.0;
            if (!compressing_) u_ = 0.0;
        }
        // On the boundary B₁' = 0 the gap rate stays zero until slip stops (theory of friction, §8).
        if (u0_ == 0.0 && sign_ != 0.0 && std::abs(u_rate_) <= k_boundary * contact_.D_nn)
            u_rate_ = 0.0;
        v_rate_ = sign_ != 0.0 ? contact_.D_nt + contact_.D_tt * m : 0.0;
    }

    void phase() {
        const double to_rest = v_ * v_rate_ < 0.0 ? -v_ / v_rate_ : k_never;
        const double to_end = compressing_ ? end_of_compression() : end_of_restitution();
        const double step = std::min(to_rest, to_end);
        if (!std::isfinite(step)) {
            // Both ended at once, but for rounding.
            if (compressing_ && -u_ <= k_dependent * scale_)
                end_part();
            else
                result_.jammed = jammed();
            return;
        }
        if (step > 0.0) advance(step);
        if (to_rest <= to_end) {
            v_ = 0.0;
            close_phase(step);
            choose();
        }
        if (to_end <= to_rest) {
            if (to_end < to_rest) close_phase(step);
            end_part();
        }
    }

    [[nodiscard]] bool jammed() const { return sign_ == 0.0 && u_rate_ == 0.0; }
    [[nodiscard]] double end_of_compression() const {
        return u_rate_ > 0.0 ? -u_ / u_rate_ : k_never;
    }
    [[nodiscard]] double end_of_restitution() const {
        switch (law_) {
        case Restitution::newton: return u_rate_ != 0.0 ? (-kappa_ * u0_ - u_) / u_rate_ : k_never;
        case Restitution::poisson: return (1.0 + kappa_) * result_.compression - result_.normal;
        case Restitution::energetic: break;
        }
        if (jammed()) return k_never; // an impulse does no work
        const double rest =
            (1.0 - kappa_ * kappa_) * result_.work_compression - result_.work_normal;
        // (−u + √(u² + 2u'ρ))/u' without cancellation.
        return 2.0 * rest / (u_ + std::sqrt(u_ * u_ + 2.0 * u_rate_ * rest));
    }

    void advance(double step) {
        result_.work_normal += step * (u_ + 0.5 * u_rate_ * step);
        result_.work_friction += p_rate_ * step * (v_ + 0.5 * v_rate_ * step);
        result_.normal += step;
        result_.tangential(0) += p_rate_ * step;
        u_ += u_rate_ * step;
        v_ += v_rate_ * step;
    }
    void close_phase(double step) {
        if (step > 0.0)
            result_.phases.push_back({compressing_, sign_ == 0.0, result_.normal, u_, {v_, 0.0}});
    }
    void end_part() {
        if (!compressing_) {
            over_ = true;
            return;
        }
        u_ = 0.0;
        if (!result_.phases.empty()) result_.phases.back().normal_rate = 0.0;
        result_.compression = result_.normal;
        result_.work_compression = result_.work_normal;
        compressing_ = false;
        over_ = kappa_ == 0.0 || (law_ == Restitution::newton && u0_ == 0.0);
    }
    FrictionImpact finish() {
        result_.normal_rate = u_;
        result_.slip = {v_, 0.0};
        return std::move(result_);
    }

    const PlanarContact& contact_;
    double kappa_;
    Restitution law_;
    double u0_, u_, v_;
    double scale_; // of gap rates
    double sign_ = 0.0;
    double u_rate_ = 0.0, v_rate_ = 0.0, p_rate_ = 0.0;
    bool compressing_ = true;
    bool over_ = false;
    FrictionImpact result_;
};

} // namespace

double normal_response(const PlanarContact& contact, double slip_sign) {
    return contact.D_nn - contact.sliding_along(slip_sign) * slip_sign * contact.D_nt;
}

FrictionImpact planar_impact(const PlanarContact& contact, double u, double v, double kappa,
                             Restitution law) {
    return PlanarImpact(contact, u, v, kappa, law).run();
}

} // namespace liaison::laws
