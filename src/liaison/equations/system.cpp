// SPDX-License-Identifier: Apache-2.0
// Assembly of the augmented system and its elimination order.
#include "liaison/equations/system.hpp"

#include "liaison/expr/ordering.hpp"

#include <algorithm>
#include <map>

namespace liaison::equations {
namespace {

using expr::Structure;
using expr::UnknownClass;

class Assembly {
  public:
    Assembly(const Equations& equations, std::span<const ReactionRow> reactions, double mu = 0.0)
        : eq_(equations), reactions_(reactions), pool_(equations.frame.pool()), mu_(mu),
          n_u_(static_cast<std::uint32_t>(equations.frame.size())),
          n_v_(static_cast<std::uint32_t>(equations.frame.n_velocities())),
          n_w_(static_cast<std::uint32_t>(equations.definitions.size())) {}

    LinearSystem run() {
        const auto n = n_u_ + n_w_ + static_cast<std::uint32_t>(reactions_.size());
        Structure& s = *system_.structure;
        s.n = n;
        s.symmetric = std::all_of(reactions_.begin(), reactions_.end(),
                                  [](const ReactionRow& r) { return r.symmetric; });
        s.classes.assign(n_v_, UnknownClass::inertial);
        s.classes.insert(s.classes.end(), n_w_, UnknownClass::auxiliary);
        s.classes.insert(s.classes.end(), n_w_, UnknownClass::auxiliary_multiplier);
        s.classes.insert(s.classes.end(), reactions_.size(), UnknownClass::multiplier);
        if (n_w_ > 0) s.partner.assign(n, n);
        add_inertia();
        for (std::uint32_t k = 0; k < n_w_; ++k) add_definition(k);
        for (std::uint32_t r = 0; r < reactions_.size(); ++r) add_reaction(r);
        s.order = expr::elimination_order(s);
        return std::move(system_);
    }

  private:
    void put(std::uint32_t row, std::uint32_t col, Expr value) {
        system_.structure->entries.push_back({row, col});
        system_.entries.push_back(value);
    }
    // An entry and its mirror image, which symmetric systems do not store.
    void put_both(std::uint32_t row, std::uint32_t col, Expr value) {
        put(row, col, value);
        if (!system_.structure->symmetric && row != col) put(col, row, value);
    }

    void add_inertia() {
        for (const auto& [row, col, value] : eq_.inertia.M) put_both(row, col, value);
        for (std::uint32_t i = 0; i < n_u_; ++i) system_.rhs.push_back(eq_.Q[i] - eq_.inertia.h[i]);
    }

    void add_definition(std::uint32_t k) {
        const std::uint32_t w = n_v_ + k;
        const std::uint32_t y = n_u_ + k;
        system_.structure->partner[w] = y;
        system_.structure->partner[y] = w;
        put_both(y, w, pool_.number(-1));
        for (const auto& [i, a] : eq_.definitions[k].A) put_both(y, i, a);
        system_.rhs.push_back(-eq_.definitions[k].gamma);
    }

    void add_reaction(std::uint32_t r) {
        const ReactionRow& reaction = reactions_[r];
        const std::uint32_t row = n_u_ + n_w_ + r;
        const auto masked = [&](Expr e) { return reaction.mask ? e * reaction.mask : e; };
        for (const auto& [i, value] : reaction.W) put(row, i, masked(-value));
        if (!system_.structure->symmetric) {
            const Expr acts = reaction.follows ? reaction.mask + reaction.follows : reaction.mask;
            for (const auto& [i, value] : reaction.direction)
                put(i, row, acts ? -value * acts : -value);
            for (const ReactionRow::Share& s : reaction.shares)
                put(row, n_u_ + n_w_ + static_cast<std::uint32_t>(s.row), s.share);
        }
        if (reaction.mask)
            put(row, row, reaction.mask - expr::Number(1));
        else if (mu_ != 0.0)
            put(row, row, pool_.number(-mu_));
        system_.rhs.push_back(
            masked(reaction.target ? reaction.drift - reaction.target : reaction.drift));
    }

