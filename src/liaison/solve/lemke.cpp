// SPDX-License-Identifier: Apache-2.0
// Lemke's complementary pivoting with lexicographic ratio test and verified certificates.
#include "liaison/solve/dense.hpp"
#include "liaison/solve/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::solve {
namespace {

// The tableau w − M z − d z₀ = q. Columns: w (kept as B⁻¹ for the lexicographic order), z, z₀, right-hand side.
class Tableau {
  public:
    Tableau(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
            const Vector& cover)
        : n_(q.size()), table_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_)) {
        table_.leftCols(n_).setIdentity();
        table_.middleCols(n_, n_) = -M;
        table_.col(z0()) = -cover;
        table_.col(right()) = q;
        for (Eigen::Index i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
        zero_ = 1e-12;
    }

    [[nodiscard]] Eigen::Index z0() const { return 2 * n_; }
    [[nodiscard]] Eigen::Index right() const { return 2 * n_ + 1; }
    [[nodiscard]] Eigen::Index basic(Eigen::Index row) const {
        return basis_[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] Eigen::Index complement(Eigen::Index column) const {
        return column < n_ ? column + n_ : column - n_;
    }
    [[nodiscard]] const Matrix& table() const { return table_; }

    // z₀ enters where q_i/d_i is smallest, lexicographically.
    [[nodiscard]] Eigen::Index first_row() const {
        Eigen::Index best = 0;
        for (Eigen::Index i = 1; i < n_; ++i)
            if (before(i, best, -table_(i, z0()), -table_(best, z0()))) best = i;
        return best;
    }

    // The row that blocks the entering column; −1 on a ray. Ties: z₀ leaves if it can.
    [[nodiscard]] Eigen::Index blocking_row(Eigen::Index column) const {
        const double scale = table_.col(column).cwiseAbs().maxCoeff();
        Eigen::Index best = -1;
        for (Eigen::Index i = 0; i < n_; ++i) {
            if (!(table_(i, column) > zero_ * scale)) continue;
            if (best < 0 || before(i, best, table_(i, column), table_(best, column))) best = i;
        }
        if (best < 0) return best;
        const double ratio = table_(best, right()) / table_(best, column);
        for (Eigen::Index i = 0; i < n_; ++i)
            if (basic(i) == z0() && table_(i, column) > zero_ * scale &&
                table_(i, right()) / table_(i, column) <= ratio + 1e-14 * std::fabs(ratio))
                return i;
        return best;
    }

    void pivot(Eigen::Index row, Eigen::Index column) {
        table_.row(row) /= table_(row, column);
        for (Eigen::Index i = 0; i < n_; ++i) {
            const double factor = table_(i, column);
            if (i == row || factor == 0) continue;
            table_.row(i) -= factor * table_.row(row);
            table_(i, column) = 0;
        }
        basis_[static_cast<std::size_t>(row)] = column;
    }

  private:
    // Row a before row b in the lexicographic order of [right, B⁻¹] divided by the pivots.
    [[nodiscard]] bool before(Eigen::Index a, Eigen::Index b, double pivot_a,
                              double pivot_b) const {
        double difference = table_(a, right()) / pivot_a - table_(b, right()) / pivot_b;
        const double scale =
            std::fabs(table_(a, right()) / pivot_a) + std::fabs(table_(b, right()) / pivot_b);
        if (std::fabs(difference) > 1e-13 * scale) return difference < 0;
        for (Eigen::Index j = 0; j < n_; ++j) {
            difference = table_(a, j) / pivot_a - table_(b, j) / pivot_b;
            if (std::fabs(difference) > 1e-13) return difference < 0;
        }
        return a < b;
    }

    Eigen::Index n_;
    Matrix table_;
    std::vector<Eigen::Index> basis_;
    double zero_;
};

Vector default_cover(const Eigen::Ref<const Matrix>& M) {
    Vector d(M.rows());
    for (Eigen::Index i = 0; i < d.size(); ++i) d[i] = M(i, i) > 0 ? std::sqrt(M(i, i)) : 1;
    return d;
}

// The basic solution recomputed from the original data: M_αα z_α = −q_α by QR, better than the pivoted tableau.
Vector refined(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
               const Vector& z, const std::vector<Eigen::Index>& alpha) {
    if (alpha.empty()) return Vector::Zero(q.size());
    const Matrix block = M(alpha, alpha);
    const Vector right = -q(alpha);
    Vector better = Vector::Zero(q.size());
    better(alpha) = least_norm(block, right);
    const bool usable =
        better.allFinite() && lcp_point(M, q, better).residual <= lcp_point(M, q, z).residual;
    return usable ? better : z;
}

// y ≥ 0, Mᵀy ≤ 0, qᵀy < 0, up to rounding.
bool proves_infeasible(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
                       const Vector& y) {
    const double size = M.cwiseAbs().maxCoeff() * y.lpNorm<1>();
    return y.minCoeff() >= 0 && (M.transpose() * y).maxCoeff() <= 1e-10 * size &&
           q.dot(y) < -1e-10 * q.cwiseAbs().maxCoeff() * y.lpNorm<1>();
}

} // namespace

