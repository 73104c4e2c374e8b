// SPDX-License-Identifier: Apache-2.0
// Congruence of the extended mass matrix and recursion for the inertia terms.
#include "liaison/equations/reduce.hpp"

#include "liaison/equations/shorten.hpp"
#include "liaison/equations/tidy.hpp"

#include <map>
#include <utility>

namespace liaison::equations {
namespace {

using SparseRow = std::map<std::uint32_t, Expr>;

class Congruence {
  public:
    Congruence(Pool& pool, std::size_t n, const SymmetricMatrix& M) : pool_(pool), rows_(n) {
        for (const auto& [row, col, value] : M) put(row, col, value);
    }

    // u_w = Σ A_i u_i:  M_ij ← M_ij + M_iw A_j + A_i M_wj + A_i M_ww A_j
    void substitute(std::uint32_t w, const Row& A) {
        SparseRow cross = std::move(rows_[w]);
        rows_[w].clear();
        const auto own = cross.find(w);
        const Expr inertia = own == cross.end() ? pool_.number(0) : own->second;
        cross.erase(w);
        for (const auto& [i, value] : cross) rows_[i].erase(w);
        for (const auto& [i, a] : A) {
            const Expr weighted = a * inertia;
            for (const auto& [j, b] : A) {
                if (j <= i) add(i, j, weighted * b);
            }
            for (const auto& [j, m] : cross) add(i, j, i == j ? 2 * (a * m) : a * m);
        }
    }

    [[nodiscard]] SymmetricMatrix lower(std::size_t n) const {
        SymmetricMatrix M;
        for (std::uint32_t i = 0; i < n; ++i) {
            for (const auto& [j, value] : rows_[i]) {
                const Expr shorter = tidy(value);
                if (j <= i && !shorter.is_zero()) M.push_back({i, j, shorter});
            }
        }
        return M;
    }

  private:
    void put(std::uint32_t row, std::uint32_t col, Expr value) {
        rows_[row].insert_or_assign(col, value);
        rows_[col].insert_or_assign(row, value);
    }
    void add(std::uint32_t row, std::uint32_t col, Expr value) {
        const auto it = rows_[row].find(col);
        put(row, col, it == rows_[row].end() ? value : it->second + value);
    }

    Pool& pool_;
    std::vector<SparseRow> rows_;
};

// Jᵀ (ĥ + M̂ ζ). Names of the intermediate quantities keep the recursion short.
std::vector<Expr> loads(const Frame& frame, const Inertia& extended,
                        const std::vector<Definition>& definitions, bool with_names) {
    Pool& pool = frame.pool();
    const std::size_t n_v = frame.n_velocities();
    const auto name = [&](std::size_t k, const char* suffix, Expr e) {
        return with_names && e.op() == expr::Op::add
                   ? pool.named(frame.auxiliaries()[k].p.name() + suffix, e)
                   : e;
    };
    // ζ: accelerations of the auxiliaries while v̇ = 0.
    std::vector<Expr> zeta(frame.size(), pool.number(0));
    for (std::size_t k = 0; k < definitions.size(); ++k) {
        zeta[n_v + k] = name(k, "_bias", dot(pool, definitions[k].A, zeta) + definitions[k].gamma);
    }
    RowBuilder load(pool, frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) load.add(i, extended.h[i]);
    for (const auto& [row, col, value] : extended.M) {
        load.add(row, value * zeta[col]);
        if (row != col) load.add(col, value * zeta[row]);
    }
    // Handed down to the velocities the auxiliaries are made of.
    for (std::size_t k = definitions.size(); k-- > 0;) {
        const Expr total = name(k, "_load", load.at(n_v + k));
        for (const auto& [i, a] : definitions[k].A) load.add(i, a * total);
    }
    std::vector<Expr> h;
    for (std::size_t i = 0; i < n_v; ++i) h.push_back(load.at(i));
    return h;
}

} // namespace

Inertia reduce(const Frame& frame, const Inertia& extended,
               const std::vector<Definition>& definitions) {
    Pool& pool = frame.pool();
    const std::size_t n_v = frame.n_velocities();
    const std::size_t n = frame.size();

    Congruence M(pool, n, extended.M);
    for (std::size_t k = definitions.size(); k-- > 0;) {
        M.substitute(static_cast<std::uint32_t>(n_v + k), definitions[k].A);
    }

    Inertia result;
    result.M = M.lower(n_v);
    result.h = shorten(frame, loads(frame, extended, definitions, true),
                       loads(frame, extended, definitions, false));
    return result;
}

} // namespace liaison::equations
