// SPDX-License-Identifier: Apache-2.0
// The recurrence of every function: y = F(u) through y' = F'(u) u'.
#include "liaison/compile/taylor_writer.hpp"

#include <algorithm>

namespace liaison::compile {

Slot JetWriter::literal(double value) {
    const auto [it, inserted] = literals_.try_emplace(value, n_constants_);
    if (inserted) {
        plan.prologue.push_back(
            {.kind = Jet::value, .code = Code::constant, .dst = new_constant(), .value = value});
    }
    return it->second;
}

Slot JetWriter::constant_value(Code code, Slot a, Slot b, Slot c) {
    const Slot dst = new_constant();
    plan.prologue.push_back({.kind = Jet::value, .code = code, .dst = dst, .a = a, .b = b, .c = c});
    return dst;
}

Slot JetWriter::frozen(Code code, Slot a, Slot b, Slot c) {
    const Slot dst = new_jet();
    plan.rules.push_back({.kind = Jet::value, .code = code, .dst = dst, .a = a, .b = b, .c = c});
    return dst;
}

Slot JetWriter::rule(Jet kind, Slot a, Slot b, Slot c, bool late) {
    const auto [it, inserted] =
        known_.try_emplace(std::tuple(kind, a, b, c, late), n_jets_ | k_jet);
    if (inserted) emit(new_jet(), kind, a, b, c, late);
    return it->second;
}

void JetWriter::emit(Slot dst, Jet kind, Slot a, Slot b, Slot c, bool late) {
    plan.rules.push_back({.kind = kind, .late = late, .dst = dst, .a = a, .b = b, .c = c});
}

void JetWriter::integrate(Slot dst, Code code, Slot a, Slot b, Slot source, bool minus) {
    plan.rules.push_back({.kind = minus ? Jet::integral_minus : Jet::integral,
                          .code = code,
                          .dst = dst,
                          .a = a,
                          .b = b,
                          .c = source});
}

Slot JetWriter::integral(Code code, Slot a, Slot b, Slot source, bool minus) {
    const Slot dst = new_jet();
    integrate(dst, code, a, b, source, minus);
    return dst;
}

Slot JetWriter::product(Slot a, Slot b) {
    return a == b ? rule(Jet::square, a) : rule(Jet::mul, a, b);
}

Slot JetWriter::product_plus(Slot a, Slot b, Slot c) {
    return a == b ? rule(Jet::square_add, a, 0, c) : rule(Jet::mul_add, a, b, c);
}

Slot JetWriter::quotient(Slot a, Slot b, bool late) {
    const auto [it, inserted] = reciprocals_.try_emplace(b, 0);
    if (inserted) it->second = frozen(Code::div, literal(1.0), b);
    return rule(Jet::div, a, b, it->second, late);
}

Slot JetWriter::function(Code code, Slot a, Slot b, Slot c) {
    switch (code) {
    case Code::add: return rule(Jet::add, a, b);
    case Code::sub: return rule(Jet::sub, a, b);
    case Code::neg: return rule(Jet::neg, a);
    case Code::mul: return product(a, b);
    case Code::fma: return product_plus(a, b, c);
    case Code::div: return quotient(a, b);
    case Code::sqrt: return root(a);
    case Code::exp: return exponential(a);
    case Code::sin: return pair(a, Code::sin, Code::cos, true).first;
    case Code::cos: return pair(a, Code::sin, Code::cos, true).second;
    case Code::sinh: return pair(a, Code::sinh, Code::cosh, false).first;
    case Code::cosh: return pair(a, Code::sinh, Code::cosh, false).second;
    case Code::tan:
    case Code::tanh: return tangent(a, code);
    case Code::log: return integral(code, a, 0, quotient(rate(a), a, true));
    case Code::atan: {
        const Slot below = product_plus(a, a, literal(1.0));
        return integral(code, a, 0, quotient(rate(a), below, true));
    }
    case Code::asin: return integral(code, a, 0, quotient(rate(a), cofactor(a), true));
    case Code::acos: return integral(code, a, 0, quotient(rate(a), cofactor(a), true), true);
    case Code::atan2: return angle(a, b);
    case Code::pow: return power(a, b);
    case Code::abs: {
        // On the surface itself the piece x ≥ 0 is taken.
        const Slot negative = frozen(Code::less, a, literal(0.0));
        return product(frozen(Code::select, negative, literal(-1.0), literal(1.0)), a);
    }
    case Code::min: return rule(Jet::select, frozen(Code::less, b, a), b, a);
    case Code::max: return rule(Jet::select, frozen(Code::less, a, b), b, a);
    case Code::select: return rule(Jet::select, a, b, c);
    default: return frozen(code, a, b, c);  // sign, floor, conditions
    }
}

// y' = y u'
Slot JetWriter::exponential(Slot a) {
    const Slot y = new_jet();
    integrate(y, Code::exp, a, 0, rule(Jet::mul, rate(a), y, 0, true));
    return y;
}

// y' = (1 + y²) u' for tan, y' = (1 − y²) u' for tanh
Slot JetWriter::tangent(Slot a, Code code) {
    const Slot y = new_jet();
    const Slot slope = new_jet();
    integrate(y, code, a, 0, rule(Jet::mul, rate(a), slope, 0, true));
    if (code == Code::tan)
        emit(slope, Jet::square_add, y, 0, literal(1.0));
    else
        emit(slope, Jet::sub, literal(1.0), product(y, y));
    return y;
}

Slot JetWriter::root(Slot a) {
    const auto [it, inserted] = roots_.try_emplace(a, 0);
    if (!inserted) return it->second;
    const Slot y = new_jet();
    const Slot half_reciprocal = new_jet();
    emit(y, Jet::sqrt, a, 0, half_reciprocal);
    plan.rules.push_back(
        {.kind = Jet::value, .code = Code::div, .dst = half_reciprocal, .a = literal(0.5), .b = y});
    it->second = y;
    return y;
}

// √(1 − u²)
Slot JetWriter::cofactor(Slot a) { return root(rule(Jet::sub, literal(1.0), product(a, a))); }

// s' = c u', c' = ∓ s u'
std::pair<Slot, Slot> JetWriter::pair(Slot a, Code odd, Code even, bool minus) {
    const auto [it, inserted] = pairs_.try_emplace({a, odd}, std::pair<Slot, Slot>{});
    if (!inserted) return it->second;
    const Slot s = new_jet();
    const Slot c = new_jet();
    const Slot du = rate(a);
    const Slot ds = rule(Jet::mul, du, c, 0, true);
    const Slot dc = rule(Jet::mul, du, s, 0, true);
    integrate(s, odd, a, 0, ds);
    integrate(c, even, a, 0, dc, minus);
    it->second = {s, c};
    return it->second;
}

// φ' = (x y' − y x')/(x² + y²); either coordinate may be constant.
Slot JetWriter::angle(Slot y, Slot x) {
    const Slot r2 =
        product_plus(x, x, constant(y) ? constant_value(Code::mul, y, y) : product(y, y));
    Slot above = 0;
    if (constant(x))
        above = rule(Jet::mul, x, rate(y), 0, true);
    else if (constant(y))
        above = rule(Jet::neg, rule(Jet::mul, y, rate(x), 0, true), 0, 0, true);
    else
        above = rule(Jet::sub, rule(Jet::mul, x, rate(y), 0, true),
                     rule(Jet::mul, y, rate(x), 0, true), 0, true);
    return integral(Code::atan2, y, x, quotient(above, r2, true));
}

// y = u^α: y' = α (u'/u) y. With a moving exponent y' = (α log u)' y.
Slot JetWriter::power(Slot u, Slot alpha) {
    const Slot y = new_jet();
    Slot slope = 0;
    if (constant(alpha))
        slope = rule(Jet::mul, alpha, quotient(rate(u), u, true), 0, true);
    else if (constant(u))
        slope = rule(Jet::mul, constant_value(Code::log, u), rate(alpha), 0, true);
    else
        slope = rate(product(alpha, integral(Code::log, u, 0, quotient(rate(u), u, true))));
    integrate(y, Code::pow, u, alpha, rule(Jet::mul, slope, y, 0, true));
    return y;
}

// The piece is frozen; inside it the function is the polynomial Σ_m T⁽ᵐ⁾(u_0)/m! (u − u_0)^m.
Slot JetWriter::table(std::uint32_t index, Slot u) {
    const auto degree = static_cast<std::uint32_t>(plan.tables[index]->coefficients[0].size()) - 1;
    Slot y = frozen(Code::table, u, scaled_derivative(index, degree));
    if (degree == 0) return y;
    const Slot x = rule(Jet::sub, u, frozen(Code::add, u, literal(0.0)));
    for (std::uint32_t m = degree; m-- > 0;) {
        y = product_plus(y, x, frozen(Code::table, u, scaled_derivative(index, m)));
    }
    return y;
}

// Index of the table T⁽ᵐ⁾/m!.
std::uint32_t JetWriter::scaled_derivative(std::uint32_t table, std::uint32_t m) {
    if (m == 0) return table;
    const auto [it, inserted] = derivatives_.try_emplace({table, m}, 0);
    if (!inserted) return it->second;
    auto scaled = std::make_shared<expr::Table>(*plan.tables[table]);
    for (std::uint32_t k = 1; k <= m; ++k) {
        *scaled = *expr::derivative(*scaled);
        for (auto& piece : scaled->coefficients) {
            for (double& c : piece) c /= k;
        }
    }
    it->second = static_cast<std::uint32_t>(plan.tables.size());
    plan.tables.push_back(std::move(scaled));
    return it->second;
}

void JetWriter::finish() {
    plan.n_constants = n_constants_;
    plan.n_slots = n_constants_ + n_jets_;
    const auto renumber = [&](Slot& s) {
        if ((s & k_jet) != 0 && s != TaylorPlan::k_none) s = n_constants_ + (s & ~k_jet);
    };
    const auto renumber_all = [&](std::vector<Slot>& list) {
        std::for_each(list.begin(), list.end(), renumber);
    };
    for (JetRule& r : plan.rules) {
        renumber(r.dst);
        renumber(r.a);
        renumber(r.b);
        renumber(r.c);
    }
    for (System& s : plan.systems) renumber_all(s.entries);
    for (Solution& s : plan.solutions) renumber_all(s.rhs);
    renumber(plan.time);
    for (auto* list : {&plan.states, &plan.rates, &plan.outputs, &plan.singular, &plan.redundant})
        renumber_all(*list);
}

} // namespace liaison::compile