LcpPoint lcp_point(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
                   const Eigen::Ref<const Vector>& z) {
    LcpPoint point{.z = z, .w = M * z + q};
    if (q.size() == 0) return point;
    const double largest = std::max(M.cwiseAbs().maxCoeff(), 1e-300);
    const double scale = std::max(q.cwiseAbs().maxCoeff(), 1e-300);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double unit = M(i, i) > 0 ? M(i, i) : largest;
        const double distance = std::fabs(std::min(z[i] * unit, point.w[i])) / scale;
        // A NaN must not look like a small residual.
        point.residual = std::isfinite(distance) ? std::max(point.residual, distance) : HUGE_VAL;
    }
    return point;
}

LemkeResult lemke(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
                  const LemkeOptions& options) {
    LemkeResult result;
    const Eigen::Index n = q.size();
    if (n == 0 || q.minCoeff() >= 0) {
        result.point = lcp_point(M, q, Vector::Zero(n));
        return result;
    }
    if (!M.allFinite() || !q.allFinite()) {
        result.status = LemkeStatus::inaccurate;
        result.point = lcp_point(M, q, Vector::Zero(n));
        return result;
    }
    Tableau tableau(M, q, options.cover.size() == n ? options.cover : default_cover(M));
    const int limit = options.max_pivots > 0 ? options.max_pivots : 50 * static_cast<int>(n) + 200;
    Eigen::Index entering = tableau.z0();
    Eigen::Index row = tableau.first_row();
    while (true) {
        const Eigen::Index leaving = tableau.basic(row);
        tableau.pivot(row, entering);
        ++result.pivots;
        if (leaving == tableau.z0()) break;
        entering = tableau.complement(leaving);
        row = tableau.blocking_row(entering);
        if (row < 0) {
            // Along the ray the entering variable grows and the basic ones change by minus its column.
            result.status = LemkeStatus::ray;
            result.ray = Vector::Zero(n);
            for (Eigen::Index i = 0; i < n; ++i) {
                const double rate = std::max(0.0, -tableau.table()(i, entering));
                const Eigen::Index variable = tableau.basic(i);
                if (variable == tableau.z0())
                    result.ray_cover = rate;
                else if (variable >= n)
                    result.ray[variable - n] = rate;
            }
            if (entering >= n && entering < 2 * n) result.ray[entering - n] = 1;
            const double size = std::max(result.ray.maxCoeff(), 1e-300);
            result.certificate = result.ray / size;
            result.infeasible = proves_infeasible(M, q, result.certificate);
            break;
        }
        if (result.pivots == limit) {
            result.status = LemkeStatus::too_many_pivots;
            break;
        }
    }
    // Basic values of z, recomputed where they solve the problem.
    Vector z = Vector::Zero(n);
    std::vector<Eigen::Index> alpha;
    for (Eigen::Index i = 0; i < n; ++i) {
        const Eigen::Index variable = tableau.basic(i);
        if (variable < n || variable >= 2 * n) continue;
        z[variable - n] = std::max(0.0, tableau.table()(i, tableau.right()));
        alpha.push_back(variable - n);
    }
    std::sort(alpha.begin(), alpha.end());
    // On singular M the covering variable may be zero up to rounding and yet stay basic: that is a solution too.
    const bool ends_on_solution = lcp_point(M, q, z).residual <= 1e-12;
    if (ends_on_solution) result.status = LemkeStatus::solved;
    if (result.status == LemkeStatus::solved) {
        result.infeasible = false;
        z = refined(M, q, z, alpha);
    }
    result.point = lcp_point(M, q, z);
    if (result.status == LemkeStatus::solved && !(result.point.residual <= options.tolerance))
        result.status = LemkeStatus::inaccurate;
    return result;
}

} // namespace liaison::solve
