// SPDX-License-Identifier: Apache-2.0
// Points of the hodograph, its contact with the enveloping surface, its return to the start.
#include "liaison/analysis/hodograph.hpp"

#include "liaison/analysis/self_crossings.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/solve/scalar_root.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace liaison::analysis {

BodyMotion::BodyMotion(const model::Model& model, std::size_t body, const flow::Flow& flow,
                       std::span<const motion::Piece> pieces)
    : pieces_(pieces) {
    const model::Body& b = model.bodies.at(body);
    if (b.kind != model::Body::Kind::fixed_point)
        throw std::invalid_argument("a hodograph in the body needs a body with a fixed point");
    if (pieces.empty()) throw std::invalid_argument("a motion without pieces");
    // By name: the flow may come from another reading of the same model.
    const auto state = [&](const std::string& name) {
        const auto at = std::ranges::find(flow.state_names, name);
        if (at == flow.state_names.end())
            throw std::invalid_argument("the body is not among the states of the motion");
        return static_cast<std::size_t>(at - flow.state_names.begin());
    };
    for (std::size_t k = 0; k < 3; ++k) {
        omega_[k] = state(model.velocities[b.velocities[k]].name);
        gamma_[k] = state(model.coordinates[b.coordinates[k]].name);
    }
    start_ = pieces.front().start.rounded();
    end_ = pieces.back().start.rounded() + pieces.back().length;
}

BodyMotion::State BodyMotion::at(double time) const {
    const auto after = std::ranges::upper_bound(
        pieces_, time, {}, [](const motion::Piece& p) { return p.start.rounded(); });
    const motion::Piece& piece = after == pieces_.begin() ? pieces_.front() : *(after - 1);
    const double tau = std::clamp(time - piece.start.rounded(), 0.0, piece.length);
    const auto order = static_cast<std::size_t>(piece.order);
    const auto value = [&](std::size_t i, double& rate) {
        const double* c = piece.coefficients.data() + i * (order + 1);
        double x = c[order];
        double slope = 0.0;
        for (std::size_t k = order; k-- > 0;) {
            slope = slope * tau + x;
            x = x * tau + c[k];
        }
        rate = slope;
        return x;
    };
    State s;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        double slope = 0.0;
        s.nu(i) = -value(gamma_[k], slope);
        s.omega(i) = value(omega_[k], slope);
        s.rate(i) = slope;
    }
    return s;
}

GyrostatLevels levels_of(const model::Model& model, std::size_t body,
                         std::span<const double> parameters, const BodyMotion::State& start) {
    const model::Body& b = model.bodies.at(body);
    std::vector<expr::Expr> symbols;
    for (const auto& p : model.parameters) symbols.push_back(p.symbol);
    const std::vector<double> values(parameters.begin(), parameters.end());
    const auto at = [&](const model::Formula& f) {
        return f ? expr::evaluate(f.expr, symbols, values) : 0.0;
    };
    GyrostatLevels l;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        l.lambda(k) = at(b.gyrostat[i]);
        l.r(k) = at(b.weight) * at(b.center[i]);
        for (std::size_t j = 0; j < 3; ++j)
            l.A(k, static_cast<Eigen::Index>(j)) = at(b.inertia[i][j]);
    }
    return GyrostatLevels::through(l, start.omega, start.nu);
}

namespace {

// Evenly over the pieces, so that every step of the integrator has its share of points.
std::vector<double> times_of(const BodyMotion& motion, std::size_t most) {
    constexpr std::size_t k_inside = 64;
    const std::size_t pieces = motion.pieces().size();
    const std::size_t inside = std::clamp<std::size_t>(most / pieces, 1, k_inside);
    std::vector<double> times;
    for (const motion::Piece& p : motion.pieces()) {
        for (std::size_t k = 0; k < inside; ++k)
            times.push_back(p.start.rounded() +
                            p.length * static_cast<double>(k) / static_cast<double>(inside));
    }
    times.push_back(motion.end());
    return times;
}

// ν·(r × m), whose square is F.
class Height {
  public:
    Height(const BodyMotion& motion, const GyrostatLevels& l) : motion_(motion), l_(l) {}
    double operator()(double t) const { return of(motion_.at(t)); }
    [[nodiscard]] double of(const BodyMotion::State& s) const {
        return s.nu.dot(l_.r.cross(l_.momentum(s.omega)));
    }
    [[nodiscard]] double scale(const BodyMotion::State& s) const {
        return l_.r.norm() * l_.momentum(s.omega).norm();
    }

