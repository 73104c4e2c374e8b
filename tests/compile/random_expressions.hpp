// SPDX-License-Identifier: Apache-2.0
// Random expressions over a few symbols, with sharing, for comparisons of back ends.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/table.hpp"

#include <random>
#include <string>
#include <vector>

namespace liaison::testing {

class RandomExpressions {
  public:
    RandomExpressions(expr::Pool& pool, std::size_t n_symbols, std::uint64_t seed)
        : pool_(pool), random_(seed) {
        for (std::size_t i = 0; i < n_symbols; ++i)
            symbols_.push_back(pool.symbol("x" + std::to_string(i)));
        made_ = symbols_;
        table_ = expr::interpolate("data", {-1.0, 0.0, 0.5, 2.0}, {0.3, -1.0, 2.0, 0.7}, 3);
    }
    [[nodiscard]] const std::vector<expr::Expr>& symbols() const { return symbols_; }

    expr::Expr next() {
        const expr::Expr e = combine();
        // forget now and then, so that expressions stay small and shallow as well as large
        if (made_.size() > 40) made_.resize(symbols_.size());
        made_.push_back(e);
        return e;
    }

    // A point with ordinary, special and huge coordinates.
    std::vector<double> point() {
        std::vector<double> x;
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
            const auto kind = pick(40);
            if (kind == 0)
                x.push_back(0.0);
            else if (kind == 1)
                x.push_back(1.0);
            else if (kind == 2)
                x.push_back(std::exp2(uniform(-60.0, 60.0)) * (pick(2) == 0 ? 1.0 : -1.0));
            else
                x.push_back(uniform(-4.0, 4.0));
        }
        return x;
    }

  private:
    using Op = expr::Op;
    std::size_t pick(std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
    }
    double uniform(double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(random_);
    }
    expr::Expr any() { return made_[pick(made_.size())]; }

    expr::Expr combine() {
        static constexpr Op k_unary[] = {Op::sin,  Op::cos,  Op::tan,  Op::asin, Op::acos,
                                         Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::exp,
                                         Op::log,  Op::abs,  Op::sign, Op::floor};
        // drawn one by one, so that every compiler makes the same expressions
        const expr::Expr a = any();
        const expr::Expr b = any();
        const expr::Expr c = any();
        const expr::Expr d = any();
        const std::size_t kind = pick(12);
        const bool coin = pick(2) == 0;
        const auto small = static_cast<std::int64_t>(pick(7)) - 3;
        switch (kind) {
        case 0: return a + b;
        case 1: return a - b * expr::Number(0.37);
        case 2: return a * b;
        case 3: return a / (expr::Number(2) + b * b);
        case 4: return a / b;
        case 5:
            return coin ? pow(a, expr::Number::rational(small, 1))
                        : pow(pool_.call(Op::abs, a), expr::Number::rational(small, 2));
        case 6: return pool_.call(coin ? Op::min : Op::max, a, b);
        case 7: return pool_.select(pool_.call(coin ? Op::less : Op::less_equal, a, b), c, d);
        case 8: return coin ? pool_.call(Op::atan2, a, b) : pool_.power(pool_.call(Op::abs, a), b);
        case 9: return coin && small > 0 ? pool_.table(table_, a) : sin(a) * cos(a) + b * b;
        case 10: {
            const expr::Expr yes = pool_.call(Op::logical_and, pool_.call(Op::less, a, b),
                                              pool_.call(Op::less_equal, b, c));
            return pool_.select(pool_.call(Op::logical_not, yes), a, b) +
                   pool_.call(Op::logical_or, yes, a);
        }
        default: return pool_.call(k_unary[pick(std::size(k_unary))], a);
        }
    }

    expr::Pool& pool_;
    std::mt19937_64 random_;
    std::vector<expr::Expr> symbols_;
    std::vector<expr::Expr> made_;
    std::shared_ptr<const expr::Table> table_;
};

} // namespace liaison::testing
