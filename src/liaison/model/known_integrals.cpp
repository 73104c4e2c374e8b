// SPDX-License-Identifier: Apache-2.0
// First integrals that follow from what a rigid body is: its case is recognised from its data.
#include "liaison/model/known_integrals.hpp"

#include "liaison/expr/algebra.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/bodies.hpp"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace liaison::model {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using expr::Expr;
using expr::Number;

namespace {

constexpr std::array k_kinds{"norm", "energy", "area", "momentum", "spin", "kovalevskaya"};
// Data given as decimals that should be equal are equal up to their last bits.
constexpr double k_equal = 1e-13;

std::string name_of(const Model& model, const Body& body, std::string_view kind) {
    return model.bodies.size() == 1 ? std::string(kind) : fmt::format("{}.{}", body.name, kind);
}

// The numbers of a body with a fixed point.
struct Data {
    Matrix3d J = Matrix3d::Zero();
    Vector3d arm = Vector3d::Zero(); // P c
    Vector3d gyrostat = Vector3d::Zero();
    bool steady_weight = true;
    bool steady_gyrostat = true;
    bool finite = true;
};

Data data_of(const Model& model, const Body& body, std::span<const double> parameters) {
    std::vector<Expr> symbols;
    for (const Parameter& p : model.parameters) symbols.push_back(p.symbol);
    symbols.push_back(model.t);
    std::vector<double> values(parameters.begin(), parameters.end());
    values.push_back(0.0); // where time enters the value is not used
    const auto at = [&](const Formula& f) {
        return f ? expr::evaluate(f.expr, symbols, values) : 0.0;
    };
    const auto timed = [&](const Formula& f) { return f && expr::depends_on(f.expr, model.t); };
    Data d;
    const double weight = at(body.weight);
    d.steady_weight = !timed(body.weight);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        d.arm(k) = weight * at(body.center[i]);
        d.gyrostat(k) = at(body.gyrostat[i]);
        d.steady_gyrostat = d.steady_gyrostat && !timed(body.gyrostat[i]);
        for (std::size_t j = 0; j < 3; ++j)
            d.J(k, static_cast<Eigen::Index>(j)) = at(body.inertia[i][j]);
    }
    d.finite = d.J.allFinite() && d.arm.allFinite() && d.gyrostat.allFinite();
    return d;
}

// Whether Jx = J₁x across s and Js = J₃s: the moments across and along the axis, or nothing.
std::optional<std::pair<double, double>> symmetric_about(const Matrix3d& J, const Vector3d& s) {
    const double along = s.dot(J * s);
    const Matrix3d across = Matrix3d::Identity() - s * s.transpose();
    const double other = (across * J * across).trace() / 2.0;
    const Matrix3d wanted = other * across + along * s * s.transpose();
    if ((J - wanted).norm() > k_equal * J.norm()) return std::nullopt;
    return std::pair{other, along};
}

bool parallel(const Vector3d& a, const Vector3d& s) {
    return a.cross(s).norm() <= k_equal * a.norm();
}

// The axis about which a body is symmetric, where there is exactly one.
std::optional<Vector3d> axis_of(const Matrix3d& J) {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(J);
    for (const Eigen::Index k : {2, 0}) {
        Vector3d s = eigen.eigenvectors().col(k);
        const auto moments = symmetric_about(J, s);
        if (moments && std::abs(moments->first - moments->second) > k_equal * J.norm()) return s;
    }
    return std::nullopt;
}

// Along coordinate axes the direction is exact, with its sign.
Vector3d tidied(const Vector3d& s) {
    for (Eigen::Index k = 0; k < 3; ++k) {
        Vector3d unit = Vector3d::Zero();
        unit(k) = 1.0;
        if (parallel(s, unit)) return unit;
    }
    return s;
}

class Recognition {
  public:
    Recognition(const Model& model, std::size_t index, std::span<const double> parameters)
        : model_(model), body_(model.bodies[index]), index_(index),
          data_(body_.kind == Body::Kind::fixed_point ? data_of(model, body_, parameters)
                                                      : Data{}) {
        for (std::size_t i = 0; i < 3 && body_.kind == Body::Kind::fixed_point; ++i) {
            omega_[i] = model.velocities[body_.velocities[i]].v;
            gamma_[i] = model.coordinates[body_.coordinates[i]].q;
        }
    }

