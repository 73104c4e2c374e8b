// SPDX-License-Identifier: Apache-2.0
// All solutions of a small linear complementarity problem, index set by index set.
//
// For each α ⊆ {1..n}: w_α = 0, z_ᾱ = 0, so M_αα z_α = −q_α. A regular block gives one candidate, tested by signs.
// A singular consistent one gives an affine set, whose admissible part {z_α ≥ 0, w_ᾱ ≥ 0} is a polyhedron:
// it must be examined as a set, since one member (the least-norm one, say) may be inadmissible while others are not.
#include "liaison/solve/lcp.hpp"
#include "liaison/solve/polyhedron.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace liaison::solve {
namespace {

class Enumeration {
  public:
    Enumeration(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
                const LcpOptions& options)
        : M_(M), q_(q), n_(q.size()), options_(options) {
        scale_ = std::max(q.cwiseAbs().maxCoeff(), 1e-300);
        largest_ = std::max(M.cwiseAbs().maxCoeff(), 1e-300);
    }

    LcpEnumeration run() {
        for (std::uint32_t set = 0; set < (1u << n_); ++set) visit(set);
        remove_repetitions();
        return std::move(result_);
    }

  private:
    void visit(std::uint32_t set) {
        std::vector<Eigen::Index> in;
        std::vector<Eigen::Index> out;
        for (Eigen::Index i = 0; i < n_; ++i) (set >> i & 1u ? in : out).push_back(i);
        if (in.empty()) {
            keep(set, Vector::Zero(n_), Vector::Zero(n_), 0);
            return;
        }
        block_.factor(M_(in, in), {.threshold = 1e-12, .consistency = 1e-10});
        const auto solution = block_.solve(-q_(in));
        if (!solution.consistent) return;
        Vector z = Vector::Zero(n_);
        z(in) = solution.x;
        if (solution.unique) {
            keep(set, z, z, 0);
            return;
        }
        visit_affine_set(set, in, out, z);
    }

    // z_α = z° + N y: least norm and interior of the admissible part.
    void visit_affine_set(std::uint32_t set, const std::vector<Eigen::Index>& in,
                          const std::vector<Eigen::Index>& out, const Vector& z) {
        const Matrix N = block_.null_space();
        Matrix A(n_, N.cols());
        Vector c(n_);
        const auto inside = static_cast<Eigen::Index>(in.size());
        A.topRows(inside) = N;
        c.head(inside) = z(in);
        // Rows of w in units of z.
        A.bottomRows(n_ - inside) = M_(out, in) * N / largest_;
        c.tail(n_ - inside) = (M_(out, in) * z(in) + q_(out)) / largest_;
        const double unit = scale_ / largest_ + z.cwiseAbs().maxCoeff();
        const PolyhedronPoint part =
            examine_polyhedron(A, c, 10 * options_.tolerance * unit, 1e-6 * unit);
        if (!part.decided) ++result_.undecided;
        if (!part.feasible) return;
        Vector least = z;
        least(in) += N * part.least_norm;
        Vector interior = z;
        interior(in) += N * part.interior;
        keep(set, least, interior, part.dimension);
    }

    [[nodiscard]] double z_tolerance(Eigen::Index i) const {
        const double unit = M_(i, i) > 0 ? M_(i, i) : largest_;
        return options_.tolerance * scale_ / unit;
    }
    // Rounding of w grows with |M||z|.
    [[nodiscard]] double w_tolerance(const Vector& z) const {
        return options_.tolerance * (scale_ + 1e-3 * largest_ * z.cwiseAbs().maxCoeff());
    }

    void keep(std::uint32_t set, Vector z, const Vector& interior, int dimension) {
        const double w_zero = w_tolerance(z);
        Vector w = M_ * z + q_;
        bool degenerate = false;
        for (Eigen::Index i = 0; i < n_; ++i) {
            const double z_zero =
                z_tolerance(i) + 1e-3 * options_.tolerance * z.cwiseAbs().maxCoeff();
            if (z[i] < -10 * z_zero || w[i] < -10 * w_zero) return;
            degenerate = degenerate || (std::fabs(z[i]) <= z_zero && std::fabs(w[i]) <= w_zero);
        }
        // Rounding below zero is not passed on.
        z = z.cwiseMax(0);
        result_.solutions.push_back({lcp_point(M_, q_, z), set, dimension, degenerate});
        interiors_.push_back(interior);
    }

