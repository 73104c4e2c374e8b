// SPDX-License-Identifier: Apache-2.0
// Points near a point, on the constraints, and the rank of the constraints there.
#include "liaison/prepare/nearby_rank.hpp"

#include "liaison/prepare/start_system.hpp"
#include "liaison/solve/factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace liaison::prepare {

using expr::Expr;

namespace {

constexpr double k_distance = 1e-2;
constexpr int k_directions = 4;
// Gradients that vanish to first order at the point are of the size of the distance; what comes from a double root
// that was found to rounding is far below.
constexpr double k_independent = 1e-4 * k_distance;

class Neighbourhood {
  public:
    Neighbourhood(const model::Model& model, const Point& point)
        : work_(model, ignored_), point_(point), states_(model.velocities.empty()) {
        for (const auto& coordinate : model.coordinates) q_.push_back(coordinate.q);
        for (const auto& velocity : model.velocities) v_.push_back(velocity.v);
        for (const Condition& c : work_.constraint_conditions()) {
            if (!c.on_velocity) positions_.push_back(c.formula.expr);
            rates_.push_back(c.on_velocity || states_ ? c.formula.expr : c.rate);
        }
        work_.start.point = point;
    }

    NearbyRank run() {
        const std::size_t m = rates_.size();
        NearbyRank result;
        const Eigen::MatrixXd F = rows();
        result.here = result.nearby = rank(F, 1e-10);
        std::vector<char> silent(m, 1);
        note_directions(F, silent);
        bool looked = false;
        double farthest = 0.0;
        for (int k = 0; k < k_directions; ++k) {
            if (!go()) continue;
            const Eigen::MatrixXd there = rows();
            if (!there.allFinite()) continue;
            looked = true;
            result.nearby = std::max(result.nearby, rank(there, k_independent));
            note_directions(there, silent);
            for (std::size_t i = 0; i < q_.size(); ++i)
                farthest = std::max(farthest, std::abs(work_.start.point.q[i] - point_.q[i]));
        }
        result.isolated = looked && !positions_.empty() && farthest < 1e-2 * k_distance;
        for (std::size_t k = 0; looked && k < m; ++k) {
            if (silent[k] != 0) result.without_direction.push_back(k);
        }
        return result;
    }

  private:
    [[nodiscard]] Eigen::MatrixXd rows() const { return work_.jacobian(rates_, states_ ? q_ : v_); }
    static std::size_t rank(Eigen::MatrixXd F, double threshold) {
        for (Eigen::Index i = 0; i < F.rows(); ++i) {
            if (F.row(i).cwiseAbs().maxCoeff() <= threshold) F.row(i).setZero();
        }
        solve::RankFactor factor;
        factor.factor(F, {.threshold = threshold});
        return static_cast<std::size_t>(factor.rank());
    }
    static void note_directions(const Eigen::MatrixXd& F, std::vector<char>& silent) {
        for (Eigen::Index i = 0; i < F.rows(); ++i) {
            if (F.row(i).cwiseAbs().maxCoeff() > k_independent)
                silent[static_cast<std::size_t>(i)] = 0;
        }
    }

    // The next point; false where it does not get back to the constraints.
    bool go() {
        work_.start.point = point_;
        move(work_.start.point.q);
        move(work_.start.point.v);
        if (!back(positions_, q_, work_.start.point.q)) return false;
        return states_ || back(rates_, v_, work_.start.point.v);
    }
    void move(std::vector<double>& values) {
        for (double& x : values) {
            // Fixed directions, without regard to symmetries: numbers of the golden section.
            turn_ = std::fmod(turn_ + 0.6180339887498949, 1.0);
            x += k_distance * (1.0 + std::abs(x)) * (2.0 * turn_ - 1.0);
        }
    }
    bool back(const std::vector<Expr>& conditions, const std::vector<Expr>& symbols,
              std::vector<double>& values) {
        if (conditions.empty()) return true;
        std::vector<std::size_t> all(symbols.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto report =
            StartSystem(work_, conditions, symbols, values, std::move(all)).run(1e-14, {});
        return report.residual <= 1e-11;
    }

    base::Diagnostics ignored_;
    Work work_;
    const Point& point_;
    bool states_; // no velocities: rows by the coordinates
    std::vector<Expr> q_;
    std::vector<Expr> v_;
    std::vector<Expr> positions_;
    std::vector<Expr> rates_;
    double turn_ = 0.0;
};

} // namespace

NearbyRank rank_nearby(const model::Model& model, const Point& point) {
    return Neighbourhood(model, point).run();
}

std::optional<double> distance_to_singular(const model::Model& model, const Point& point) {
    constexpr std::size_t k_most = 60; // coordinates: second derivatives are their square
    if (model.constraints.size() != 1 || !model.constraints[0].holonomic) return std::nullopt;
    if (model.coordinates.size() > k_most) return std::nullopt;
    std::vector<Expr> coordinates;
    for (const auto& coordinate : model.coordinates) coordinates.push_back(coordinate.q);
    const auto slopes = expr::gradient(model.constraints[0].f.expr, coordinates);
    std::vector<Expr> bends;
    for (const Expr slope : slopes) {
        const auto row = expr::gradient(slope, coordinates);
        bends.insert(bends.end(), row.begin(), row.end());
    }
    const Evaluator evaluator(model);
    const auto size = [&](const std::vector<Expr>& of) {
        const auto values = evaluator.at(point, of);
        return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                                 static_cast<Eigen::Index>(values.size()))
            .norm();
    };
    const double distance = size(slopes) / size(bends);
    return std::isfinite(distance) ? std::optional(distance) : std::nullopt;
}

} // namespace liaison::prepare
