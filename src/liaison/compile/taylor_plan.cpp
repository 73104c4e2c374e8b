// SPDX-License-Identifier: Apache-2.0
// From the plan of a field to its Taylor recurrences.
#include "liaison/compile/taylor_plan.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace liaison::compile {
namespace {

using Slot = std::uint32_t;
constexpr Slot k_jet = Slot{1} << 31;  // slots with jets are counted apart until all are known

class Builder {
public:
    explicit Builder(const TaylorRequest& request) : request_(request), plan_(lower(field_of(request))) {
        out_.n_parameters = request.parameters.size();
        out_.n_modes = request.modes.size();
        out_.tables = plan_.tables;
        for (const System& s : plan_.systems) out_.systems.push_back({s.structure, {}});
        for (const Solution& s : plan_.solutions) out_.solutions.push_back({system_of(s.factor), {}});
        n_fixed_ = static_cast<std::uint32_t>(out_.n_parameters + out_.n_modes);
    }

    TaylorPlan run() {
        for (std::uint32_t i = 0; i < plan_.instructions.size(); ++i) slots_.push_back(make(i));
        collect_ends();
        number_slots();
        bound_degrees();
        find_growth();
        keep_needed();
        return std::move(out_);
    }

private:
    static Request field_of(const TaylorRequest& r) {
        if (r.rates.size() != r.states.size()) throw std::invalid_argument("one rate per state");
        Request field;
        const auto take = [&](const std::vector<Expr>& list, Stage stage) {
            for (Expr e : list) {
                field.inputs.push_back(e);
                field.stages.push_back(stage);
            }
        };
        take(r.parameters, Stage::parameter);
        take(r.modes, Stage::mode);
        take(r.states, Stage::position);
        if (r.time.node() != nullptr) take({r.time}, Stage::time);
        field.outputs = r.rates;
        field.outputs.insert(field.outputs.end(), r.outputs.begin(), r.outputs.end());
        return field;
    }

    [[nodiscard]] std::uint32_t system_of(std::uint32_t factor) const { return plan_.instructions[factor].a; }
    static bool constant(Slot s) { return (s & k_jet) == 0; }

    Slot new_constant(std::uint32_t count = 1) { return std::exchange(n_constants_, n_constants_ + count); }
    Slot new_jet(std::uint32_t count = 1) { return std::exchange(n_jets_, n_jets_ + count) | k_jet; }

    Slot literal(double value) {
        const auto [it, inserted] = literals_.try_emplace(value, n_constants_);
        if (inserted) {
            out_.prologue.push_back({.kind = Jet::value, .code = Code::constant, .dst = new_constant(), .value = value});
        }
        return it->second;
    }

    // A rule with a fresh slot; the same rule again gives the same slot.
    Slot rule(Jet kind, Slot a, Slot b = 0, Slot c = 0, bool late = false) {
        const auto key = std::tuple(kind, a, b, c, late);
        const auto [it, inserted] = known_.try_emplace(key, n_jets_ | k_jet);
        if (inserted) emit(new_jet(), kind, a, b, c, late);
        return it->second;
    }
    void emit(Slot dst, Jet kind, Slot a, Slot b = 0, Slot c = 0, bool late = false) {
        out_.rules.push_back({.kind = kind, .late = late, .dst = dst, .a = a, .b = b, .c = c});
    }
    // A coefficient of order 0 that is frozen during the step.
    Slot frozen(Code code, Slot a, Slot b = 0, Slot c = 0) {
        const Slot dst = new_jet();
        out_.rules.push_back({.kind = Jet::value, .code = code, .dst = dst, .a = a, .b = b, .c = c});
        return dst;
    }
    void integrate(Slot dst, Code code, Slot a, Slot b, Slot source, bool minus = false) {
        out_.rules.push_back({.kind = minus ? Jet::integral_minus : Jet::integral,
                              .code = code, .dst = dst, .a = a, .b = b, .c = source});
    }
    Slot integral(Code code, Slot a, Slot b, Slot source, bool minus = false) {
        const Slot dst = new_jet();
        integrate(dst, code, a, b, source, minus);
        return dst;
    }
    Slot product(Slot a, Slot b, bool late = false) {
        return a == b ? rule(Jet::square, a, 0, 0, late) : rule(Jet::mul, a, b, 0, late);
    }
    Slot product_plus(Slot a, Slot b, Slot c, bool late = false) {
        return a == b ? rule(Jet::square_add, a, 0, c, late) : rule(Jet::mul_add, a, b, c, late);
    }
    Slot quotient(Slot a, Slot b, bool late = false) {
        const auto [it, inserted] = reciprocals_.try_emplace(b, 0);
        if (inserted) it->second = frozen(Code::div, literal(1.0), b);
        return rule(Jet::div, a, b, it->second, late);
    }
    Slot rate(Slot a) { return rule(Jet::derivative, a, 0, 0, true); }

