// SPDX-License-Identifier: Apache-2.0
// The inequality for angular velocities, its boundary cases and its plane sections.
#include "liaison/analysis/admissible_rates.hpp"

#include "liaison/solve/dense.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace liaison::analysis {

GyrostatLevels GyrostatLevels::through(GyrostatLevels body, const Vector3d& omega,
                                       const Vector3d& nu) {
    body.E = omega.dot(body.A * omega) / 2.0 - body.r.dot(nu);
    body.g = body.momentum(omega).dot(nu);
    return body;
}

double reach(const GyrostatLevels& l, const Vector3d& omega) {
    const Vector3d m = l.momentum(omega);
    const double e = l.e(omega);
    // |m|²e² − 2 (r·m) e g + |r|²g² = |e m − g r|²
    return l.r.cross(m).squaredNorm() - (e * m - l.g * l.r).squaredNorm();
}

Vector3d reach_gradient(const GyrostatLevels& l, const Vector3d& omega) {
    const Vector3d m = l.momentum(omega);
    const double e = l.e(omega);
    const Vector3d w = e * m - l.g * l.r;
    // d|r × m|² = 2 (|r|² m − (r·m) r)·A dω,  d|w|² = 2 w·(m (Aω·dω) + e A dω), A symmetric
    const Vector3d cross = l.r.squaredNorm() * m - l.r.dot(m) * l.r;
    return 2.0 * (l.A * cross - w.dot(m) * (l.A * omega) - e * (l.A * w));
}

double reach_scale(const GyrostatLevels& l, const Vector3d& omega) {
    const double m = l.momentum(omega).norm();
    const double kinetic = omega.dot(l.A * omega) / 2.0;
    const double e = kinetic + std::abs(l.E);
    return l.r.squaredNorm() * (m * m + l.g * l.g) + m * m * e * e;
}

namespace {

// sin of the angle below which r and m count as parallel
constexpr double k_parallel = 1e-9;

bool are_parallel(const Vector3d& r, const Vector3d& m) {
    return r.cross(m).norm() <= k_parallel * r.norm() * m.norm();
}

} // namespace

bool admissible(const GyrostatLevels& l, const Vector3d& omega, double tolerance) {
    const Vector3d m = l.momentum(omega);
    const double e = l.e(omega);
    const double energy = omega.dot(l.A * omega) / 2.0 + std::abs(l.E) + l.r.norm();
    if (l.r.norm() == 0.0)
        return std::abs(e) <= tolerance * energy &&
               std::abs(l.g) <= m.norm() * (1.0 + tolerance) + tolerance;
    if (!are_parallel(l.r, m)) return reach(l, omega) >= -tolerance * reach_scale(l, omega);
    // m = μ r: both conditions restrict the same component of ν.
    const double mu = l.r.dot(m) / l.r.squaredNorm();
    const double size = std::abs(l.g) + std::abs(mu) * energy;
    return std::abs(mu * e - l.g) <= std::max(tolerance, k_parallel) * (size + 1.0) &&
           std::abs(e) <= l.r.norm() + tolerance * energy;
}

std::vector<Vector3d> verticals(const GyrostatLevels& l, const Vector3d& omega) {
    const Vector3d m = l.momentum(omega);
    if (are_parallel(l.r, m)) return {};
    const Vector3d n = l.r.cross(m);
    const double square = n.squaredNorm();
    // the part in the plane: ν·r = e, ν·m = g
    const Vector3d flat = (l.e(omega) * m.cross(n) + l.g * n.cross(l.r)) / square;
    const double above = reach(l, omega);
    // F is known to rounding of its terms; a vertical that near to the plane is in it.
    const double rounding = 1e-13 * reach_scale(l, omega);
    if (above < -rounding) return {};
    if (above <= rounding) return {flat};
    const double out = std::sqrt(above) / square;
    return {flat + out * n, flat - out * n};
}

std::vector<Vector3d> parallel_points(const GyrostatLevels& l) {
    if (l.r.norm() == 0.0) return {};
    // ω(μ) = A⁻¹(μ r − λ): e is a quadratic of μ, and μ e(μ) = g a cubic.
    const Matrix3d inverse = l.A.inverse();
    const double a = l.r.dot(inverse * l.r) / 2.0;
    const double b = -l.r.dot(inverse * l.lambda);
    const double c = l.lambda.dot(inverse * l.lambda) / 2.0 - l.E;
    Matrix3d companion; // μ³ + (b/a) μ² + (c/a) μ − g/a
    companion << -b / a, -c / a, l.g / a, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
    std::vector<Vector3d> result;
    for (const auto& mu : solve::eigenvalues(companion)) {
        if (std::abs(mu.imag()) > 1e-8 * (1.0 + std::abs(mu.real()))) continue;
        double x = mu.real();
        for (int k = 0; k < 4; ++k) {
            const double slope = (3.0 * a * x + 2.0 * b) * x + c;
            if (slope == 0.0) break;
            x -= (((a * x + b) * x + c) * x - l.g) / slope;
        }
        const Vector3d omega = inverse * (x * l.r - l.lambda);
        if (!(std::abs(l.e(omega)) <= l.r.norm() * (1.0 + 1e-12))) continue;
        const bool known = std::ranges::any_of(result, [&](const Vector3d& other) {
            return (other - omega).norm() <= 1e-9 * (1.0 + omega.norm());
        });
        if (!known) result.push_back(omega);
    }
    return result;
}

Vector3d bounding_box(const GyrostatLevels& l) {
    const double most = 2.0 * (l.E + l.r.norm());
    if (most < 0.0) return Vector3d::Constant(-1.0);
    return (most * l.A.inverse().diagonal()).cwiseSqrt();
}