    const Equations& eq_;
    std::span<const ReactionRow> reactions_;
    Pool& pool_;
    double mu_;
    std::uint32_t n_u_, n_v_, n_w_;
    LinearSystem system_{std::make_shared<Structure>(), {}, {}};
};

} // namespace

ReactionRow reaction_row(const ConstraintRows& constraint, Expr target, Expr mask) {
    return {constraint.row.W,
            constraint.reaction,
            constraint.row.drift,
            target,
            mask,
            constraint.ideal,
            {},
            {}};
}

ReactionRow reaction_row(const RateRow& row, Expr target, Expr mask) {
    return {row.W, row.W, row.drift, target, mask, true, {}, {}};
}

std::vector<ReactionRow> some_of(std::span<const ReactionRow> rows,
                                 std::span<const std::size_t> kept) {
    std::vector<ReactionRow> some;
    for (const std::size_t i : kept) {
        some.push_back(rows[i]);
        some.back().shares.clear();
        for (const ReactionRow::Share& s : rows[i].shares) {
            const auto at = std::ranges::find(kept, s.row);
            if (at != kept.end())
                some.back().shares.push_back(
                    {static_cast<std::size_t>(at - kept.begin()), s.share});
        }
    }
    return some;
}

std::vector<ReactionRow> bilateral_rows(const Equations& equations) {
    std::vector<ReactionRow> rows;
    for (const ConstraintRows& c : equations.constraints) rows.push_back(reaction_row(c));
    return rows;
}

LinearSystem assemble(const Equations& equations, std::span<const ReactionRow> reactions,
                      double mu) {
    return Assembly(equations, reactions, mu).run();
}

Accelerations accelerations(const Equations& equations, std::span<const ReactionRow> reactions) {
    LinearSystem system = assemble(equations, reactions);
    Pool& pool = equations.frame.pool();
    const Expr factor = pool.factor(system.structure, system.entries);
    const std::vector<Expr> x = pool.solve(factor, system.rhs);
    const auto n_u = static_cast<std::ptrdiff_t>(equations.frame.size());
    const auto n_w = static_cast<std::ptrdiff_t>(equations.definitions.size());
    return {{x.begin(), x.begin() + n_u}, {x.begin() + n_u + n_w, x.end()}, factor};
}

Accelerations least_reactions(const Equations& equations, std::span<const ReactionRow> reactions,
                              double mu) {
    const LinearSystem system = assemble(equations, reactions, mu);
    Pool& pool = equations.frame.pool();
    const Expr factor = pool.factor(system.structure, system.entries);
    std::vector<Expr> x = pool.solve(factor, system.rhs);
    const std::size_t n_u = equations.frame.size();
    const std::size_t before = n_u + equations.definitions.size();
    // What is left after adding `last` is −μ times its reactions.
    std::vector<Expr> last = x;
    constexpr int k_refinements = 2;
    for (int i = 0; i < k_refinements; ++i) {
        std::vector<Expr> residual(x.size(), pool.number(0));
        for (std::size_t k = 0; k < reactions.size(); ++k) {
            if (!reactions[k].mask) residual[before + k] = expr::Number(-mu) * last[before + k];
        }
        last = pool.solve(factor, residual);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = x[k] + last[k];
    }
    return {{x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n_u)},
            {x.begin() + static_cast<std::ptrdiff_t>(before), x.end()},
            factor};
}

std::vector<std::vector<Expr>> responses(const Equations& equations, Expr factor,
                                         std::span<const Row> directions) {
    Pool& pool = equations.frame.pool();
    const std::size_t n = pool.structure(*factor.node()).n;
    std::vector<std::vector<Expr>> columns;
    for (const Row& direction : directions) {
        std::vector<Expr> rhs(n, pool.number(0));
        for (const auto& [i, value] : direction) rhs[i] = value;
        std::vector<Expr> x = pool.solve(factor, rhs);
        x.resize(equations.frame.size());
        columns.push_back(std::move(x));
    }
    return columns;
}

std::vector<std::vector<Expr>> delassus(const Equations& equations, Expr factor,
                                        std::span<const Row> rows,
                                        std::span<const Row> directions) {
    Pool& pool = equations.frame.pool();
    const auto columns = responses(equations, factor, directions);
    std::vector<std::vector<Expr>> D;
    for (const Row& row : rows) {
        D.emplace_back();
        for (const auto& column : columns) D.back().push_back(dot(pool, row, column));
    }
    return D;
}

} // namespace liaison::equations