  private:
    const BodyMotion& motion_;
    const GyrostatLevels& l_;
};

Touch touch_at(const BodyMotion& motion, const GyrostatLevels& l, double t) {
    const BodyMotion::State s = motion.at(t);
    const Vector3d normal = reach_gradient(l, s.omega);
    const double size = normal.norm() * s.rate.norm();
    return {t, s.omega, s.nu, size > 0.0 ? std::abs(normal.dot(s.rate)) / size : 0.0};
}

// The smallest |f| inside (a, b), by golden sections.
double smallest(const Height& f, double a, double b) {
    constexpr double k_golden = 0.6180339887498949;
    for (int k = 0; k < 80; ++k) {
        const double x = b - k_golden * (b - a), y = a + k_golden * (b - a);
        (std::abs(f(x)) < std::abs(f(y)) ? b : a) = std::abs(f(x)) < std::abs(f(y)) ? y : x;
    }
    return (a + b) / 2.0;
}

void find_touches(const BodyMotion& motion, const GyrostatLevels& l, Hodograph& h) {
    const Height height(motion, l);
    std::vector<double> f;
    double scale = 0.0, most = 0.0;
    for (const double t : h.time) {
        const auto s = motion.at(t);
        f.push_back(height.of(s));
        scale = std::max(scale, height.scale(s));
        most = std::max(most, std::abs(f.back()));
        h.least_reach = std::min(h.least_reach, reach(l, s.omega) / reach_scale(l, s.omega));
    }
    constexpr double k_zero = 1e-9;
    h.in_surface = most <= k_zero * scale;
    if (h.in_surface) return;
    const auto add = [&](double t) {
        const bool known =
            !h.touches.empty() && t - h.touches.back().time <= 1e-9 * (1.0 + std::abs(t));
        if (!known) h.touches.push_back(touch_at(motion, l, t));
    };
    for (std::size_t i = 0; i + 1 < f.size(); ++i) {
        if (f[i] == 0.0) add(h.time[i]);
        if (f[i] * f[i + 1] < 0.0) {
            const auto root = solve::find_scalar_root(height, h.time[i], h.time[i + 1]);
            add(root.root);
        } else if (i > 0 && f[i - 1] * f[i + 1] > 0.0 && std::abs(f[i]) < std::abs(f[i - 1]) &&
                   std::abs(f[i]) <= std::abs(f[i + 1])) {
            // ν comes to the plane and turns back
            const double t = smallest(height, h.time[i - 1], h.time[i + 1]);
            if (std::abs(height(t)) <= k_zero * scale) add(t);
        }
    }
    if (!f.empty() && f.back() == 0.0) add(h.time.back());
}

// The first time at which ω and ν are those of the start again.
std::optional<double> find_period(const BodyMotion& motion, const std::vector<double>& time,
                                  double size, double tolerance) {
    const auto start = motion.at(time.front());
    const auto distance = [&](double t) {
        const auto s = motion.at(t);
        return std::max((s.omega - start.omega).norm() / size, (s.nu - start.nu).norm());
    };
    std::vector<double> d;
    for (const double t : time) d.push_back(distance(t));
    for (std::size_t i = 1; i < d.size(); ++i) {
        const bool last = i + 1 == d.size();
        if (d[i] > d[i - 1] || (!last && d[i] > d[i + 1])) continue;
        double a = time[i - 1], b = time[last ? i : i + 1];
        constexpr double k_golden = 0.6180339887498949;
        for (int k = 0; k < 90; ++k) {
            const double x = b - k_golden * (b - a), y = a + k_golden * (b - a);
            if (distance(x) < distance(y))
                b = y;
            else
                a = x;
        }
        const double t = (a + b) / 2.0;
        if (distance(t) <= std::max(tolerance, 1e-8) && t > time.front()) return t - time.front();
    }
    return std::nullopt;
}

} // namespace

Hodograph hodograph(const BodyMotion& motion, const std::optional<GyrostatLevels>& levels,
                    const HodographOptions& options) {
    Hodograph h;
    h.time = times_of(motion, options.points);
    Vector3d low = Vector3d::Constant(1e300), high = -low;
    for (const double t : h.time) {
        const auto s = motion.at(t);
        h.omega.push_back(s.omega);
        h.nu.push_back(s.nu);
        low = low.cwiseMin(s.omega);
        high = high.cwiseMax(s.omega);
    }
    if (levels) find_touches(motion, *levels, h);
    const double size = std::max((high - low).norm(), 1e-300);
    if (!std::isfinite(size)) return h;
    const bool moves = size > 1e-9 * (1e-300 + high.cwiseAbs().maxCoeff());
    if (!moves) return h; // a permanent rotation: the hodograph is a point
    h.period = find_period(motion, h.time, size, options.tolerance);
    find_crossings(motion, size, options, h);
    return h;
}

} // namespace liaison::analysis