namespace {

// Marching squares: crossings of the edges of a grid, joined cell by cell.
class Section {
  public:
    Section(const GyrostatLevels& l, int axis, double value, int cells)
        : l_(l), axis_(axis), first_((axis + 1) % 3), second_((axis + 2) % 3), value_(value),
          n_(cells) {
        const Vector3d box = 1.02 * bounding_box(l);
        look_at(-box, box);
    }

    // The part of the plane that is looked at.
    void look_at(const Vector3d& low, const Vector3d& high) {
        low_ = {low(first_), low(second_)};
        step_ = {(high(first_) - low(first_)) / n_, (high(second_) - low(second_)) / n_};
        points_.clear();
        links_.clear();
    }

    std::vector<Polyline> curves() {
        values_.resize(index(n_, n_) + 1);
        for (int i = 0; i <= n_; ++i)
            for (int j = 0; j <= n_; ++j) values_[index(i, j)] = function(point(i, j));
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) cell(i, j);
        return joined();
    }

  private:
    using Edge = std::uint64_t; // of the grid: node and direction

    [[nodiscard]] std::size_t index(int i, int j) const {
        const auto across = static_cast<std::size_t>(n_) + 1;
        return static_cast<std::size_t>(i) * across + static_cast<std::size_t>(j);
    }
    [[nodiscard]] Vector3d point(double i, double j) const {
        Vector3d p;
        p(axis_) = value_;
        p(first_) = low_[0] + i * step_[0];
        p(second_) = low_[1] + j * step_[1];
        return p;
    }
    // Without weight the surface is e = 0, on which F has a double zero.
    [[nodiscard]] double function(const Vector3d& p) const {
        return l_.r.norm() == 0.0 ? -l_.e(p) : reach(l_, p);
    }
    [[nodiscard]] bool inside(int i, int j) const { return values_[index(i, j)] >= 0.0; }

    // The crossing on the edge from (i, j) along the first (0) or second (1) direction.
    Edge crossing(int i, int j, int direction) {
        const Edge edge = 2 * static_cast<Edge>(index(i, j)) + static_cast<Edge>(direction);
        if (points_.contains(edge)) return edge;
        Vector3d a = point(i, j);
        Vector3d b = direction == 0 ? point(i + 1, j) : point(i, j + 1);
        if (!inside(i, j)) std::swap(a, b);
        constexpr int k_halvings = 48;
        for (int k = 0; k < k_halvings; ++k) {
            const Vector3d middle = (a + b) / 2.0;
            (function(middle) >= 0.0 ? a : b) = middle;
        }
        points_.emplace(edge, a);
        return edge;
    }

    void cell(int i, int j) {
        const bool c00 = inside(i, j), c10 = inside(i + 1, j);
        const bool c01 = inside(i, j + 1), c11 = inside(i + 1, j + 1);
        std::vector<Edge> around; // counter-clockwise from the lower side
        if (c00 != c10) around.push_back(crossing(i, j, 0));
        if (c10 != c11) around.push_back(crossing(i + 1, j, 1));
        if (c01 != c11) around.push_back(crossing(i, j + 1, 0));
        if (c00 != c01) around.push_back(crossing(i, j, 1));
        if (around.size() == 2) join(around[0], around[1]);
        if (around.size() != 4) return;
        // A saddle: the middle decides which corners belong together.
        const bool middle = function(point(i + 0.5, j + 0.5)) >= 0.0;
        if (middle == c00) {
            join(around[0], around[1]);
            join(around[2], around[3]);
        } else {
            join(around[0], around[3]);
            join(around[1], around[2]);
        }
    }
    void join(Edge a, Edge b) {
        links_[a].push_back(b);
        links_[b].push_back(a);
    }

    std::vector<Polyline> joined() {
        std::vector<Polyline> result;
        const auto follow = [&](Edge from) {
            Polyline line{points_.at(from)};
            for (Edge at = from; !links_[at].empty();) {
                const Edge next = links_[at].back();
                links_[at].pop_back();
                std::erase(links_[next], at);
                line.push_back(points_.at(next));
                at = next;
            }
            if (line.size() > 1) result.push_back(std::move(line));
        };
        for (const auto& [edge, others] : std::map(links_)) // open ends first
            if (others.size() == 1) follow(edge);
        for (const auto& [edge, p] : points_)
            if (!links_[edge].empty()) follow(edge);
        return result;
    }

    const GyrostatLevels& l_;
    int axis_, first_, second_;
    double value_;
    int n_;
    std::array<double, 2> low_{}, step_{};
    std::vector<double> values_;
    std::map<Edge, Vector3d> points_;
    std::map<Edge, std::vector<Edge>> links_;
};

} // namespace

std::vector<Polyline> surface_section(const GyrostatLevels& l, int axis, double value, int cells) {
    const Vector3d box = bounding_box(l);
    if (box(axis) < 0.0 || std::abs(value) > box(axis)) return {};
    Section section(l, axis, value, std::max(cells, 2));
    auto curves = section.curves();
    if (curves.empty()) return curves;
    // A small curve deserves the whole grid.
    Vector3d low = curves.front().front(), high = low;
    for (const Polyline& line : curves) {
        for (const Vector3d& p : line) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    }
    const Vector3d margin = 0.05 * (high - low) + 0.03 * box;
    if (((high - low + 2.0 * margin).array() < 1.2 * box.array()).all()) {
        section.look_at(low - margin, high + margin);
        curves = section.curves();
    }
    return curves;
}

} // namespace liaison::analysis
