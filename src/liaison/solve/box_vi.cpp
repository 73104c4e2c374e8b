// SPDX-License-Identifier: Apache-2.0
// Enumeration of relay modes, and Lemke's method where there are too many.
#include "liaison/solve/box_vi.hpp"

#include "liaison/solve/lcp.hpp"
#include "liaison/solve/polyhedron.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::solve {
namespace {

class RelayModes {
  public:
    RelayModes(const Eigen::Ref<const Matrix>& D, const Eigen::Ref<const Vector>& alpha,
               const BoxOptions& options)
        : D_(D), alpha_(alpha), m_(alpha.size()), tolerance_(options.tolerance),
          limit_(options.limit.size() == 0 ? Vector::Ones(alpha.size()) : options.limit) {
        scale_ = std::max(alpha.cwiseAbs().maxCoeff(), D.cwiseAbs().maxCoeff());
        scale_ = std::max(scale_, 1e-300);
    }

    BoxResult enumerate() {
        std::vector<int> sign(static_cast<std::size_t>(m_), -1);
        while (true) {
            visit(sign);
            // Count in base three: −1, 0, 1.
            std::size_t i = 0;
            while (i < sign.size() && sign[i] == 1) sign[i++] = -1;
            if (i == sign.size()) break;
            ++sign[i];
        }
        remove_repetitions();
        return std::move(result_);
    }

    BoxResult by_lemke() {
        Matrix M = Matrix::Zero(2 * m_, 2 * m_);
        M.topLeftCorner(m_, m_) = -D_;
        M.topRightCorner(m_, m_).setIdentity();
        M.bottomLeftCorner(m_, m_) = -Matrix::Identity(m_, m_);
        Vector q(2 * m_);
        q.head(m_) = D_.rowwise().sum() - alpha_;
        q.tail(m_).setConstant(2);
        result_.complete = false;
        const LemkeResult found = lemke(M, q);
        if (found.status == LemkeStatus::solved) {
            const Vector u = (found.point.z.head(m_).array() - 1).cwiseMin(1).cwiseMax(-1);
            keep(u, u, 0);
        }
        return std::move(result_);
    }

  private:
    void visit(const std::vector<int>& sign) {
        std::vector<Eigen::Index> sliding;
        Vector u = Vector::Zero(m_);
        for (Eigen::Index i = 0; i < m_; ++i) {
            u[i] = sign[static_cast<std::size_t>(i)];
            if (u[i] == 0) sliding.push_back(i);
        }
        if (sliding.empty()) {
            if (admissible(u, sign)) keep(u, u, 0);
            return;
        }
        const Vector forced = alpha_ + D_ * u;
        block_.factor(D_(sliding, sliding), {.threshold = 1e-12, .consistency = 1e-10});
        const auto solution = block_.solve(-forced(sliding));
        if (!solution.consistent) return;
        u(sliding) = solution.x;
        if (solution.unique) {
            if (admissible(u, sign)) keep(u, u, 0);
            return;
        }
        visit_affine_set(u, sign, sliding);
    }

    // u_S = u° + N x with |u_S| ≤ 1 and the right signs of the other rates.
    void visit_affine_set(const Vector& u, const std::vector<int>& sign,
                          const std::vector<Eigen::Index>& sliding) {
        const Matrix N = block_.null_space();
        const auto s = static_cast<Eigen::Index>(sliding.size());
        Matrix A(m_ + s, N.cols());
        Vector c(m_ + s);
        A.topRows(s) = N;
        c.head(s) = u(sliding) + limit_(sliding);
        A.middleRows(s, s) = -N;
        c.segment(s, s) = limit_(sliding) - u(sliding);
        const Vector y = alpha_ + D_ * u;
        Eigen::Index row = 2 * s;
        for (Eigen::Index i = 0; i < m_; ++i) {
            const int direction = sign[static_cast<std::size_t>(i)];
            if (direction == 0) continue;
            Vector gradient(s);
            for (Eigen::Index j = 0; j < s; ++j)
                gradient[j] = D_(i, sliding[static_cast<std::size_t>(j)]);
            A.row(row) = direction * gradient.transpose() * N / scale_;
            c[row++] = direction * y[i] / scale_;
        }
        const PolyhedronPoint part = examine_polyhedron(A, c, 10 * tolerance_, 1e-6);
        if (!part.decided) result_.complete = false;
        if (!part.feasible) return;
        Vector least = u;
        least(sliding) += N * part.least_norm;
        Vector interior = u;
        interior(sliding) += N * part.interior;
        keep(least, interior, part.dimension);
    }

