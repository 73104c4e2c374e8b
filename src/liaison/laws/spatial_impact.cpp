// SPDX-License-Identifier: Apache-2.0
// Turning slip by an adaptive Runge–Kutta method in the desingularised variable, straight phases in closed form.
#include "liaison/laws/spatial_impact.hpp"

#include "liaison/solve/dense.hpp"
#include "liaison/solve/scalar_root.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace liaison::laws {
namespace {

using Eigen::Vector2d;

// φ, ln r, N, u, P₁, P₂, work of the normal impulse, work of friction.
using State = Eigen::Matrix<double, 8, 1>;

constexpr double k_curve_boundary = 1e-9;
constexpr double k_dependent = 1e-12;
constexpr double k_never = std::numeric_limits<double>::infinity();

class SpatialImpact {
  public:
    SpatialImpact(const SpatialContact& contact, double u, const Vector2d& v, double kappa,
                  Restitution law)
        : contact_(contact), c_(contact.coupling()), D_tt_(contact.tangential()), kappa_(kappa),
          law_(law), u0_(u), scale_(std::max(v.norm(), std::abs(u))) {
        y_.setZero();
        y_(3) = u;
        moving_ = v.norm() > 0.0;
        if (moving_) {
            y_(0) = std::atan2(v(1), v(0));
            y_(1) = std::log(v.norm());
        }
    }

    FrictionImpact run() {
        if (u0_ == 0.0 && empty()) return finish();
        if (moving_) turn();
        if (!over_ && !moving_) straight();
        result_.finished = over_;
        return finish();
    }

  private:
    [[nodiscard]] Vector2d direction(double phi) const { return {std::cos(phi), std::sin(phi)}; }
    [[nodiscard]] double response(const Vector2d& s) const {
        return contact_.D(0, 0) - contact_.sliding * c_.dot(s);
    }

    // A contact without approach takes no impact where the normal response is positive, or becomes so at once.
    [[nodiscard]] bool empty() const {
        if (!moving_) return true;
        const Vector2d s = direction(y_(0));
        const double B = response(s);
        if (std::abs(B) > k_curve_boundary * contact_.D(0, 0)) return B > 0.0;
        const Vector2d across(-s(1), s(0));
        const double F = across.dot(c_ - contact_.sliding * D_tt_ * s);
        return -contact_.sliding * c_.dot(across) * F > 0.0;
    }

    [[nodiscard]] State field(const State& y) const {
        const Vector2d s = direction(y(0));
        const double r = std::exp(y(1));
        const double mu = contact_.sliding;
        const Vector2d push = c_ - mu * D_tt_ * s;
        State f;
        f << -s(1) * push(0) + s(0) * push(1), s.dot(push), r, r * response(s), -mu * s(0) * r,
            -mu * s(1) * r, r * y(3), -mu * r * r;
        return f;
    }

    // One step of Dormand and Prince; `error` in units of the tolerance.
    State step(const State& y, double h, double* error) const {
        const State k1 = field(y);
        const State k2 = field(y + h * (k1 / 5.0));
        const State k3 = field(y + h * (k1 * (3.0 / 40.0) + k2 * (9.0 / 40.0)));
        const State k4 =
            field(y + h * (k1 * (44.0 / 45.0) - k2 * (56.0 / 15.0) + k3 * (32.0 / 9.0)));
        const State k5 = field(y + h * (k1 * (19372.0 / 6561.0) - k2 * (25360.0 / 2187.0) +
                                        k3 * (64448.0 / 6561.0) - k4 * (212.0 / 729.0)));
        const State k6 =
            field(y + h * (k1 * (9017.0 / 3168.0) - k2 * (355.0 / 33.0) + k3 * (46732.0 / 5247.0) +
                           k4 * (49.0 / 176.0) - k5 * (5103.0 / 18656.0)));
        const State next =
            y + h * (k1 * (35.0 / 384.0) + k3 * (500.0 / 1113.0) + k4 * (125.0 / 192.0) -
                     k5 * (2187.0 / 6784.0) + k6 * (11.0 / 84.0));
        if (error != nullptr) {
            const State k7 = field(next);
            const State e =
                h * (k1 * (71.0 / 57600.0) - k3 * (71.0 / 16695.0) + k4 * (71.0 / 1920.0) -
                     k5 * (17253.0 / 339200.0) + k6 * (22.0 / 525.0) - k7 * (1.0 / 40.0));
            const double unit = scale_ / contact_.D(0, 0);
            State size;
            size << 1.0, 1.0, unit, scale_, unit, unit, unit * scale_, unit * scale_;
            *error = (e.array().abs() / size.array()).maxCoeff() / 1e-13;
        }
        return next;
    }

