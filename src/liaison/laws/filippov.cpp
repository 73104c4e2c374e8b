// SPDX-License-Identifier: Apache-2.0
// Interpolation of forces between the values of relays, term by term.
#include "liaison/laws/filippov.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::laws {
namespace {

using expr::Op;

class Interpolation {
  public:
    explicit Interpolation(std::span<const RelayValue> relays) : relays_(relays) {}

    // Sums are interpolated term by term, so that relays that only add up never multiply.
    Expr of(Expr e) const {
        expr::Pool& pool = e.pool();
        if (e.op() == Op::named && contains_relay(e)) return of(e.arg(0));
        if (e.op() != Op::add) return term(e);
        std::vector<Expr> terms{pool.number(e.numbers()[0])};
        for (std::size_t i = 0; i < e.size(); ++i)
            terms.push_back(of(e.arg(i)) * e.numbers()[i + 1]);
        return pool.sum(terms);
    }

  private:
    bool contains_relay(Expr e) const {
        for (const RelayValue& r : relays_) {
            if (expr::depends_on(e, r.u)) return true;
        }
        return false;
    }

    // A step function of u has no slope, and is not affine for all that.
    static bool jumps_with(Expr e, Expr u) {
        return std::ranges::any_of(expr::reachable({&e, 1}), [&](const expr::Node* node) {
            const bool steps = node->op == Op::floor || node->op == Op::sign ||
                               node->op == Op::less || node->op == Op::less_equal ||
                               node->op == Op::table;
            return steps && expr::depends_on(Expr(node), u);
        });
    }

    Expr term(Expr e) const {
        const expr::Number half = expr::Number::rational(1, 2);
        for (const RelayValue& r : relays_) {
            if (!expr::depends_on(e, r.u)) continue;
            const bool affine =
                !jumps_with(e, r.u) && !expr::depends_on(expr::differentiate(e, r.u), r.u);
            e = affine ? expr::substitute(e, r.u, r.between())
                       : (r.w + 1) * half * expr::substitute(e, r.u, r.above) +
                             (1 - r.w) * half * expr::substitute(e, r.u, r.below);
        }
        return e;
    }

    std::span<const RelayValue> relays_;
};

} // namespace

std::vector<Expr> convex_combination(std::span<const Expr> forces,
                                     std::span<const RelayValue> relays) {
    const Interpolation interpolation(relays);
    std::vector<Expr> result;
    for (const Expr f : forces) result.push_back(f ? interpolation.of(f) : f);
    return result;
}

} // namespace liaison::laws
