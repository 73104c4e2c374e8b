// SPDX-License-Identifier: Apache-2.0
// What each rule of a Taylor plan computes, number by number: the arithmetic of all interpreters.
#pragma once

#include "liaison/compile/functions.hpp"
#include "liaison/compile/kernels.hpp"
#include "liaison/compile/taylor_schedule.hpp"
#include "liaison/compile/taylor_series.hpp"
#include "liaison/expr/table.hpp"

#include <algorithm>
#include <cstdint>

namespace liaison::compile {

#define LIAISON_RULE [[gnu::always_inline]] inline

LIAISON_RULE double function_value(Code code, double a, double b, double c) {
    switch (code) {
    case Code::add: return a + b;
    case Code::sub: return a - b;
    case Code::mul: return a * b;
    case Code::div: return a / b;
    case Code::neg: return -a;
    case Code::fma: return __builtin_fma(a, b, c);
    case Code::sqrt: return __builtin_sqrt(a);
    case Code::sin:
        return kernel::k_trig_limit < kernel::abs(a) ? library_function(code)(a)
                                                     : kernel::sincos(a).sin;
    case Code::cos:
        return kernel::k_trig_limit < kernel::abs(a) ? library_function(code)(a)
                                                     : kernel::sincos(a).cos;
    case Code::exp: return kernel::exp(a);
    case Code::log: return kernel::log(a);
    case Code::abs: return kernel::abs(a);
    case Code::sign: return static_cast<double>((a > 0.0) - (a < 0.0));
    case Code::min: return b < a ? b : a;
    case Code::max: return a < b ? b : a;
    case Code::select: return a != 0.0 ? b : c;
    case Code::less: return a < b ? 1.0 : 0.0;
    case Code::less_equal: return a <= b ? 1.0 : 0.0;
    case Code::logical_and: return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
    case Code::logical_or: return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
    case Code::logical_not: return a != 0.0 ? 0.0 : 1.0;
    case Code::atan2:
    case Code::pow: return library_function2(code)(a, b);
    default: return library_function(code)(a);
    }
}

// A rule of the prologue that is no kernel: from parameters, modes and constants before it.
LIAISON_RULE void bind_value(const JetStep& s, const TaylorPlan& plan, const double* parameters,
                             const double* modes, double* data) {
    if (s.code == Code::constant)
        data[s.dst] = s.value;
    else if (s.code == Code::input)
        data[s.dst] = s.a < plan.n_parameters ? parameters[s.a] : modes[s.a - plan.n_parameters];
    else if (s.code == Code::table)
        data[s.dst] = (*plan.tables[s.b])(data[s.a]);
    else
        data[s.dst] = function_value(s.code, data[s.a], data[s.b], data[s.c]);
}

// Order 0 of a rule that is no kernel: its value at the point.
LIAISON_RULE void start_value(const JetStep& s, const TaylorPlan& plan, double* data) {
    double* const y = data + s.dst;
    const double a = data[s.a];
    switch (s.kind) {
    case Jet::value:
        if (s.code == Code::table) {
            y[0] = (*plan.tables[s.b])(a);
            break;
        }
        [[fallthrough]];
    case Jet::integral:
    case Jet::integral_minus:
    case Jet::growth:
    case Jet::growth_minus: y[0] = function_value(s.code, a, data[s.b], data[s.c]); break;
    case Jet::add: y[0] = a + data[s.b]; break;
    case Jet::sub: y[0] = a - data[s.b]; break;
    case Jet::neg: y[0] = -a; break;
    case Jet::mul: y[0] = a * data[s.b]; break;
    case Jet::mul_add: y[0] = __builtin_fma(a, data[s.b], data[s.c]); break;
    case Jet::residual: y[0] = data[s.c]; break;
    case Jet::square: y[0] = a * a; break;
    case Jet::square_add: y[0] = __builtin_fma(a, a, data[s.c]); break;
    case Jet::div: y[0] = a / data[s.b]; break;
    case Jet::sqrt: y[0] = __builtin_sqrt(a); break;
    case Jet::select: y[0] = a != 0.0 ? data[s.b] : data[s.c]; break;
    case Jet::derivative:
    case Jet::factor:
    case Jet::solve: break;
    }
}

// Coefficient k of a rule that is no kernel, k − 1 for late rules; r = 1/k. Series: anything with an index.
// `sums` computes Σ_j a_j b_{n−j} over from ≤ j ≤ to, and squares.
template <class Series, class Sums>
LIAISON_RULE void next_coefficient(const JetStep& s, std::int64_t k, const Reciprocal& r,
                                   const Sums& sums, Series y, Series a, Series b, Series c) {
    const std::int64_t n = s.late ? k - 1 : k;
    if (n > s.degree) return;
    const auto term = [n](std::int64_t degree, Series u) { return n <= degree ? u[n] : 0.0; };
    // Sums run over j with a_j and b_{n−j} (or a_{n−j}) that can be nonzero.
    const std::int64_t low = std::max<std::int64_t>(0, n - s.degree_b);
    const std::int64_t high = std::min(n, s.degree_a);
    switch (s.kind) {
    case Jet::add: y[n] = term(s.degree_a, a) + term(s.degree_b, b); break;
    case Jet::sub: y[n] = term(s.degree_a, a) - term(s.degree_b, b); break;
    case Jet::neg: y[n] = -a[n]; break;
    case Jet::mul:
        y[n] = low == high ? a[low] * b[n - low] : sums.product(a, b, n, low, high);
        break;
    case Jet::mul_add:
        if (low == high)
            y[n] = __builtin_fma(a[low], b[n - low], term(s.degree_c, c));
        else
            y[n] = sums.product(a, b, n, low, high) + term(s.degree_c, c);
        break;
    case Jet::residual:
        y[n] = term(s.degree_c, c) - sums.product(a, b, n, std::max<std::int64_t>(1, low), high);
        break;
    case Jet::square: y[n] = sums.square(a, n, std::max<std::int64_t>(0, n - s.degree_a)); break;
    case Jet::square_add:
        y[n] = sums.square(a, n, std::max<std::int64_t>(0, n - s.degree_a)) + term(s.degree_c, c);
        break;
    case Jet::div:
        if (n == 0)
            y[0] = a[0] / b[0];
        else
            y[n] = (term(s.degree_a, a) - sums.product(b, y, n, 1, std::min(n, s.degree_b))) * c[0];
        break;
    case Jet::sqrt: y[n] = (term(s.degree_a, a) - sums.square(y, n, 1)) * c[0]; break;
    case Jet::select: y[n] = a[0] != 0.0 ? term(s.degree_b, b) : term(s.degree_c, c); break;
    case Jet::derivative: y[n] = static_cast<double>(k) * a[k]; break;
    case Jet::integral: y[n] = over(c[n - 1], r); break;
    case Jet::integral_minus: y[n] = -over(c[n - 1], r); break;
    case Jet::growth: y[n] = over(b[0], r) * c[n - 1]; break;
    case Jet::growth_minus: y[n] = -(over(b[0], r) * c[n - 1]); break;
    case Jet::value:
    case Jet::factor:
    case Jet::solve: break;
    }
}

#undef LIAISON_RULE

} // namespace liaison::compile