    // Zero ends the present part: compression at u = 0 upwards, restitution by its law. Without approach u starts at
    // zero, which u/N does not.
    [[nodiscard]] double remaining(const State& y) const {
        if (compressing_) {
            if (u0_ != 0.0) return y(3);
            return y(2) > 0.0 ? y(3) / y(2) : response(direction(y(0)));
        }
        switch (law_) {
        case Restitution::newton: return y(3) + kappa_ * u0_;
        case Restitution::poisson: return y(2) - (1.0 + kappa_) * result_.compression;
        case Restitution::energetic: break;
        }
        return y(6) - (1.0 - kappa_ * kappa_) * result_.work_compression;
    }

    void turn() {
        constexpr int k_most_steps = 100000;
        constexpr double k_tiny = 1e-14;
        const double end = std::log(k_tiny * scale_);
        double h = 1e-3 / (contact_.sliding * D_tt_.norm() + c_.norm());
        for (int i = 0; i < k_most_steps && !over_ && moving_ && !settle(); ++i) {
            double error = 0.0;
            const State next = step(y_, h, &error);
            if (error > 1.0) {
                h *= std::max(0.2, 0.9 * std::pow(error, -0.2));
                continue;
            }
            if (remaining(next) >= 0.0 && remaining(y_) < 0.0) {
                const auto root = solve::find_scalar_root(
                    [&](double part) { return remaining(step(y_, part, nullptr)); }, 0.0, h);
                y_ = step(y_, root.root, nullptr);
                close(false);
                end_part();
                continue;
            }
            y_ = next;
            h *= std::min(4.0, 0.9 * std::pow(std::max(error, 1e-10), -0.2));
            if (y_(1) < end) die_out();
        }
    }

    // The last of the slip: along its direction, to first order in r.
    void die_out() {
        const Vector2d s = direction(y_(0));
        const double r = std::exp(y_(1));
        const double G = s.dot(c_ - contact_.sliding * D_tt_ * s);
        if (G < 0.0) advance(-r / G, -contact_.sliding * s, response(s), 0.0);
        close(false);
        moving_ = false;
    }

    // The direction of slip changes no more: φ' = F(φ) is at a root, or next to one that attracts it. What is left is a slip along a
    // line, that may last very long beside the time in which the direction came there.
    bool settle() {
        constexpr double k_settled = 1e-11; // of an angle
        const double mu = contact_.sliding;
        const Vector2d s = direction(y_(0));
        const Vector2d across(-s(1), s(0));
        const Vector2d push = c_ - mu * D_tt_ * s;
        const double F = across.dot(push);
        const double slope = -s.dot(push) - mu * across.dot(D_tt_ * across); // dF/dφ
        if (F != 0.0 && !(std::abs(F) <= -k_settled * slope)) return false;
        if (F != 0.0) y_(0) -= F / slope;
        direction_ = direction(y_(0));
        speed_ = std::exp(y_(1));
        moving_ = false;
        return true;
    }

    // Stick, or slip along a line: all rates are constant.
    void straight() {
        // As in the plane: at most two slip or stick phases, split by the end of compression.
        constexpr int k_most_phases = 8;
        for (int i = 0; i < k_most_phases && !over_; ++i) {
            const Vector2d hold = -solve::least_norm(D_tt_, c_);
            const bool sticks =
                speed_ == 0.0 && hold.norm() <= std::max(contact_.sticking, contact_.sliding);
            if (speed_ == 0.0)
                direction_ = sticks ? Vector2d::Zero().eval() : restart_direction(contact_);
            const Vector2d m = sticks ? hold : Vector2d(-contact_.sliding * direction_);
            double rate = contact_.D(0, 0) + c_.dot(m);
            // Others leave the contact one direction only: what sticks cannot part, and its gap stands still with its slip.
            if (sticks && rate <= k_dependent * contact_.D(0, 0)) {
                rate = 0.0;
                if (!compressing_) y_(3) = 0.0;
            }
            const double growth = sticks ? 0.0 : direction_.dot(c_ + D_tt_ * m); // r'
            const double to_rest = speed_ > 0.0 && growth < 0.0 ? -speed_ / growth : k_never;
            const double to_end =
                compressing_ ? compression_length(rate) : restitution_length(rate);
            const double length = std::min(to_rest, to_end);
            if (!std::isfinite(length)) {
                result_.jammed = sticks && rate == 0.0;
                return;
            }
            if (length > 0.0) advance(length, m, rate, growth);
            if (to_rest <= to_end) speed_ = 0.0;
            if (length > 0.0) close(sticks);
            if (to_end <= to_rest) end_part();
        }
    }
    [[nodiscard]] double compression_length(double rate) const {
        if (rate > 0.0) return -y_(3) / rate;
        // Both ended at once, but for rounding.
        return speed_ == 0.0 && -y_(3) <= k_dependent * scale_ ? 0.0 : k_never;
    }
    [[nodiscard]] double restitution_length(double rate) const {
        if (law_ == Restitution::poisson) return (1.0 + kappa_) * result_.compression - y_(2);
        if (law_ == Restitution::newton)
            return rate > 0.0 ? (-kappa_ * u0_ - y_(3)) / rate : k_never;
        const double rest = (1.0 - kappa_ * kappa_) * result_.work_compression - y_(6);
        if (!(rest > 0.0)) return 0.0;
        const double square = y_(3) * y_(3) + 2.0 * rate * rest; // of the gap rate at the end
        const double sum = square >= 0.0 ? y_(3) + std::sqrt(square) : 0.0;
        return sum > 0.0 ? 2.0 * rest / sum : k_never;
    }
    void advance(double length, const Vector2d& m, double rate, double growth) {
        y_(6) += length * (y_(3) + 0.5 * rate * length);
        y_(7) += m.dot(direction_) * length * (speed_ + 0.5 * growth * length);
        y_(2) += length;
        y_(3) += rate * length;
        y_.segment<2>(4) += m * length;
        speed_ += growth * length;
    }