    std::vector<KnownIntegral> integrals() {
        // The norms of many free bodies, which are held anyway, would drown the report.
        constexpr std::size_t k_few = 8;
        if (body_.kind == Body::Kind::fixed_point || model_.bodies.size() <= k_few)
            add("norm", body_.norm);
        if (body_.kind != Body::Kind::fixed_point || !data_.finite || !apart()) return found_;
        // Forces beside the weight change an integral f by f_ω·J⁻¹Q.
        const auto given = other_forces();
        const Expr V = other_potential();
        auto Q = given;
        if (!V.is_zero()) Q.push_back(torque_of(V));
        std::array<Expr, 3> m = momentum();
        if (data_.steady_weight && data_.steady_gyrostat && conservative(V) && idle(given, omega_))
            add("energy", V.is_zero() ? energy() : energy() + V, V.is_zero());
        if (idle(Q, gamma_)) add("area", m[0] * gamma_[0] + m[1] * gamma_[1] + m[2] * gamma_[2]);
        if (torque_free() && idle(Q, m)) add("momentum", m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        const auto s = lagrange();
        if (s && idle(Q, numbers(*s)))
            add("spin", data_.steady_gyrostat ? along(*s, omega_) : along(*s, m));
        if (const auto k = kovalevskaya(); k && Q.empty()) add("kovalevskaya", *k);
        return found_;
    }

    [[nodiscard]] std::string words() const {
        if (body_.kind != Body::Kind::fixed_point || !data_.finite) return "";
        const bool gyrostat = data_.gyrostat.norm() > 0.0 || !data_.steady_gyrostat;
        const std::string tail = gyrostat ? ", gyrostat" : "";
        if (torque_free()) return (gyrostat ? "Zhukovskii" : "Euler") + tail;
        if (lagrange()) return "Lagrange" + tail;
        if (frame_of_kovalevskaya())
            return (gyrostat ? "Kovalevskaya-Yehia" : "Kovalevskaya") + tail;
        return gyrostat ? "gyrostat" : "";
    }

  private:
    void add(const char* kind, Expr value, bool own = true) {
        found_.push_back({name_of(model_, body_, kind), index_, kind, value, own});
    }

    [[nodiscard]] std::array<Expr, 3> momentum() const {
        std::array<Expr, 3> m;
        for (std::size_t i = 0; i < 3; ++i) {
            std::vector<Expr> terms;
            for (std::size_t j = 0; j < 3; ++j)
                terms.push_back(body_.inertia[i][j].expr * omega_[j]);
            if (body_.gyrostat[i]) terms.push_back(body_.gyrostat[i].expr);
            m[i] = model_.pool->sum(terms);
        }
        return m;
    }
    [[nodiscard]] Expr energy() const {
        std::vector<Expr> terms{body_potential_energy(model_, body_)};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                terms.push_back(Number::rational(1, 2) * body_.inertia[i][j].expr *
                                (omega_[i] * omega_[j]));
        return model_.pool->sum(terms);
    }
    // As it would be written: 0.3 is three tenths.
    static Number number(double x) {
        const auto read = Number::from_decimal(fmt::format("{}", std::abs(x)));
        const Number size = read.value_or(Number(std::abs(x)));
        return x < 0.0 ? -size : size;
    }
    // s·a for numbers s
    [[nodiscard]] Expr along(const Vector3d& s, const std::array<Expr, 3>& a) const {
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < 3; ++i) {
            const double factor = s(static_cast<Eigen::Index>(i));
            if (factor != 0.0) terms.push_back(number(factor) * a[i]);
        }
        return model_.pool->sum(terms);
    }

    [[nodiscard]] bool torque_free() const {
        return data_.arm.norm() == 0.0 && data_.steady_weight;
    }

    [[nodiscard]] std::optional<Vector3d> lagrange() const {
        std::optional<Vector3d> s;
        if (data_.arm.norm() > 0.0)
            s = data_.arm.normalized();
        else if (torque_free())
            s = axis_of(data_.J);
        if (!s || !symmetric_about(data_.J, *s) || !parallel(data_.gyrostat, *s))
            return std::nullopt;
        return tidied(*s);
    }

