// SPDX-License-Identifier: Apache-2.0
// Projections on friction cones, contact by contact.
#include "liaison/laws/coulomb_sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Euclidean projection of (n, t) on |t| ≤ μ n.
Vector3d on_cone(double n, const Vector2d& t, double mu) {
    const double size = t.norm();
    if (size <= mu * n) return {n, t(0), t(1)};
    if (mu * size <= -n) return Vector3d::Zero();
    const double normal = (n + mu * size) / (1.0 + mu * mu);
    const Vector2d tangent = mu * normal / size * t;
    return {normal, tangent(0), tangent(1)};
}

class Sweep {
  public:
    Sweep(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
          const std::vector<double>& given)
        : D_(D), b_(b), contacts_(contacts), given_(given), size_(0.0) {
        for (const CoulombContact& c : contacts) {
            size_ = std::max(size_, std::abs(b(c.normal)));
            for (int j = 0; j < c.slips; ++j) size_ = std::max(size_, std::abs(b(c.slip + j)));
            double largest = std::abs(D(c.normal, c.normal));
            for (int j = 0; j < c.slips; ++j)
                largest +=
                    std::abs(D(c.slip + j, c.slip + j)); // trace: above the largest eigenvalue
            rho_.push_back(largest > 0.0 ? 1.0 / largest : 1.0);
        }
        if (!(size_ > 0.0)) size_ = 1.0;
    }

    // The force of contact k that its natural map asks for.
    void wanted(std::size_t k, const VectorXd& force, double& normal, Vector2d& tangent) const {
        const CoulombContact& c = contacts_[k];
        const double g = b_(c.normal) + D_.row(c.normal).dot(force);
        Vector2d v = Vector2d::Zero();
        Vector2d t = Vector2d::Zero();
        for (int j = 0; j < c.slips; ++j) {
            v(j) = b_(c.slip + j) + D_.row(c.slip + j).dot(force);
            t(j) = force(c.slip + j);
        }
        const double n = force(c.normal);
        const double rho = rho_[k];
        tangent.setZero();
        if (c.slips == 0) {
            normal = std::max(given_.empty() ? 0.0 : given_[k], n - rho * g);
        } else if (c.moving) {
            normal = std::max(0.0, n - rho * g);
            const double mu = c.sliding(c.slips == 1 ? c.direction(0) : 1.0);
            tangent = -mu * normal * c.direction;
        } else if (!given_.empty()) {
            normal = std::max(given_[k], n - rho * g);
            const Vector2d next = t - rho * v;
            const double limit = c.sliding(c.slips == 1 ? -next(0) : 1.0) * normal;
            tangent = next.norm() > limit ? Vector2d(limit * next.normalized()) : next;
        } else {
            const Vector3d on =
                on_cone(n - rho * (g + c.sticking * v.norm()), t - rho * v, c.sticking);
            normal = on(0);
            tangent = on.tail<2>();
        }
    }
    [[nodiscard]] double residual(const VectorXd& force) const {
        double worst = 0.0;
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const CoulombContact& c = contacts_[k];
            double normal = 0.0;
            Vector2d tangent;
            wanted(k, force, normal, tangent);
            double miss = std::abs(normal - force(c.normal));
            for (int j = 0; j < c.slips; ++j)
                miss = std::max(miss, std::abs(tangent(j) - force(c.slip + j)));
            worst = std::max(worst, miss / rho_[k]);
        }
        return worst / size_;
    }
    void sweep(VectorXd& force) const {
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const CoulombContact& c = contacts_[k];
            // The contact's own problem nearly solved before the next has its turn.
            constexpr int k_local = 8;
            for (int i = 0; i < k_local; ++i) {
                double normal = 0.0;
                Vector2d tangent;
                wanted(k, force, normal, tangent);
                force(c.normal) = normal;
                for (int j = 0; j < c.slips; ++j) force(c.slip + j) = tangent(j);
            }
        }
    }

  private:
    const MatrixXd& D_;
    const VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    const std::vector<double>& given_;
    double size_;
    std::vector<double> rho_;
};

} // namespace

SweepResult sweep_coulomb(const MatrixXd& D, const VectorXd& b,
                          const std::vector<CoulombContact>& contacts,
                          const SweepOptions& options) {
    const Sweep step(D, b, contacts, options.given);
    SweepResult result;
    result.force = VectorXd::Zero(b.size());
    for (std::size_t k = 0; k < options.given.size(); ++k)
        result.force(contacts[k].normal) = options.given[k];
    constexpr int k_look = 10; // sweeps between two looks at the residual
    while (result.sweeps < options.most) {
        for (int i = 0; i < k_look; ++i) step.sweep(result.force);
        result.sweeps += k_look;
        result.residual = step.residual(result.force);
        result.converged = result.residual <= options.tolerance;
        // Sliding contacts with a negative response are pushed away from every solution.
        if (result.converged || !std::isfinite(result.residual)) break;
    }
    return result;
}

double coulomb_residual(const MatrixXd& D, const VectorXd& b,
                        const std::vector<CoulombContact>& contacts, const VectorXd& force) {
    const std::vector<double> none;
    return Sweep(D, b, contacts, none).residual(force);
}

} // namespace liaison::laws
