// SPDX-License-Identifier: Apache-2.0
// Newton's method on the angles of slow slips, at two instants.
#include "liaison/laws/slow_slip.hpp"

#include "liaison/solve/dense.hpp"

#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

class Curve {
  public:
    Curve(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
          ModeChoices& modes, const std::vector<SlowSlip>& slips)
        : assignment_(D, b, contacts, {}), contacts_(contacts), modes_(modes), slips_(slips) {}

    // s^⊥·v̇ and s·v̇ by slip; false where the forces are not determined.
    bool evaluate(const VectorXd& angle, VectorXd& sideways, VectorXd& along) {
        for (std::size_t i = 0; i < slips_.size(); ++i) {
            const double phi = angle(static_cast<Index>(i));
            modes_[slips_[i].contact].direction = {std::cos(phi), std::sin(phi)};
        }
        const auto a = assignment_.accelerations(modes_);
        if (!a) return false;
        for (std::size_t i = 0; i < slips_.size(); ++i) {
            const std::size_t k = slips_[i].contact;
            const Vector2d s = modes_[k].direction;
            const Vector2d v = a->segment<2>(contacts_[k].slip);
            sideways(static_cast<Index>(i)) = s(0) * v(1) - s(1) * v(0);
            along(static_cast<Index>(i)) = s.dot(v);
        }
        return true;
    }

    // ∂(s^⊥·v̇)/∂φ around values that are known.
    bool slope(const VectorXd& angle, const VectorXd& sideways, MatrixXd& J) {
        constexpr double k_step = 1e-6;
        const Index n = angle.size();
        VectorXd other(n);
        VectorXd unused(n);
        J.resize(n, n);
        for (Index j = 0; j < n; ++j) {
            VectorXd ahead = angle;
            ahead(j) += k_step;
            if (!evaluate(ahead, other, unused)) return false;
            J.col(j) = (other - sideways) / k_step;
        }
        return true;
    }

    // Angles with s^⊥·v̇ = push + growth (φ − φ₀), φ₀ the ones it begins with.
    bool solve(VectorXd& angle, const VectorXd& push, VectorXd& sideways, VectorXd& along,
               MatrixXd& J, const VectorXd& growth = {}) {
        const VectorXd first = angle;
        const auto missing = [&] {
            VectorXd F = sideways - push;
            if (growth.size() > 0) F -= growth.cwiseProduct(angle - first);
            return F;
        };
        constexpr int k_most = 12;
        const double done = 1e-14 * assignment_.acceleration();
        for (int round = 0; round < k_most; ++round) {
            if (!evaluate(angle, sideways, along) || !slope(angle, sideways, J)) return false;
            const VectorXd F = missing();
            if (F.cwiseAbs().maxCoeff() <= done) return true;
            MatrixXd slope = J;
            if (growth.size() > 0) slope.diagonal() -= growth;
            const VectorXd step = solve::least_norm(slope, F);
            if (!step.allFinite() || step.cwiseAbs().maxCoeff() > 0.5) return false;
            angle -= step;
        }
        return evaluate(angle, sideways, along) && missing().cwiseAbs().maxCoeff() <= 1e4 * done;
    }

  private:
    CoulombAssignment assignment_;
    const std::vector<CoulombContact>& contacts_;
    ModeChoices& modes_;
    const std::vector<SlowSlip>& slips_;
};

} // namespace