    [[nodiscard]] Vector2d slip() const {
        return moving_ ? Vector2d(std::exp(y_(1)) * direction(y_(0)))
                       : Vector2d(speed_ * direction_);
    }
    void close(bool sticking) {
        result_.phases.push_back({compressing_, sticking, y_(2), y_(3), slip()});
    }
    void end_part() {
        if (!compressing_) {
            over_ = true;
            return;
        }
        y_(3) = 0.0;
        result_.compression = y_(2);
        result_.work_compression = y_(6);
        compressing_ = false;
        over_ = kappa_ == 0.0 || (law_ == Restitution::newton && u0_ == 0.0);
    }
    FrictionImpact finish() {
        result_.normal = y_(2);
        result_.tangential = y_.segment<2>(4);
        result_.normal_rate = y_(3);
        result_.slip = slip();
        result_.work_normal = y_(6);
        result_.work_friction = y_(7);
        return std::move(result_);
    }

    const SpatialContact& contact_;
    Vector2d c_;
    Eigen::Matrix2d D_tt_;
    double kappa_;
    Restitution law_;
    double u0_;
    double scale_;
    State y_;
    bool moving_ = false;
    double speed_ = 0.0; // along direction_, once slip has died out
    Vector2d direction_ = Vector2d::Zero();
    bool compressing_ = true;
    bool over_ = false;
    FrictionImpact result_;
};

} // namespace

double normal_response(const SpatialContact& contact, const Vector2d& s) {
    return contact.D(0, 0) - contact.sliding * contact.coupling().dot(s);
}

Vector2d restart_direction(const SpatialContact& contact) {
    const Vector2d c = contact.coupling();
    const Eigen::Matrix2d A = contact.sliding * contact.tangential();
    const auto direction = [&](double lambda) {
        return Vector2d((lambda * Eigen::Matrix2d::Identity() + A).inverse() * c);
    };
    // |s| falls from above 1 at λ = 0 to |c|/λ.
    const auto root = solve::find_scalar_root(
        [&](double lambda) { return direction(lambda).norm() - 1.0; }, 0.0, c.norm());
    return direction(root.root).normalized();
}

FrictionImpact spatial_impact(const SpatialContact& contact, double u, const Vector2d& v,
                              double kappa, Restitution law) {
    // In units in which a unit impulse changes gap and slip by one (contact_units.hpp).
    const double a = 1.0 / std::sqrt(contact.D(0, 0));
    const double trace = contact.tangential().trace();
    const double b = trace > 0.0 ? 1.0 / std::sqrt(0.5 * trace) : 1.0;
    const Eigen::Vector3d unit(a, b, b);
    const SpatialContact own{.D = unit.asDiagonal() * contact.D * unit.asDiagonal(),
                             .sliding = contact.sliding * a / b,
                             .sticking = contact.sticking * a / b};
    FrictionImpact result = SpatialImpact(own, a * u, b * v, kappa, law).run();
    result.normal *= a;
    result.compression *= a;
    result.tangential *= b;
    result.normal_rate /= a;
    result.slip /= b;
    for (ImpactPhase& p : result.phases) {
        p.impulse *= a;
        p.normal_rate /= a;
        p.slip /= b;
    }
    return result;
}

} // namespace liaison::laws
