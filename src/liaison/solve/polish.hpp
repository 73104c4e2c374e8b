// SPDX-License-Identifier: Apache-2.0
// From a bracket to the last bits: the root in a bracket, and the extremum of a convex or concave piece.
#pragma once

#include "liaison/solve/scaled_polynomial.hpp"

namespace liaison::solve {

struct PolishedRoot {
    double x;
    double correction; // x + correction is the root to double length
    double lower; // certain opposite signs at lower and upper where arithmetic could tell
    double upper;
    double slope;
    double error; // bound of |Q(x)| left by rounding, for the location error
};

// The root of Q between lower and upper, where Q has the sign `side` at lower and −side at upper.
// Newton safeguarded by bisection, plain first, then on compensated values; finite for any input.
// A guess between them makes it quicker.
[[nodiscard]] PolishedRoot polish_root(const ScaledPolynomial& q, double lower, double upper,
                                       int side, double guess = -1);

struct Extremum {
    double x;
    double value;
    double error; // the extreme value on the piece lies within `error` of `value`
};

// The minimum of a convex (or maximum of a concave) Q on [lower, upper] with |Q″| ≥ bend > 0 there;
// `sign` is the sign of Q″. By strong convexity min Q ≥ Q(x) − Q′(x)²/(2 bend).
[[nodiscard]] Extremum find_extremum(const ScaledPolynomial& q, double lower, double upper,
                                     int sign, double bend);

} // namespace liaison::solve