std::optional<MatrixXd> follow_slow_slips(const MatrixXd& D, const VectorXd& b,
                                          const LaterProblem& later,
                                          const std::vector<CoulombContact>& contacts,
                                          ModeChoices modes, std::vector<SlowSlip>& slips) {
    const auto n = static_cast<Index>(slips.size());
    VectorXd angle(n);
    VectorXd speed(n);
    for (Index i = 0; i < n; ++i) {
        angle(i) = slips[static_cast<std::size_t>(i)].angle;
        speed(i) = slips[static_cast<std::size_t>(i)].speed;
    }
    ModeChoices modes_then = modes;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (later.contacts[k].moving) modes_then[k].direction = later.contacts[k].direction;
    }
    Curve now(D, b, contacts, modes, slips);
    Curve then(later.D, later.b, later.contacts, modes_then, slips);
    VectorXd turning = VectorXd::Zero(n);
    VectorXd sideways(n);
    VectorXd sideways_then(n);
    VectorXd growth(n);
    VectorXd grown(n);
    MatrixXd slope;
    MatrixXd J;
    const double d = later.moment;
    // F = s^⊥·v̇ with F(φ, t) = r φ', and, a moment d later, F(φ + d φ', t + d) = r(t + d) φ'. Their difference is free of r,
    // so that Newton's method on φ' converges however fast the slip is already.
    constexpr int k_most = 12;
    constexpr double k_done = 1e-8; // 1e-15 of the accelerations, in a moment
    double change = 1.0;
    for (int round = 0; round < k_most && change > k_done; ++round) {
        if (!now.solve(angle, speed.cwiseProduct(turning), sideways, growth, slope))
            return std::nullopt;
        const VectorXd ahead = angle + d * turning;
        if (!then.evaluate(ahead, sideways_then, grown) || !then.slope(ahead, sideways_then, J))
            return std::nullopt;
        const VectorXd gain = 0.5 * (growth + grown); // of r, by time
        const VectorXd F = (sideways_then - sideways) / d - gain.cwiseProduct(turning);
        J.diagonal() -= gain;
        const VectorXd step = solve::least_norm(J, F);
        if (!step.allFinite()) return std::nullopt;
        turning -= step;
        change = d * step.cwiseAbs().maxCoeff() / (1e-6 + d * turning.cwiseAbs().maxCoeff());
    }
    if (!(change <= 1e4 * k_done)) return std::nullopt;
    for (Index i = 0; i < n; ++i) {
        SlowSlip& s = slips[static_cast<std::size_t>(i)];
        s.angle = angle(i);
        s.turning = turning(i);
        s.growth = growth(i);
        s.change = (grown(i) - growth(i)) / d;
        s.hold = std::abs(slope(i, i));
        s.forced = s.hold <= 1e-3 * b.cwiseAbs().maxCoeff();
        // Not known, but as fast as the rates that are; the load itself may begin to turn.
        const double load = std::abs(s.change) / std::max(s.hold, 1e-300);
        const double turn = std::abs(turning(i));
        s.bends = turn * turn + turn * load + 0.01 * load * load;
    }
    return slope;
}

// F(φ(d), t + d) = r(d) φ'(d) with φ(d) = φ + φ' d + ½φ'' d² and φ'(d) = φ' + φ'' d: with δ = ½φ'' d² the right-hand side is
// r(d) (φ' + 2δ/d).
void measure_bends(const LaterProblem& later, ModeChoices modes, std::vector<SlowSlip>& slips) {
    const auto n = static_cast<Index>(slips.size());
    const double d = later.moment;
    VectorXd ahead(n);
    VectorXd push(n);
    VectorXd speed(n); // r(d)
    for (Index i = 0; i < n; ++i) {
        const SlowSlip& s = slips[static_cast<std::size_t>(i)];
        ahead(i) = s.angle + d * s.turning;
        speed(i) = s.speed + d * (s.growth + 0.5 * d * s.change);
        push(i) = speed(i) * s.turning;
    }
    for (std::size_t k = 0; k < later.contacts.size(); ++k) {
        if (later.contacts[k].moving) modes[k].direction = later.contacts[k].direction;
    }
    const VectorXd straight = ahead;
    Curve then(later.D, later.b, later.contacts, modes, slips);
    VectorXd sideways(n);
    VectorXd along(n);
    MatrixXd J;
    if (!then.solve(ahead, push, sideways, along, J, 2.0 / d * speed)) return;
    for (Index i = 0; i < n; ++i) {
        SlowSlip& s = slips[static_cast<std::size_t>(i)];
        s.bend = 2.0 * (ahead(i) - straight(i)) / (d * d);
        s.bends = std::max(s.bends, std::abs(s.bend));
    }
}

} // namespace liaison::laws
