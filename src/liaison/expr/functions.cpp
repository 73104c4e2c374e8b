// SPDX-License-Identifier: Apache-2.0
// The function table and the folding constructor that uses it.
#include "liaison/expr/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace liaison::expr {
namespace {

using Args = std::span<const Expr>;

Expr zero(Pool& pool) { return pool.number(Number(0)); }
Expr one(Pool& pool) { return pool.number(Number(1)); }

// Rows: value and ∂f/∂x_i as on paper.
constexpr std::array k_functions = {
    Function{Op::sin, "sin", 1, true, Parity::odd, [](const double* x) { return std::sin(x[0]); },
             [](Pool& p, Args a, std::size_t) { return p.call(Op::cos, a[0]); }, "all x",
             "sine of an angle in radians"},
    Function{Op::cos, "cos", 1, true, Parity::even, [](const double* x) { return std::cos(x[0]); },
             [](Pool& p, Args a, std::size_t) { return -p.call(Op::sin, a[0]); }, "all x",
             "cosine of an angle in radians"},
    Function{Op::tan, "tan", 1, true, Parity::odd, [](const double* x) { return std::tan(x[0]); },
             [](Pool& p, Args a, std::size_t) { return Number(1) + pow(p.call(Op::tan, a[0]), 2); },
             "x not an odd multiple of pi/2", "tangent of an angle in radians"},
    Function{Op::asin, "asin", 1, true, Parity::odd,
             [](const double* x) { return std::asin(x[0]); },
             [](Pool&, Args a, std::size_t) {
                 return pow(Number(1) - pow(a[0], 2), Number::rational(-1, 2));
             },
             "-1 <= x <= 1", "angle in [-pi/2, pi/2] with this sine"},
    Function{Op::acos, "acos", 1, true, Parity::none,
             [](const double* x) { return std::acos(x[0]); },
             [](Pool&, Args a, std::size_t) {
                 return -pow(Number(1) - pow(a[0], 2), Number::rational(-1, 2));
             },
             "-1 <= x <= 1", "angle in [0, pi] with this cosine"},
    Function{Op::atan, "atan", 1, true, Parity::odd,
             [](const double* x) { return std::atan(x[0]); },
             [](Pool&, Args a, std::size_t) { return Number(1) / (Number(1) + pow(a[0], 2)); },
             "all x", "angle in (-pi/2, pi/2) with this tangent"},
    Function{Op::atan2, "atan2", 2, true, Parity::none,
             [](const double* x) { return std::atan2(x[0], x[1]); },
             [](Pool&, Args a, std::size_t i) {
                 const Expr r2 = pow(a[0], 2) + pow(a[1], 2);
                 return i == 0 ? a[1] / r2 : -a[0] / r2;
             },
             "not (0, 0); jumps by 2 pi on y = 0, x < 0", "atan2(y, x): angle of the point (x, y)"},
    Function{Op::sinh, "sinh", 1, true, Parity::odd,
             [](const double* x) { return std::sinh(x[0]); },
             [](Pool& p, Args a, std::size_t) { return p.call(Op::cosh, a[0]); }, "all x",
             "hyperbolic sine"},
    Function{Op::cosh, "cosh", 1, true, Parity::even,
             [](const double* x) { return std::cosh(x[0]); },
             [](Pool& p, Args a, std::size_t) { return p.call(Op::sinh, a[0]); }, "all x",
             "hyperbolic cosine"},
    Function{
        Op::tanh, "tanh", 1, true, Parity::odd, [](const double* x) { return std::tanh(x[0]); },
        [](Pool& p, Args a, std::size_t) { return Number(1) - pow(p.call(Op::tanh, a[0]), 2); },
        "all x", "hyperbolic tangent"},
    Function{Op::exp, "exp", 1, true, Parity::none, [](const double* x) { return std::exp(x[0]); },
             [](Pool& p, Args a, std::size_t) { return p.call(Op::exp, a[0]); }, "all x",
             "exponential function"},
    Function{Op::log, "log", 1, true, Parity::none, [](const double* x) { return std::log(x[0]); },
             [](Pool&, Args a, std::size_t) { return pow(a[0], -1); }, "x > 0",
             "natural logarithm"},
    Function{Op::abs, "abs", 1, false, Parity::even, [](const double* x) { return std::abs(x[0]); },
             [](Pool& p, Args a, std::size_t) { return p.call(Op::sign, a[0]); }, "all x",
             "absolute value; switches where x = 0"},
    Function{Op::sign, "sign", 1, false, Parity::odd,
             [](const double* x) { return static_cast<double>((x[0] > 0) - (x[0] < 0)); },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "all x",
             "-1, 0 or 1; switches where x = 0"},
    Function{Op::min, "min", 2, false, Parity::none,
             [](const double* x) { return x[1] < x[0] ? x[1] : x[0]; },
             [](Pool& p, Args a, std::size_t i) {
                 const Expr first = p.call(Op::less_equal, a[0], a[1]);
                 return i == 0 ? p.select(first, one(p), zero(p))
                               : p.select(first, zero(p), one(p));
             },
             "all x, y", "smaller of two values; switches where they are equal"},
    Function{Op::max, "max", 2, false, Parity::none,
             [](const double* x) { return x[1] > x[0] ? x[1] : x[0]; },
             [](Pool& p, Args a, std::size_t i) {
                 const Expr first = p.call(Op::less_equal, a[1], a[0]);
                 return i == 0 ? p.select(first, one(p), zero(p))
                               : p.select(first, zero(p), one(p));
             },
             "all x, y", "larger of two values; switches where they are equal"},
    Function{Op::floor, "floor", 1, false, Parity::none,
             [](const double* x) { return std::floor(x[0]); },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "all x",
             "largest integer not above x; switches at every integer"},
    Function{Op::select, "if", 3, false, Parity::none,
             [](const double* x) { return x[0] != 0.0 ? x[1] : x[2]; },
             [](Pool& p, Args a, std::size_t i) {
                 if (i == 0) return zero(p);
                 return i == 1 ? p.select(a[0], one(p), zero(p)) : p.select(a[0], zero(p), one(p));
             },
             "any condition", "if(condition, a, b): a where the condition holds, b elsewhere"},
    Function{Op::less, "<", 2, false, Parity::none,
             [](const double* x) { return x[0] < x[1] ? 1.0 : 0.0; },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "inside if and when",
             "comparison"},
    Function{Op::less_equal, "<=", 2, false, Parity::none,
             [](const double* x) { return x[0] <= x[1] ? 1.0 : 0.0; },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "inside if and when",
             "comparison"},
    Function{Op::logical_and, "and", 2, false, Parity::none,
             [](const double* x) { return x[0] != 0.0 && x[1] != 0.0 ? 1.0 : 0.0; },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "inside if and when",
             "both conditions hold"},
    Function{Op::logical_or, "or", 2, false, Parity::none,
             [](const double* x) { return x[0] != 0.0 || x[1] != 0.0 ? 1.0 : 0.0; },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "inside if and when",
             "at least one condition holds"},
    Function{Op::logical_not, "not", 1, false, Parity::none,
             [](const double* x) { return x[0] == 0.0 ? 1.0 : 0.0; },
             [](Pool& p, Args, std::size_t) { return zero(p); }, "inside if and when",
             "the condition does not hold"},
};

// The row of each operation, −1 for structural ones.
constexpr auto k_rows = [] {
    std::array<std::int8_t, static_cast<std::size_t>(Op::component) + 1> rows{};
    rows.fill(-1);
    for (std::size_t i = 0; i < k_functions.size(); ++i) {
        rows[static_cast<std::size_t>(k_functions[i].op)] = static_cast<std::int8_t>(i);
    }
    return rows;
}();

// A leading minus that an odd or even function can shed: sin(b − a) and sin(a − b) share one node.
bool has_leading_minus(Expr x) {
    if (x.op() == Op::mul) return x.numbers()[0].negative();
    if (x.op() == Op::add) return x.numbers()[1].negative();
    return false;
}

} // namespace