    Slot make(std::uint32_t index) {
        const Instruction& i = plan_.instructions[index];
        if (i.stage <= Stage::mode) return make_constant(i);
        switch (i.code) {
        case Code::input: return input_slot(i.a);
        case Code::factor: return make_factor(i, out_.rules);
        case Code::solve: return make_solve(i, out_.rules, new_jet(out_.systems[system_of(plan_.solutions[i.a].factor)].structure->n));
        case Code::component: return slots_[i.a] + i.b;
        case Code::table: return make_table(i);
        default: break;
        }
        const int operands = operand_count(i.code);
        const Slot a = operands > 0 ? slots_[i.a] : 0;
        const Slot b = operands > 1 ? slots_[i.b] : 0;
        const Slot c = operands > 2 ? slots_[i.c] : 0;
        return make_jet(i.code, a, b, c);
    }

    Slot make_constant(const Instruction& i) {
        if (i.code == Code::constant) return literal(i.value);
        if (i.code == Code::factor) return make_factor(i, out_.prologue);
        if (i.code == Code::solve) {
            return make_solve(i, out_.prologue, new_constant(out_.systems[system_of(plan_.solutions[i.a].factor)].structure->n));
        }
        if (i.code == Code::component) return slots_[i.a] + i.b;
        if (i.code == Code::table) {
            const Slot dst = new_constant();
            out_.prologue.push_back({.kind = Jet::value, .code = Code::table, .dst = dst, .a = slots_[i.a], .b = i.b});
            return dst;
        }
        const int operands = operand_count(i.code);
        const Slot dst = new_constant();
        out_.prologue.push_back({.kind = Jet::value, .code = i.code, .dst = dst,
                                 .a = operands > 0 ? slots_[i.a] : i.a, .b = operands > 1 ? slots_[i.b] : 0,
                                 .c = operands > 2 ? slots_[i.c] : 0});
        return dst;
    }

    Slot input_slot(std::uint32_t input) {
        const auto [it, inserted] = inputs_.try_emplace(input, 0);
        if (inserted) it->second = new_jet();
        return it->second;
    }

    Slot make_factor(const Instruction& i, std::vector<JetRule>& list) {
        for (std::uint32_t v : plan_.systems[i.a].entries) out_.systems[i.a].entries.push_back(slots_[v]);
        list.push_back({.kind = Jet::factor, .a = i.a});
        return 0;
    }
    Slot make_solve(const Instruction& i, std::vector<JetRule>& list, Slot dst) {
        for (std::uint32_t v : plan_.solutions[i.a].rhs) out_.solutions[i.a].rhs.push_back(slots_[v]);
        list.push_back({.kind = Jet::solve, .dst = dst, .a = i.a});
        return dst;
    }

