// SPDX-License-Identifier: Apache-2.0
// Enumeration of relay modes with scans and Newton's method for the sliding values.
#include "liaison/solve/box_roots.hpp"

#include "liaison/solve/newton.hpp"
#include "liaison/solve/scalar_root.hpp"

#include <cmath>

namespace liaison::solve {
namespace {

constexpr int k_scan = 256;          // intervals of the scan over one relay value
constexpr int k_starts = 7;          // starts per direction of Newton's method
constexpr Eigen::Index k_largest = 4; // relays that slide together

class RootModes {
  public:
    RootModes(const BoxRates& rates, Eigen::Index m, const BoxOptions& options)
        : rates_(rates), m_(m), tolerance_(options.tolerance),
          limit_(options.limit.size() == 0 ? Vector::Ones(m) : options.limit) {
        Vector y(m);
        for (int corner = -1; corner <= 1; ++corner) {
            rates_(Vector::Constant(m, corner), y, nullptr);
            if (y.allFinite()) scale_ = std::max(scale_, y.cwiseAbs().maxCoeff());
        }
    }

    BoxResult run() {
        std::vector<int> sign(static_cast<std::size_t>(m_), -1);
        while (true) {
            visit(sign);
            std::size_t i = 0;
            while (i < sign.size() && sign[i] == 1) sign[i++] = -1;
            if (i == sign.size()) break;
            ++sign[i];
        }
        return std::move(result_);
    }

  private:
    void visit(const std::vector<int>& sign) {
        std::vector<Eigen::Index> sliding;
        Vector u(m_);
        for (Eigen::Index i = 0; i < m_; ++i) {
            u[i] = sign[static_cast<std::size_t>(i)];
            if (u[i] == 0) sliding.push_back(i);
        }
        if (sliding.empty()) {
            keep(u, sign);
        } else if (sliding.size() == 1) {
            scan(u, sign, sliding[0]);
        } else if (static_cast<Eigen::Index>(sliding.size()) <= k_largest) {
            result_.complete = false;
            from_grid(u, sign, sliding);
        } else {
            result_.complete = false;
        }
    }

    void scan(Vector u, const std::vector<int>& sign, Eigen::Index i) {
        Vector y(m_);
        const auto rate = [&](double value) {
            u[i] = value;
            rates_(u, y, nullptr);
            return y[i];
        };
        const double reach = limit_[i];
        double before = rate(-reach);
        double at = -reach;
        if (std::fabs(before) <= tolerance_ * scale_) keep_at(u, sign, i, at);
        for (int k = 1; k <= k_scan; ++k) {
            const double next = -reach + 2 * reach * k / k_scan;
            const double value = rate(next);
            if (std::fabs(value) <= tolerance_ * scale_) {
                keep_at(u, sign, i, next);
            } else if (std::fabs(before) > tolerance_ * scale_ && before * value < 0) {
                const ScalarRoot root = find_scalar_root(rate, at, next);
                // The best there is; whether it is a root is asked of the rates themselves.
                if (root.status != ScalarRootStatus::not_finite) keep_at(u, sign, i, root.root);
            }
            before = value;
            at = next;
        }
    }
    void keep_at(Vector u, const std::vector<int>& sign, Eigen::Index i, double value) {
        u[i] = value;
        keep(u, sign);
    }

    void from_grid(const Vector& u, const std::vector<int>& sign,
                   const std::vector<Eigen::Index>& sliding) {
        const auto s = static_cast<Eigen::Index>(sliding.size());
        Vector full = u;
        const auto equations = [&](const Vector& x, Vector& r, Matrix* J) {
            full(sliding) = x;
            Vector y(m_);
            Matrix all(m_, m_);
            rates_(full, y, J == nullptr ? nullptr : &all);
            r = y(sliding);
            if (J != nullptr) *J = all(sliding, sliding);
        };
        NewtonWorkspace work;
        NewtonOptions options;
        options.tolerance = 1e-14 * scale_;
        std::vector<int> start(sliding.size(), 0);
        while (true) {
            Vector x(s);
            for (Eigen::Index j = 0; j < s; ++j)
                x[j] = -0.9 + 1.8 * start[static_cast<std::size_t>(j)] / (k_starts - 1);
            const NewtonReport report = newton(equations, x, work, options);
            if (report.residual <= tolerance_ * scale_) {
                Vector found = u;
                found(sliding) = x;
                keep(found, sign);
            }
            std::size_t j = 0;
            while (j < start.size() && start[j] == k_starts - 1) start[j++] = 0;
            if (j == start.size()) break;
            ++start[j];
        }
    }

    void keep(const Vector& u, const std::vector<int>& sign) {
        BoxSolution solution;
        solution.y.resize(m_);
        rates_(u, solution.y, nullptr);
        if (!solution.y.allFinite()) return;
        for (Eigen::Index i = 0; i < m_; ++i) {
            const int direction = sign[static_cast<std::size_t>(i)];
            if (std::fabs(u[i]) > limit_[i] + tolerance_) return;
            if (direction * solution.y[i] < -tolerance_ * scale_) return;
            const bool still = std::fabs(solution.y[i]) <= tolerance_ * scale_;
            if (still && std::fabs(limit_[i] - std::fabs(u[i])) <= tolerance_)
                solution.ties.push_back(static_cast<int>(i));
            solution.modes.push_back(still               ? RelayMode::slide
                                     : solution.y[i] > 0 ? RelayMode::up
                                                         : RelayMode::down);
        }
        solution.u = u;
        for (const BoxSolution& known : result_.solutions) {
            if ((known.u - u).cwiseAbs().maxCoeff() <= 1e3 * tolerance_) return;
        }
        result_.solutions.push_back(std::move(solution));
    }

    const BoxRates& rates_;
    Eigen::Index m_;
    double tolerance_;
    Vector limit_;
    double scale_ = 1e-300;
    BoxResult result_;
};

} // namespace

BoxResult solve_box_roots(const BoxRates& rates, Eigen::Index m, const BoxOptions& options) {
    if (m == 0) return {.solutions = {BoxSolution{}}};
    return RootModes(rates, m, options).run();
}

} // namespace liaison::solve