std::span<const Function> functions() { return k_functions; }

const Function* find_function(Op op) {
    const std::int8_t row = k_rows[static_cast<std::size_t>(op)];
    return row < 0 ? nullptr : &k_functions[static_cast<std::size_t>(row)];
}

const Function* find_function(std::string_view name) {
    const auto row = std::find_if(k_functions.begin(), k_functions.end(),
                                  [&](const Function& f) { return f.name == name; });
    return row == k_functions.end() ? nullptr : &*row;
}

Expr Pool::call(Op op, std::span<const Expr> args) {
    const Function& f = *find_function(op);
    // Constants fold where the value is finite.
    if (std::all_of(args.begin(), args.end(), [](Expr a) { return a.is_number(); })) {
        std::array<double, 3> x{};
        std::transform(args.begin(), args.end(), x.begin(),
                       [](Expr a) { return a.number().value(); });
        const double value = f.value(x.data());
        if (std::isfinite(value)) return number(value);
    }
    if (op == Op::select) {
        if (args[0].is_number()) return args[0].is_zero() ? args[2] : args[1];
        if (args[1] == args[2]) return args[1];
    }
    if ((op == Op::min || op == Op::max || op == Op::logical_and || op == Op::logical_or) &&
        args[0] == args[1]) {
        return args[0];
    }
    if (op == Op::logical_and || op == Op::logical_or) {
        const bool absorbing = op == Op::logical_or;
        for (int i = 0; i < 2; ++i) {
            if (args[i].is_number())
                return args[i].is_zero() == absorbing ? args[1 - i] : number(absorbing ? 1 : 0);
        }
    }
    if (op == Op::less && args[0] == args[1]) return number(0);
    if (op == Op::less_equal && args[0] == args[1]) return number(1);
    if (f.parity != Parity::none && has_leading_minus(args[0])) {
        const Expr mirrored = call(op, -args[0]);
        return f.parity == Parity::odd ? -mirrored : mirrored;
    }
    std::array<const Node*, 3> raw{};
    std::transform(args.begin(), args.end(), raw.begin(), [](Expr a) { return a.node(); });
    return intern(op, 0, std::span(raw.data(), args.size()), {});
}

} // namespace liaison::expr
