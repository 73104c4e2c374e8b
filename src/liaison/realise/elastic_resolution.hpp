// SPDX-License-Identifier: Apache-2.0
// What numbers of double precision can hold of an elastic contact.
//
//   δ = ε (Σ |∂g/∂qᵢ qᵢ| + |∂g/∂t t|)        rounding of the gap
//   max(|ġ|/ω, −g̈/ω²),  ω = √(N B/μ)         compression by a contact of rate ġ and free acceleration g̈
//
// A compression below the rounding cannot be told from none: the contact would hold the body by the last bits of its
// coordinates, or not at all. A compression above it still leaves ω δ of velocity to the rounding.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <span>

namespace liaison::realise {

// δ as an expression of the coordinates and the time.
expr::Expr gap_rounding(expr::Expr gap, std::span<const expr::Expr> coordinates, expr::Expr time);

struct Compression {
    double depth = 0.0;
    double rounding = 0.0;
    bool resolved = true;
    // Share of the stiffness at which the body, come to rest under its load, would be seen; without a load, the contact.
    double bearable = 1.0;
};

// `frequency` is ω, `acceleration` the g̈ of the free motion.
Compression compression(double frequency, double rate, double acceleration, double rounding);

// What is wrong with the springs of a motion until `until`: refuses restitutions that contradict a damping (see
// spring_facts.hpp), warns of contacts that leave more velocity to rounding than the tolerance, where the start is moved
// to the contact, and of those that are over within an instant of that motion.
void report_springs(const model::Model& model, const prepare::Point& start, double tolerance,
                    double until, base::Diagnostics& diagnostics);

} // namespace liaison::realise
