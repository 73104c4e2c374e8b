// SPDX-License-Identifier: Apache-2.0
// Comparison of derived forms by their cost.
#include "liaison/equations/shorten.hpp"

#include "liaison/equations/cost.hpp"
#include "liaison/equations/tidy.hpp"
#include "liaison/expr/expand.hpp"

namespace liaison::equations {
namespace {

// Systems with more velocities than this are not multiplied out.
constexpr std::size_t k_small = 8;

std::vector<Expr> changing(const Frame& frame) {
    std::vector<Expr> atoms = frame.q();
    const auto velocities = std::span(frame.u()).first(frame.n_velocities());
    atoms.insert(atoms.end(), velocities.begin(), velocities.end());
    atoms.push_back(frame.t());
    return atoms;
}

} // namespace

std::vector<Expr> shorten(const Frame& frame, std::vector<Expr> given,
                          const std::vector<Expr>& open) {
    for (Expr& e : given) e = tidy(e);
    if (frame.n_velocities() > k_small) return given;
    std::vector<Expr> flat;
    for (const Expr e : open) {
        const auto expanded = expr::expand(e);
        if (!expanded) return given;
        flat.push_back(tidy(*expanded));
    }
    const std::vector<Expr> atoms = changing(frame);
    return evaluation_cost(flat, atoms) <= evaluation_cost(given, atoms) ? flat : given;
}

} // namespace liaison::equations