    struct Frame {
        Vector3d first, second, third;
        double mu = 0.0, l = 0.0;
    };
    [[nodiscard]] std::optional<Frame> frame_of_kovalevskaya() const {
        const double arm = data_.arm.norm();
        const auto axis = axis_of(data_.J);
        if (!axis || arm == 0.0 || !data_.steady_weight || !data_.steady_gyrostat)
            return std::nullopt;
        const auto [across, along] = *symmetric_about(data_.J, *axis);
        const bool fits = std::abs(across - 2.0 * along) <= k_equal * across &&
                          std::abs(axis->dot(data_.arm)) <= k_equal * arm &&
                          parallel(data_.gyrostat, *axis);
        if (!fits) return std::nullopt;
        Frame f;
        f.third = tidied(*axis);
        const Vector3d first = data_.arm / arm;
        const Vector3d straight = tidied(first);
        f.first = first.dot(straight) < 0.0 ? Vector3d(-straight) : straight;
        f.second = f.third.cross(f.first);
        f.mu = arm / along;
        f.l = data_.gyrostat.dot(f.third) / along;
        return f;
    }
    [[nodiscard]] std::optional<Expr> kovalevskaya() const {
        const auto f = frame_of_kovalevskaya();
        if (!f) return std::nullopt;
        const Expr p = along(f->first, omega_), q = along(f->second, omega_);
        const Expr r = along(f->third, omega_);
        const Expr g1 = along(f->first, gamma_), g2 = along(f->second, gamma_);
        const Expr g3 = along(f->third, gamma_);
        const Number mu = number(f->mu), l = number(f->l), two(2);
        const Expr re = p * p - q * q - mu * g1;
        const Expr im = two * (p * q) - mu * g2;
        Expr k = re * re + im * im;
        if (f->l != 0.0) {
            const Expr axis = r - model_.pool->number(l);
            k = k + (two * l) * (axis * (p * p + q * q)) - (Number(4) * mu * l) * (p * g3);
        }
        return k;
    }

