// SPDX-License-Identifier: Apache-2.0
// Feasibility, least norm and dimension of small polyhedra by Lemke's method.
#include "liaison/solve/polyhedron.hpp"

#include "liaison/solve/lcp.hpp"

namespace liaison::solve {
namespace {

struct Projection {
    bool found = false;
    bool empty = false;
    Vector y;
};

// The point of {A y + c ≥ 0} nearest to the origin.
Projection nearest(const Matrix& A, const Vector& c, double slack) {
    Projection result;
    result.y = Vector::Zero(A.cols());
    if (c.size() == 0 || c.minCoeff() >= 0) {
        result.found = true;
        return result;
    }
    const LemkeResult dual = lemke(A * A.transpose(), c, {.tolerance = 1e-6});
    if (dual.status == LemkeStatus::solved) {
        result.y = A.transpose() * dual.point.z;
        result.found = (A * result.y + c).minCoeff() >= -slack;
    }
    result.empty = dual.status == LemkeStatus::ray && dual.infeasible;
    return result;
}

}  // namespace

PolyhedronPoint examine_polyhedron(const Matrix& A, const Vector& c, double slack, double strict) {
    PolyhedronPoint point;
    // Inequalities that do not depend on y are decided by c alone.
    const Vector row_norm = A.rowwise().norm();
    std::vector<Eigen::Index> active;
    for (Eigen::Index i = 0; i < c.size(); ++i) {
        if (row_norm[i] > 1e-13)
            active.push_back(i);
        else if (c[i] < -slack)
            return point;
    }
    const auto k = static_cast<Eigen::Index>(active.size());
    Matrix rows(k, A.cols());
    Vector offsets(k);
    for (Eigen::Index i = 0; i < k; ++i) {
        rows.row(i) = A.row(active[static_cast<std::size_t>(i)]);
        // A computed zero may be slightly negative; it must not empty the set.
        offsets[i] = c[active[static_cast<std::size_t>(i)]] + 0.5 * slack;
    }
    const Projection first = nearest(rows, offsets, slack);
    point.feasible = first.found;
    point.decided = first.found || first.empty;
    if (!first.found) return point;
    point.least_norm = first.y;

    // An inequality that can be strict somewhere is not an implied equation; the mean of such places is interior.
    point.interior = first.y;
    Matrix implied(0, A.cols());
    int places = 1;
    for (Eigen::Index i = 0; i < k; ++i) {
        Vector stricter = offsets;
        stricter[i] -= strict;
        const Projection place = nearest(rows, stricter, slack);
        if (place.found) {
            point.interior += place.y;
            ++places;
        } else {
            point.decided = point.decided && place.empty;
            implied.conservativeResize(implied.rows() + 1, Eigen::NoChange);
            implied.bottomRows(1) = rows.row(i) / rows.row(i).norm();
        }
    }
    point.interior /= places;
    RankFactor factor;
    factor.factor(implied, {.threshold = 1e-9});
    point.dimension = static_cast<int>(A.cols() - (implied.rows() > 0 ? factor.rank() : 0));
    return point;
}

} // namespace liaison::solve