    // The piece is frozen; inside it the function is the polynomial Σ_m T⁽ᵐ⁾(u_0)/m! (u − u_0)^m.
    Slot make_table(const Instruction& i) {
        const Slot u = slots_[i.a];
        const auto degree = static_cast<std::uint32_t>(out_.tables[i.b]->coefficients[0].size()) - 1;
        Slot y = frozen(Code::table, u, scaled_derivative(i.b, degree));
        if (degree == 0) return y;
        const Slot x = rule(Jet::sub, u, frozen(Code::add, u, literal(0.0)));
        for (std::uint32_t m = degree; m-- > 0;) {
            y = product_plus(y, x, frozen(Code::table, u, scaled_derivative(i.b, m)));
        }
        return y;
    }
    // Index of the table T⁽ᵐ⁾/m!.
    std::uint32_t scaled_derivative(std::uint32_t table, std::uint32_t m) {
        if (m == 0) return table;
        const auto [it, inserted] = derivatives_.try_emplace({table, m}, 0);
        if (!inserted) return it->second;
        auto scaled = std::make_shared<expr::Table>(*out_.tables[table]);
        for (std::uint32_t k = 1; k <= m; ++k) {
            *scaled = *expr::derivative(*scaled);
            for (auto& piece : scaled->coefficients) {
                for (double& c : piece) c /= k;
            }
        }
        it->second = static_cast<std::uint32_t>(out_.tables.size());
        out_.tables.push_back(std::move(scaled));
        return it->second;
    }

