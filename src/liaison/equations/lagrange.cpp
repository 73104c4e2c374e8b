// SPDX-License-Identifier: Apache-2.0
// Mass matrix and inertia terms by one reverse sweep over L and one small sweep per momentum.
#include "liaison/equations/lagrange.hpp"

#include "liaison/equations/hamel.hpp"
#include "liaison/equations/shorten.hpp"
#include "liaison/equations/tidy.hpp"

namespace liaison::equations {

Inertia lagrange(const Frame& frame, Expr L, const LagrangianInput& input) {
    const Frame::Gradients gradients = frame.gradients(L);
    Inertia result;
    for (std::uint32_t i = 0; i < frame.size(); ++i) {
        for (const auto& [j, value] : frame.velocity_gradient(gradients.by_velocity[i])) {
            if (j <= i) result.M.push_back({i, j, tidy(value)});
        }
    }
    const std::vector<Expr> momentum_drift = frame.drift(gradients.by_velocity);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        result.h.push_back(momentum_drift[i] - gradients.by_position[i]);
    }
    if (frame.has_quasi_velocities() || !input.rotations.empty()) {
        const auto& p = gradients.by_velocity;
        const auto n_v = static_cast<std::ptrdiff_t>(frame.n_velocities());
        const std::vector<Expr> terms = hamel_terms(frame, {p.begin(), p.begin() + n_v}, input);
        for (std::size_t a = 0; a < terms.size(); ++a) result.h[a] = result.h[a] - terms[a];
    }
    result.h = shorten(frame, result.h, result.h);
    return result;
}

std::vector<Definition> definitions(const Frame& frame) {
    std::vector<Expr> bodies;
    for (const Auxiliary& auxiliary : frame.auxiliaries()) bodies.push_back(auxiliary.w.arg(0));
    const std::vector<Expr> gamma = frame.drift(bodies);
    std::vector<Definition> result;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        result.push_back({frame.velocity_gradient(bodies[k]), gamma[k]});
    }
    return result;
}

} // namespace liaison::equations