    // What forces and relays add to the torque, each for itself: the values of relays are letters.
    [[nodiscard]] std::vector<std::array<Expr, 3>> other_forces() const {
        std::vector<std::array<Expr, 3>> result;
        const auto take = [&](const std::vector<Formula>& Q) {
            std::array<Expr, 3> torque;
            bool acts = false;
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t j = body_.velocities[i];
                const bool there = j < Q.size() && Q[j];
                torque[i] = there ? Q[j].expr : model_.pool->number(Number(0));
                acts = acts || !torque[i].is_zero();
            }
            if (acts) result.push_back(torque);
        };
        for (const Force& f : model_.forces) take(f.Q);
        for (const Relay& r : model_.relays) take(r.force);
        return result;
    }
    // The potential energy beside that of the weight, as far as it depends on the body.
    [[nodiscard]] Expr other_potential() const {
        const Expr zero = model_.pool->number(Number(0));
        if (!model_.energy.V) return zero;
        const Expr rest = model_.energy.V.expr - body_potential_energy(model_, body_);
        const auto slopes = expr::gradient(rest, gamma_);
        return vanish(slopes) ? zero : rest;
    }
    // Q = −X V for γ' = γ × ω.
    [[nodiscard]] std::array<Expr, 3> torque_of(Expr V) const {
        const auto s = expr::gradient(V, gamma_);
        return {gamma_[1] * s[2] - gamma_[2] * s[1], gamma_[2] * s[0] - gamma_[0] * s[2],
                gamma_[0] * s[1] - gamma_[1] * s[0]};
    }
    // It depends on this body alone, and not on time.
    [[nodiscard]] bool conservative(Expr V) const {
        if (expr::depends_on(V, model_.t)) return false;
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
            if (std::ranges::find(body_.coordinates, i) == body_.coordinates.end() &&
                expr::depends_on(V, model_.coordinates[i].q))
                return false;
        }
        return true;
    }

    // w·Q = 0 for the sum of all these torques, decided on the expressions.
    [[nodiscard]] bool idle(const std::vector<std::array<Expr, 3>>& Q,
                            const std::array<Expr, 3>& w) const {
        if (Q.empty()) return true;
        std::vector<Expr> terms;
        for (const auto& torque : Q) {
            for (std::size_t i = 0; i < 3; ++i) terms.push_back(torque[i] * w[i]);
        }
        return vanish({model_.pool->sum(terms)});
    }
    [[nodiscard]] bool vanish(const std::vector<Expr>& all) const {
        try {
            constexpr std::size_t k_products = 200'000;
            const expr::PolynomialBudget budget(k_products);
            expr::Algebra algebra(*model_.pool);
            return std::ranges::all_of(all, [&](Expr e) { return algebra.fraction(e).is_zero(); });
        } catch (const expr::PolynomialTooLarge&) {
            return false;
        } catch (const std::domain_error&) {
            return false;
        }
    }
    [[nodiscard]] std::array<Expr, 3> numbers(const Vector3d& s) const {
        return {model_.pool->number(number(s(0))), model_.pool->number(number(s(1))),
                model_.pool->number(number(s(2)))};
    }

    // The motion of the body is its own but for given torques and potentials: no constraint or contact contains it,
    // and the kinetic energy contains it as its own.
    [[nodiscard]] bool apart() const {
        if (model_.kind != Kind::energies || model_.energy.L) return false;
        std::vector<Expr> own;
        for (const std::size_t i : body_.coordinates) own.push_back(model_.coordinates[i].q);
        for (const std::size_t i : body_.velocities) own.push_back(model_.velocities[i].v);
        const auto touches = [&](const Formula& f) {
            return f &&
                   std::ranges::any_of(own, [&](Expr x) { return expr::depends_on(f.expr, x); });
        };
        const auto pushes = [&](const std::vector<Formula>& Q) {
            return std::ranges::any_of(body_.velocities, [&](std::size_t j) {
                return j < Q.size() && Q[j] && !Q[j].expr.is_zero();
            });
        };
        for (const Constraint& c : model_.constraints)
            if (touches(c.f) || pushes(c.actuator)) return false;
        for (const Contact& c : model_.contacts) {
            for (const Contact::Side& side : c.sides)
                if (touches(side.gap)) return false;
            for (const Formula& slip : c.slip)
                if (touches(slip)) return false;
        }
        return !model_.energy.T ||
               vanish(
                   expr::gradient(model_.energy.T.expr - body_kinetic_energy(model_, body_), own));
    }

    const Model& model_;
    const Body& body_;
    std::size_t index_;
    Data data_;
    std::array<Expr, 3> omega_, gamma_;
    std::vector<KnownIntegral> found_;
};

bool declared(const Model& model, const KnownIntegral& known) {
    for (const Named& own : model.integrals) {
        if (own.name == known.name || own.formula.expr == known.value) return true;
        try {
            constexpr std::size_t k_products = 100'000;
            const expr::PolynomialBudget budget(k_products);
            expr::Algebra algebra(*model.pool);
            if (algebra.fraction(own.formula.expr - known.value).is_zero()) return true;
        } catch (const expr::PolynomialTooLarge&) {
            continue;
        } catch (const std::domain_error&) {
            continue;
        }
    }
    return false;
}

} // namespace

std::vector<KnownIntegral> body_integrals(const Model& model, std::size_t body,
                                          std::span<const double> parameters) {
    return Recognition(model, body, parameters).integrals();
}

std::vector<KnownIntegral> known_integrals(const Model& model, std::span<const double> parameters) {
    std::vector<KnownIntegral> result;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        for (KnownIntegral& one : Recognition(model, k, parameters).integrals()) {
            if (!declared(model, one)) result.push_back(std::move(one));
        }
    }
    return result;
}

std::vector<std::string> known_integral_names(const Model& model) {
    std::vector<std::string> names;
    for (const Body& body : model.bodies) {
        const std::size_t count = body.kind == Body::Kind::free ? 1 : k_kinds.size();
        for (std::size_t k = 0; k < count; ++k) names.push_back(name_of(model, body, k_kinds[k]));
    }
    return names;
}

std::string case_of_body(const Model& model, std::size_t body, std::span<const double> parameters) {
    return Recognition(model, body, parameters).words();
}

} // namespace liaison::model