    // y = F(u): sources as in the list of Jet.
    Slot make_jet(Code code, Slot a, Slot b, Slot c) {
        switch (code) {
        case Code::add: return rule(Jet::add, a, b);
        case Code::sub: return rule(Jet::sub, a, b);
        case Code::neg: return rule(Jet::neg, a);
        case Code::mul: return product(a, b);
        case Code::fma: return product_plus(a, b, c);
        case Code::div: return quotient(a, b);
        case Code::sqrt: return make_sqrt(a);
        case Code::exp: {
            const Slot y = new_jet();
            integrate(y, Code::exp, a, 0, rule(Jet::mul, rate(a), y, 0, true));
            return y;
        }
        case Code::sin: return pair(a, Code::sin, Code::cos, true).first;
        case Code::cos: return pair(a, Code::sin, Code::cos, true).second;
        case Code::sinh: return pair(a, Code::sinh, Code::cosh, false).first;
        case Code::cosh: return pair(a, Code::sinh, Code::cosh, false).second;
        case Code::tan: {
            // y' = (1 + y²) u'
            const Slot y = new_jet();
            const Slot slope = new_jet();
            integrate(y, Code::tan, a, 0, rule(Jet::mul, rate(a), slope, 0, true));
            emit(slope, Jet::square_add, y, 0, literal(1.0));
            return y;
        }
        case Code::tanh: {
            // y' = (1 − y²) u'
            const Slot y = new_jet();
            const Slot slope = new_jet();
            integrate(y, Code::tanh, a, 0, rule(Jet::mul, rate(a), slope, 0, true));
            emit(slope, Jet::sub, literal(1.0), product(y, y));
            return y;
        }
        case Code::log: return integral(Code::log, a, 0, quotient(rate(a), a, true));
        case Code::atan: {
            const Slot below = product_plus(a, a, literal(1.0));
            return integral(Code::atan, a, 0, quotient(rate(a), below, true));
        }
        case Code::asin: return integral(Code::asin, a, 0, quotient(rate(a), cofactor(a), true));
        case Code::acos: return integral(Code::acos, a, 0, quotient(rate(a), cofactor(a), true), true);
        case Code::atan2: return make_atan2(a, b);
        case Code::pow: return make_power(a, b);
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

    Slot make_sqrt(Slot a) {
        const auto [it, inserted] = roots_.try_emplace(a, 0);
        if (!inserted) return it->second;
        const Slot y = new_jet();
        const Slot half_reciprocal = new_jet();
        emit(y, Jet::sqrt, a, 0, half_reciprocal);
        out_.rules.push_back({.kind = Jet::value, .code = Code::div, .dst = half_reciprocal, .a = literal(0.5), .b = y});
        it->second = y;
        return y;
    }
    // √(1 − u²)
    Slot cofactor(Slot a) { return make_sqrt(rule(Jet::sub, literal(1.0), product(a, a))); }

    // s' = c u', c' = ∓ s u'
    std::pair<Slot, Slot> pair(Slot a, Code odd, Code even, bool minus) {
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
    Slot make_atan2(Slot y, Slot x) {
        const Slot r2 = product_plus(x, x, product(y, y));
        Slot above = 0;
        if (constant(x)) above = rule(Jet::mul, x, rate(y), 0, true);
        else if (constant(y)) above = rule(Jet::neg, rule(Jet::mul, y, rate(x), 0, true), 0, 0, true);
        else above = rule(Jet::sub, rule(Jet::mul, x, rate(y), 0, true), rule(Jet::mul, y, rate(x), 0, true), 0, true);
        return integral(Code::atan2, y, x, quotient(above, r2, true));
    }

    // y = u^α: y' = α (u'/u) y. With a moving exponent y' = (α log u)' y.
    Slot make_power(Slot u, Slot alpha) {
        const Slot y = new_jet();
        Slot slope = 0;
        if (constant(alpha)) slope = rule(Jet::mul, alpha, quotient(rate(u), u, true), 0, true);
        else if (constant(u)) slope = rule(Jet::mul, log_of_constant(u), rate(alpha), 0, true);
        else slope = rate(product(alpha, integral(Code::log, u, 0, quotient(rate(u), u, true))));
        integrate(y, Code::pow, u, alpha, rule(Jet::mul, slope, y, 0, true));
        return y;
    }
    Slot log_of_constant(Slot u) {
        const Slot dst = new_constant();
        out_.prologue.push_back({.kind = Jet::value, .code = Code::log, .dst = dst, .a = u});
        return dst;
    }

    void collect_ends() {
        for (std::uint32_t i = 0; i < request_.states.size(); ++i) out_.states.push_back(input_slot(n_fixed_ + i));
        if (request_.time.node() != nullptr) {
            out_.time = input_slot(n_fixed_ + static_cast<std::uint32_t>(request_.states.size()));
        }
        for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
            Slot s = slots_[plan_.outputs[i]];
            if (i < out_.states.size()) {
                out_.rates.push_back(s);
                continue;
            }
            if (constant(s)) s = rule(Jet::add, s, literal(0.0));
            out_.outputs.push_back(s);
        }
    }

    void number_slots() {
        out_.n_constants = n_constants_;
        out_.n_slots = n_constants_ + n_jets_;
        const auto renumber = [&](Slot& s) {
            if ((s & k_jet) != 0 && s != TaylorPlan::k_none) s = n_constants_ + (s & ~k_jet);
        };
        const auto renumber_all = [&](std::vector<Slot>& list) { std::for_each(list.begin(), list.end(), renumber); };
        for (JetRule& r : out_.rules) {
            renumber(r.dst);
            renumber(r.a);
            renumber(r.b);
            renumber(r.c);
        }
        for (System& s : out_.systems) renumber_all(s.entries);
        for (Solution& s : out_.solutions) renumber_all(s.rhs);
        renumber(out_.time);
        renumber_all(out_.states);
        renumber_all(out_.rates);
        renumber_all(out_.outputs);
    }

    // Degrees in time, from unbounded downwards until nothing changes: each pass is a valid bound.
    void bound_degrees() {
        constexpr int k_passes = 8;
        auto& degree = out_.degree;
        degree.assign(out_.n_slots, TaylorPlan::k_unbounded);
        std::fill_n(degree.begin(), out_.n_constants, 0);
        if (out_.time != TaylorPlan::k_none) degree[out_.time] = 1;
        bool changed = true;
        for (int pass = 0; changed && pass < k_passes; ++pass) {
            const auto before = degree;
            for (std::size_t i = 0; i < out_.states.size(); ++i) {
                degree[out_.states[i]] = raised(degree[out_.rates[i]]);
            }
            for (const JetRule& r : out_.rules) bound_degree(r);
            changed = degree != before;
        }
    }
    static std::uint32_t plus(std::uint32_t a, std::uint32_t b) {
        constexpr std::uint32_t k_largest = 1000;  // beyond every order
        return a > k_largest || b > k_largest ? TaylorPlan::k_unbounded : a + b;
    }
    static std::uint32_t raised(std::uint32_t a) { return plus(a, 1); }

    void bound_degree(const JetRule& r) {
        auto& degree = out_.degree;
        const auto of = [&](Slot s) { return degree[s]; };
        switch (r.kind) {
        case Jet::value: degree[r.dst] = 0; break;
        case Jet::add:
        case Jet::sub: degree[r.dst] = std::max(of(r.a), of(r.b)); break;
        case Jet::neg: degree[r.dst] = of(r.a); break;
        case Jet::mul: degree[r.dst] = plus(of(r.a), of(r.b)); break;
        case Jet::mul_add: degree[r.dst] = std::max(plus(of(r.a), of(r.b)), of(r.c)); break;
        case Jet::square: degree[r.dst] = plus(of(r.a), of(r.a)); break;
        case Jet::square_add: degree[r.dst] = std::max(plus(of(r.a), of(r.a)), of(r.c)); break;
        case Jet::div: degree[r.dst] = of(r.b) == 0 ? of(r.a) : TaylorPlan::k_unbounded; break;
        case Jet::sqrt: degree[r.dst] = of(r.a) == 0 ? 0 : TaylorPlan::k_unbounded; break;
        case Jet::select: degree[r.dst] = std::max(of(r.b), of(r.c)); break;
        case Jet::derivative:
            degree[r.dst] = of(r.a) == TaylorPlan::k_unbounded ? TaylorPlan::k_unbounded : std::max(of(r.a), 1U) - 1;
            break;
        case Jet::integral:
        case Jet::integral_minus: degree[r.dst] = raised(of(r.c)); break;
        case Jet::growth:
        case Jet::growth_minus:  // made after the degrees are known
        case Jet::factor: break;
        case Jet::solve: {
            const Solution& solution = out_.solutions[r.a];
            const System& system = out_.systems[solution.factor];
            std::uint32_t bound = 0;
            for (Slot s : solution.rhs) bound = std::max(bound, of(s));
            for (Slot s : system.entries) bound = of(s) == 0 ? bound : TaylorPlan::k_unbounded;
            for (Slot s = 0; s < system.structure->n; ++s) degree[r.dst + s] = bound;
            break;
        }
        }
    }

    // The integral of a product with a constant needs no product: (b/k) is known before the step begins.
    void find_growth() {
        std::vector<const JetRule*> producer(out_.n_slots, nullptr);
        for (const JetRule& r : out_.rules) {
            if (r.kind == Jet::mul && r.late) producer[r.dst] = &r;
        }
        for (JetRule& r : out_.rules) {
            const bool minus = r.kind == Jet::integral_minus;
            if ((r.kind != Jet::integral && !minus) || r.code == Code::pow || r.code == Code::atan2) continue;
            const JetRule* source = producer[r.c];
            if (source == nullptr || (out_.degree[source->a] != 0 && out_.degree[source->b] != 0)) continue;
            r.kind = minus ? Jet::growth_minus : Jet::growth;
            const bool first = out_.degree[source->a] == 0;
            r.b = first ? source->a : source->b;
            r.c = first ? source->b : source->a;
        }
    }

    // Drops rules that neither a rate nor an output needs and marks those an output needs.
    void keep_needed() {
        std::vector<std::size_t> producer(out_.n_slots, out_.rules.size());
        std::vector<std::size_t> factors(out_.systems.size(), out_.rules.size());
        for (std::size_t i = 0; i < out_.rules.size(); ++i) {
            const JetRule& r = out_.rules[i];
            if (r.kind == Jet::factor) factors[r.a] = i;
            else for (std::uint32_t s = 0; s < width(r); ++s) producer[r.dst + s] = i;
        }
        const auto mark = [&](const std::vector<Slot>& roots) {
            std::vector<char> needed(out_.rules.size(), 0);
            std::vector<Slot> stack = roots;
            const auto need = [&](std::size_t i) {
                if (i == out_.rules.size() || needed[i] != 0) return;
                needed[i] = 1;
                const JetRule& r = out_.rules[i];
                if (r.kind == Jet::solve) {
                    const Solution& solution = out_.solutions[r.a];
                    const System& system = out_.systems[solution.factor];
                    stack.insert(stack.end(), solution.rhs.begin(), solution.rhs.end());
                    stack.insert(stack.end(), system.entries.begin(), system.entries.end());
                    if (factors[solution.factor] != out_.rules.size()) needed[factors[solution.factor]] = 1;
                } else if (r.code == Code::table) {
                    stack.push_back(r.a);
                } else {
                    stack.insert(stack.end(), {r.a, r.b, r.c});
                }
            };
            while (!stack.empty()) {
                const Slot s = stack.back();
                stack.pop_back();
                need(producer[s]);
            }
            return needed;
        };
        const auto for_rates = mark(out_.rates);
        const auto for_outputs = mark(out_.outputs);
        std::vector<JetRule> kept;
        for (std::size_t i = 0; i < out_.rules.size(); ++i) {
            if (for_rates[i] == 0 && for_outputs[i] == 0) continue;
            kept.push_back(out_.rules[i]);
            kept.back().for_outputs = for_outputs[i] != 0;
        }
        out_.rules = std::move(kept);
    }
    [[nodiscard]] std::uint32_t width(const JetRule& r) const {
        return r.kind == Jet::solve ? out_.systems[out_.solutions[r.a].factor].structure->n : 1;
    }

    const TaylorRequest& request_;
    Plan plan_;
    TaylorPlan out_;
    std::uint32_t n_fixed_ = 0;
    std::uint32_t n_constants_ = 0;
    std::uint32_t n_jets_ = 0;
    std::vector<Slot> slots_;  // of each instruction
    std::map<std::uint32_t, Slot> inputs_;
    std::map<double, Slot> literals_;
    std::map<std::tuple<Jet, Slot, Slot, Slot, bool>, Slot> known_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> derivatives_;
    std::map<Slot, Slot> reciprocals_;
    std::map<Slot, Slot> roots_;
    std::map<std::pair<Slot, Code>, std::pair<Slot, Slot>> pairs_;
};

} // namespace

TaylorPlan plan_taylor(const TaylorRequest& request) { return Builder(request).run(); }

std::size_t TaylorPlan::cost(unsigned order) const {
    const std::size_t n = order + 1;
    const auto rounds = [&](std::uint32_t dst) { return std::min<std::size_t>(degree[dst], order) + 1; };
    const auto product = [&](std::uint32_t a, std::uint32_t b) {
        const std::size_t narrow = std::min({degree[a], degree[b], order}) + std::size_t{1};
        const std::size_t wide = std::min(std::max(degree[a], degree[b]), order) + std::size_t{1};
        return narrow * wide - (wide < n ? 0 : narrow * (narrow - 1) / 2);
    };
    std::size_t total = 0;
    for (const JetRule& r : rules) {
        switch (r.kind) {
        case Jet::value: total += 1; break;
        case Jet::mul:
        case Jet::mul_add: total += product(r.a, r.b); break;
        case Jet::square:
        case Jet::square_add: total += product(r.a, r.a) / 2 + 1; break;
        case Jet::div: total += product(r.b, r.dst) + n; break;
        case Jet::sqrt: total += product(r.dst, r.dst) / 2 + n; break;
        case Jet::factor: {
            const std::size_t m = systems[r.a].structure->n;
            total += m * m * m / 3;
            break;
        }
        case Jet::solve: {
            const System& s = systems[solutions[r.a].factor];
            total += n * s.structure->n * s.structure->n;
            for (std::uint32_t e : s.entries) total += degree[e] == 0 ? 0 : product(e, r.dst);
            break;
        }
        default: total += rounds(r.dst);
        }
    }
    return total;
}

} // namespace liaison::compile
