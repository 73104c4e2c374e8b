// SPDX-License-Identifier: Apache-2.0
// The projection as the settling part of a transition.
#include "liaison/realise/projection.hpp"

#include "liaison/flow/probe.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using expr::Expr;

class Projection final : public flow::Transition {
  public:
    Projection(flow::Probe changes, bool always, std::vector<std::size_t> slots)
        : changes_(std::move(changes)), always_(always), slots_(std::move(slots)) {}

    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }

    void settle(flow::Instant& now) const override {
        const bool any = always_ || std::ranges::any_of(slots_, [&](std::size_t slot) {
                             return now.mode[slot] != 0.0;
                         });
        if (!any) return;
        const auto changes = changes_(now);
        if (!std::ranges::all_of(changes, [](double x) { return std::isfinite(x); })) return;
        for (std::size_t i = 0; i < changes.size(); ++i) now.state[i] += changes[i];
    }

  private:
    flow::Probe changes_;
    bool always_;
    std::vector<std::size_t> slots_;
};

} // namespace

std::vector<Expr> corrections(const equations::Equations& equations, std::span<const KeptRow> rows,
                              double mu) {
    expr::Pool& pool = equations.frame.pool();
    std::vector<equations::ReactionRow> ideal;
    for (const KeptRow& row : rows) ideal.push_back(equations::reaction_row(row.row, {}, row.mask));
    const equations::LinearSystem system = equations::assemble(equations, ideal, mu);
    const Expr factor = pool.factor(system.structure, system.entries);
    const std::size_t n = system.structure->n;
    const auto response = [&](auto value) {
        std::vector<Expr> rhs(n, pool.number(0));
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const Expr e = value(rows[k]);
            if (e) rhs[n - rows.size() + k] = rows[k].mask ? e * rows[k].mask : e;
        }
        return pool.solve(factor, rhs);
    };
    const auto shift = response([](const KeptRow& row) { return row.violation; });
    const auto kick = response([](const KeptRow& row) { return row.row.rate; });
    std::vector<Expr> changes;
    for (const equations::Row& row : equations.frame.K())
        changes.push_back(equations::dot(pool, row, shift));
    const auto n_v = static_cast<std::ptrdiff_t>(equations.frame.n_velocities());
    changes.insert(changes.end(), kick.begin(), kick.begin() + n_v);
    return changes;
}

void install_projection(std::vector<Expr> changes, std::span<const Expr> masks, flow::Flow& flow) {
    if (masks.empty()) return;
    bool always = false;
    std::vector<std::size_t> slots;
    for (const Expr mask : masks) {
        if (mask)
            slots.push_back(flow::slot_of(flow, mask));
        else
            always = true;
    }
    flow.transitions.push_back(std::make_shared<Projection>(flow::Probe(flow, std::move(changes)),
                                                            always, std::move(slots)));
}

} // namespace liaison::realise
