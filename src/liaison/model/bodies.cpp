// SPDX-License-Identifier: Apache-2.0
// Rigid bodies as coordinates, quasi-velocities, rates and energies of the general model.
#include "liaison/model/bodies.hpp"

namespace liaison::model {

using expr::Expr;
using expr::Number;

namespace {

Expr q(const Model& model, const Body& body, std::size_t k) {
    return model.coordinates[body.coordinates[k]].q;
}

Expr v(const Model& model, const Body& body, std::size_t k) {
    return model.velocities[body.velocities[k]].v;
}

Expr square(Expr x) { return expr::pow(x, 2); }

// ω of the body; free bodies have three translations before it.
std::array<Expr, 3> omega(const Model& model, const Body& body) {
    const std::size_t first = body.kind == Body::Kind::free ? 3 : 0;
    return {v(model, body, first), v(model, body, first + 1), v(model, body, first + 2)};
}

} // namespace

std::vector<std::string_view> body_coordinates(Body::Kind kind) {
    if (kind == Body::Kind::free) return {"x", "y", "z", "e0", "e1", "e2", "e3"};
    return {"gamma1", "gamma2", "gamma3"};
}

std::vector<std::string_view> body_velocities(Body::Kind kind) {
    if (kind == Body::Kind::free) return {"vx", "vy", "vz", "p", "q", "r"};
    return {"p", "q", "r"};
}

std::vector<Expr> body_rates(const Model& model, const Body& body) {
    const auto [p, qq, r] = omega(model, body);
    if (body.kind == Body::Kind::fixed_point) {
        const Expr g1 = q(model, body, 0), g2 = q(model, body, 1), g3 = q(model, body, 2);
        return {g2 * r - g3 * qq, g3 * p - g1 * r, g1 * qq - g2 * p};
    }
    const Expr e0 = q(model, body, 3), e1 = q(model, body, 4);
    const Expr e2 = q(model, body, 5), e3 = q(model, body, 6);
    const Number half = Number::rational(1, 2);
    return {v(model, body, 0),
            v(model, body, 1),
            v(model, body, 2),
            half * -(e1 * p + e2 * qq + e3 * r),
            half * (e0 * p + e2 * r - e3 * qq),
            half * (e0 * qq + e3 * p - e1 * r),
            half * (e0 * r + e1 * qq - e2 * p)};
}

Expr body_norm(const Model& model, const Body& body) {
    const std::size_t first = body.kind == Body::Kind::free ? 3 : 0;
    std::vector<Expr> squares;
    for (std::size_t k = first; k < body.coordinates.size(); ++k) {
        squares.push_back(square(q(model, body, k)));
    }
    return model.pool->sum(squares);
}

Expr body_kinetic_energy(const Model& model, const Body& body) {
    const auto w = omega(model, body);
    const Number half = Number::rational(1, 2);
    std::vector<Expr> terms;
    if (body.kind == Body::Kind::free) {
        for (std::size_t k = 0; k < 3; ++k) {
            terms.push_back(half * body.mass.expr * square(v(model, body, k)));
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            terms.push_back(half * body.inertia[i][j].expr * (w[i] * w[j]));
        }
        if (body.gyrostat[i]) terms.push_back(body.gyrostat[i].expr * w[i]);
    }
    return model.pool->sum(terms);
}

Expr body_potential_energy(const Model& model, const Body& body) {
    std::vector<Expr> terms;
    if (body.kind == Body::Kind::fixed_point && body.weight) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (body.center[k])
                terms.push_back(body.weight.expr * body.center[k].expr * q(model, body, k));
        }
    }
    return model.pool->sum(terms);
}

std::array<Expr, 3> body_point(const Model& model, const Body& body,
                               const std::array<Expr, 3>& point) {
    const Expr e0 = q(model, body, 3), e1 = q(model, body, 4);
    const Expr e2 = q(model, body, 5), e3 = q(model, body, 6);
    const auto& [a, b, c] = point;
    const Number two(2);
    return {q(model, body, 0) + (square(e0) + square(e1) - square(e2) - square(e3)) * a +
                two * (e1 * e2 - e0 * e3) * b + two * (e1 * e3 + e0 * e2) * c,
            q(model, body, 1) + two * (e1 * e2 + e0 * e3) * a +
                (square(e0) - square(e1) + square(e2) - square(e3)) * b +
                two * (e2 * e3 - e0 * e1) * c,
            q(model, body, 2) + two * (e1 * e3 - e0 * e2) * a + two * (e2 * e3 + e0 * e1) * b +
                (square(e0) - square(e1) - square(e2) + square(e3)) * c};
}

} // namespace liaison::model