    // Whether the inner point of solution b satisfies the equations of the index set of a.
    [[nodiscard]] bool contains(std::size_t a, std::size_t b) const {
        const Vector& z = interiors_[b];
        const Vector w = M_ * z + q_;
        const double w_zero = 10 * w_tolerance(z);
        for (Eigen::Index i = 0; i < n_; ++i) {
            const double z_zero =
                10 * (z_tolerance(i) + 1e-3 * options_.tolerance * z.cwiseAbs().maxCoeff());
            const bool inside = result_.solutions[a].support >> i & 1u;
            if (inside ? std::fabs(w[i]) > w_zero : std::fabs(z[i]) > z_zero) return false;
        }
        return true;
    }

    // A point belongs to the index set of largest dimension, then with most indices, that contains it.
    void remove_repetitions() {
        auto& all = result_.solutions;
        std::vector<bool> dropped(all.size(), false);
        const auto preferred = [&](std::size_t a, std::size_t b) {
            if (all[a].dimension != all[b].dimension) return all[a].dimension > all[b].dimension;
            const int size_a = std::popcount(all[a].support);
            const int size_b = std::popcount(all[b].support);
            return size_a != size_b ? size_a > size_b : a < b;
        };
        for (std::size_t b = 0; b < all.size(); ++b)
            for (std::size_t a = 0; a < all.size() && !dropped[b]; ++a)
                dropped[b] = a != b && !dropped[a] && preferred(a, b) && contains(a, b);
        std::vector<LcpSolution> distinct;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!dropped[i]) distinct.push_back(std::move(all[i]));
        all = std::move(distinct);
    }

    const Eigen::Ref<const Matrix> M_;
    const Eigen::Ref<const Vector> q_;
    Eigen::Index n_;
    LcpOptions options_;
    double scale_;
    double largest_;
    RankFactor block_;
    LcpEnumeration result_;
    std::vector<Vector> interiors_;
};

} // namespace

LcpEnumeration enumerate_lcp(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& q,
                             const LcpOptions& options) {
    if (q.size() == 0) return {.solutions = {LcpSolution{}}};
    const bool usable = M.allFinite() && q.allFinite();
    if (!usable || q.size() > std::min(options.max_enumerated, 24)) return {.complete = false};
    return Enumeration(M, q, options).run();
}

PMatrixTest is_p_matrix(const Eigen::Ref<const Matrix>& M, double tolerance) {
    constexpr Eigen::Index k_largest = 20;
    if (M.rows() > k_largest || !M.allFinite()) return {.answer = PMatrix::too_large};
    PMatrixTest worst;
    // Each index is left out or eliminated; every pivot is a quotient of two principal minors.
    const auto visit = [&](const auto& self, const Matrix& rest, Eigen::Index next,
                           std::uint32_t minor) -> bool {
        if (rest.rows() == 0) return true;
        const double pivot = rest(0, 0);
        const double scale = M.row(next).cwiseAbs().maxCoeff();
        const std::uint32_t with = minor | 1u << next;
        if (!(pivot > tolerance * scale)) {
            if (pivot < -tolerance * scale || scale == 0) {
                worst = {PMatrix::no, with};
                return false;
            }
            if (worst.answer == PMatrix::yes) worst = {PMatrix::unclear, with};
        }
        const Eigen::Index left = rest.rows() - 1;
        const Matrix without = rest.bottomRightCorner(left, left);
        if (!self(self, without, next + 1, minor)) return false;
        if (!(pivot > 0)) return true;
        return self(
            self,
            Matrix(without - rest.bottomLeftCorner(left, 1) * rest.topRightCorner(1, left) / pivot),
            next + 1, with);
    };
    visit(visit, M, 0, 0);
    return worst;
}

} // namespace liaison::solve