    [[nodiscard]] bool admissible(const Vector& u, const std::vector<int>& sign) const {
        const Vector y = alpha_ + D_ * u;
        for (Eigen::Index i = 0; i < m_; ++i) {
            const int direction = sign[static_cast<std::size_t>(i)];
            if (std::fabs(u[i]) > limit_[i] + tolerance_) return false;
            if (direction * y[i] < -tolerance_ * scale_) return false;
        }
        return true;
    }

    void keep(Vector u, const Vector& interior, int dimension) {
        BoxSolution solution;
        solution.dimension = dimension;
        u = u.cwiseMin(limit_).cwiseMax(-limit_);
        solution.y = alpha_ + D_ * u;
        for (Eigen::Index i = 0; i < m_; ++i) {
            const bool still = std::fabs(solution.y[i]) <= tolerance_ * scale_;
            const bool at_limit = std::fabs(limit_[i] - std::fabs(u[i])) <= tolerance_;
            if (still && at_limit) solution.ties.push_back(static_cast<int>(i));
            solution.modes.push_back(still               ? RelayMode::slide
                                     : solution.y[i] > 0 ? RelayMode::up
                                                         : RelayMode::down);
            const double reach = still ? limit_[i] : 1.0;
            const double projected = std::clamp(u[i] + solution.y[i] / scale_, -reach, reach);
            solution.residual = std::max(solution.residual, std::fabs(u[i] - projected));
        }
        solution.u = std::move(u);
        result_.solutions.push_back(std::move(solution));
        interiors_.push_back(interior);
    }

    // Candidates with the same u are one solution; so are points of a continuum that is listed.
    void remove_repetitions() {
        auto& all = result_.solutions;
        const auto same_point = [&](std::size_t a, std::size_t b) {
            return (interiors_[a] - interiors_[b]).cwiseAbs().maxCoeff() <= 1e3 * tolerance_;
        };
        // b lies in the continuum of a: rates of its sliding relays vanish, the others are at the same limit.
        const auto inside = [&](std::size_t a, std::size_t b) {
            if (all[a].dimension <= all[b].dimension) return false;
            const Vector y = alpha_ + D_ * interiors_[b];
            for (Eigen::Index i = 0; i < m_; ++i) {
                const bool slides = all[a].modes[static_cast<std::size_t>(i)] == RelayMode::slide;
                if (slides && std::fabs(y[i]) > 10 * tolerance_ * scale_) return false;
                if (!slides && std::fabs(interiors_[b][i] - all[a].u[i]) > 10 * tolerance_)
                    return false;
            }
            return true;
        };
        std::vector<bool> dropped(all.size(), false);
        for (std::size_t b = 0; b < all.size(); ++b)
            for (std::size_t a = 0; a < all.size() && !dropped[b]; ++a)
                dropped[b] = a != b && !dropped[a] && (inside(a, b) || (a < b && same_point(a, b)));
        std::vector<BoxSolution> distinct;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!dropped[i]) distinct.push_back(std::move(all[i]));
        all = std::move(distinct);
    }

    const Eigen::Ref<const Matrix> D_;
    const Eigen::Ref<const Vector> alpha_;
    Eigen::Index m_;
    double tolerance_;
    Vector limit_;
    double scale_;
    RankFactor block_;
    BoxResult result_;
    std::vector<Vector> interiors_;
};

} // namespace

BoxResult solve_box_vi(const Eigen::Ref<const Matrix>& D, const Eigen::Ref<const Vector>& alpha,
                       const BoxOptions& options) {
    if (alpha.size() == 0) return {.solutions = {BoxSolution{}}};
    if (!D.allFinite() || !alpha.allFinite()) return {.complete = false};
    RelayModes modes(D, alpha, options);
    return alpha.size() <= std::min(options.max_enumerated, 12) ? modes.enumerate()
                                                                : modes.by_lemke();
}

} // namespace liaison::solve
