// SPDX-License-Identifier: Apache-2.0
// Boltzmann–Hamel terms through canonical momenta, solved for by one linear system.
#include "liaison/equations/hamel.hpp"

#include "liaison/expr/ordering.hpp"
#include "liaison/expr/structure.hpp"

#include <map>

namespace liaison::equations {
namespace {

using expr::Structure;

// (p × ω)_a for the three velocities of a rotation.
void add_rotation(const std::array<std::size_t, 3>& axes, const std::vector<Expr>& p,
                  const std::vector<Expr>& v, std::vector<Expr>& terms) {
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = axes[(a + 1) % 3];
        const std::size_t c = axes[(a + 2) % 3];
        terms[axes[a]] = terms[axes[a]] + p[b] * v[c] - p[c] * v[b];
    }
}

// P with KᵀP = p.
std::vector<Expr> canonical_momenta(const Frame& frame, const std::vector<Expr>& p) {
    Pool& pool = frame.pool();
    const auto& K = frame.K();
    const auto n = static_cast<std::uint32_t>(p.size());
    auto structure = std::make_shared<Structure>();
    structure->n = n;
    std::vector<Expr> entries;
    if (K.size() == p.size()) {
        structure->symmetric = false;
        for (std::uint32_t i = 0; i < n; ++i) {
            for (const auto& [a, value] : K[i]) {
                structure->entries.push_back({a, i});
                entries.push_back(value);
            }
        }
        return pool.solve(structure, entries, p);
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Expr>> products;
    for (const Row& row : K) {
        for (const auto& [a, x] : row) {
            for (const auto& [b, y] : row) {
                if (b <= a) products[{a, b}].push_back(x * y);
            }
        }
    }
    for (const auto& [place, terms] : products) {
        structure->entries.push_back({place.first, place.second});
        entries.push_back(pool.sum(terms));
    }
    structure->classes.assign(n, expr::UnknownClass::inertial);
    structure->order = expr::elimination_order(*structure);
    const std::vector<Expr> z = pool.solve(structure, entries, p);
    std::vector<Expr> P;
    for (const Row& row : K) P.push_back(dot(pool, row, z));
    return P;
}

} // namespace

std::vector<Expr> hamel_terms(const Frame& frame, const std::vector<Expr>& p,
                              const LagrangianInput& input) {
    Pool& pool = frame.pool();
    const std::size_t n = frame.n_velocities();
    const auto& K = frame.K();
    std::vector<Expr> terms(n, pool.number(0));
    std::vector<char> rotates(n, 0);
    for (const auto& axes : input.rotations) {
        add_rotation(axes, p, frame.u(), terms);
        for (const std::size_t a : axes) rotates[a] = 1;
    }

    // B_ia = K̇_ia − Σ_j K_ja ∂r_i/∂q_j, only for the velocities that are not rotations.
    std::vector<Row> B;
    bool any = false;
    for (std::size_t i = 0; i < K.size(); ++i) {
        RowBuilder builder(pool, n);
        for (const auto& [a, value] : K[i]) {
            if (rotates[a] == 0) builder.add(a, frame.drift(value));
        }
        for (const auto& [a, value] : frame.position_gradient(frame.rates()[i])) {
            if (rotates[a] == 0) builder.add(a, -value);
        }
        B.push_back(builder.row());
        any = any || !B.back().empty();
    }
    if (!any) return terms;
    const std::vector<Expr> P = canonical_momenta(frame, p);
    for (std::size_t i = 0; i < K.size(); ++i) {
        for (const auto& [a, value] : B[i]) terms[a] = terms[a] + P[i] * value;
    }
    return terms;
}

} // namespace liaison::equations
