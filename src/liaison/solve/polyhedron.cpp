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

// The inequalities that depend on y, with a slack for computed zeros that are slightly negative.
struct Rows {
    Matrix A;
    Vector c;
    Vector exact; // without the slack
    bool possible = true; // those that do not depend on y hold
};
Rows dependent_rows(const Matrix& A, const Vector& c, double slack) {
    Rows rows;
    const Vector row_norm = A.rowwise().norm();
    std::vector<Eigen::Index> active;
    for (Eigen::Index i = 0; i < c.size(); ++i) {
        if (row_norm[i] > 1e-13)
            active.push_back(i);
        else if (c[i] < -slack)
            rows.possible = false;
    }
    rows.A = A(active, Eigen::all);
    rows.exact = c(active);
    rows.c = rows.exact.array() + 0.5 * slack;
    return rows;
}

PolyhedronPoint point_of(const Rows& rows, double slack) {
    PolyhedronPoint point;
    if (!rows.possible) return point;
    Projection first = nearest(rows.A, rows.c, slack);
    point.feasible = first.found;
    point.decided = first.found || first.empty;
    if (!first.found) return point;
    point.least_norm = std::move(first.y);
    // The slack decides whether there is a point; where it is not needed the point does not use it.
    if (rows.exact.size() > 0 && (rows.A * point.least_norm + rows.exact).minCoeff() < 0.0) {
        Projection exact = nearest(rows.A, rows.exact, 1e-3 * slack);
        if (exact.found) point.least_norm = std::move(exact.y);
    }
    return point;
}

} // namespace

PolyhedronPoint least_norm_point(const Matrix& A, const Vector& c, double slack) {
    return point_of(dependent_rows(A, c, slack), slack);
}

PolyhedronPoint examine_polyhedron(const Matrix& A, const Vector& c, double slack, double strict) {
    const Rows rows = dependent_rows(A, c, slack);
    PolyhedronPoint point = point_of(rows, slack);
    if (!point.feasible) return point;

    // An inequality that can be strict somewhere is not an implied equation; the mean of such places is interior.
    point.interior = point.least_norm;
    Matrix implied(0, A.cols());
    int places = 1;
    for (Eigen::Index i = 0; i < rows.c.size(); ++i) {
        Vector stricter = rows.c;
        stricter[i] -= strict;
        const Projection place = nearest(rows.A, stricter, slack);
        if (place.found) {
            point.interior += place.y;
            ++places;
        } else {
            point.decided = point.decided && place.empty;
            implied.conservativeResize(implied.rows() + 1, Eigen::NoChange);
            implied.bottomRows(1) = rows.A.row(i) / rows.A.row(i).norm();
        }
    }
    point.interior /= places;
    RankFactor factor;
    factor.factor(implied, {.threshold = 1e-9});
    point.dimension = static_cast<int>(A.cols() - (implied.rows() > 0 ? factor.rank() : 0));
    return point;
}

} // namespace liaison::solve
