// SPDX-License-Identifier: Apache-2.0
// From the plan of a field to its Taylor recurrences.
#include "liaison/compile/taylor_plan.hpp"

#include "liaison/compile/emitter.hpp"
#include "liaison/compile/program.hpp"
#include "liaison/compile/taylor_reduce.hpp"

#include <algorithm>
#include <map>
#include <span>
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
        written_.resize(plan_.systems.size());
        n_fixed_ = static_cast<std::uint32_t>(out_.n_parameters + out_.n_modes);
    }

    TaylorPlan run() {
        for (std::uint32_t i = 0; i < plan_.instructions.size(); ++i) slots_.push_back(make(i));
        collect_ends();
        number_slots();
        reduce(out_);
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
        case Code::factor: return make_factor(i);
        case Code::solve: return make_solve(i);
        case Code::component: return solutions_[slots_[i.a]][i.b];
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
        switch (i.code) {
        case Code::constant: return literal(i.value);
        case Code::input: return constant_value(Code::input, i.a);
        case Code::factor: return make_factor(i);
        case Code::solve: return make_solve(i);
        case Code::component: return solutions_[slots_[i.a]][i.b];
        case Code::table: return constant_value(Code::table, slots_[i.a], i.b);
        default: break;
        }
        const int operands = operand_count(i.code);
        return constant_value(i.code, operands > 0 ? slots_[i.a] : 0, operands > 1 ? slots_[i.b] : 0,
                              operands > 2 ? slots_[i.c] : 0);
    }
    Slot constant_value(Code code, Slot a, Slot b = 0, Slot c = 0) {
        const Slot dst = new_constant();
        out_.prologue.push_back({.kind = Jet::value, .code = code, .dst = dst, .a = a, .b = b, .c = c});
        return dst;
    }

    Slot input_slot(std::uint32_t input) {
        const auto [it, inserted] = inputs_.try_emplace(input, 0);
        if (inserted) it->second = new_jet();
        return it->second;
    }

    // A linear system as its own little program: the matrix enters in an early stage, the right-hand side in
    // the last one, so that the stages of the instructions tell factorisation from substitution.
    struct Written {
        Program program;
        std::vector<Slot> values;        // of the instructions before the last stage
        std::vector<Slot> entries;
        std::uint32_t kernel = TaylorPlan::k_none;  // index in out_.systems
    };

    Program program_of(const System& system) const {
        Emitter e;
        std::uint32_t input = 0;
        System copy{system.structure, {}, {}};
        for (std::uint32_t v : system.entries) {
            const Instruction& i = plan_.instructions[v];
            copy.entries.push_back(i.code == Code::constant ? e.constant(i.value) : e.input(input, Stage::position));
            ++input;
        }
        std::vector<Value> rhs;
        for (std::uint32_t i = 0; i < system.structure->n; ++i) rhs.push_back(e.input(input++, Stage::velocity));
        const Value x = e.solve({e.factor(std::move(copy)), std::move(rhs)});
        std::vector<Value> outputs;
        for (std::uint32_t i = 0; i < system.structure->n; ++i) outputs.push_back(e.emit(Code::component, x, i));
        return write_out(e.finish(std::move(outputs), input));
    }

    Slot make_factor(const Instruction& i) {
        const System& system = plan_.systems[i.a];
        Written& w = written_[i.a];
        w.program = program_of(system);
        for (std::uint32_t v : system.entries) w.entries.push_back(slots_[v]);
        const bool fixed = std::all_of(w.entries.begin(), w.entries.end(), constant);
        const Plan& plan = w.program.plan;
        for (std::uint32_t k = 0; k < plan.stage_begin[static_cast<std::size_t>(Stage::velocity)]; ++k) {
            w.values.push_back(factor_value(w, plan.instructions[k], fixed));
        }
        if (w.program.has_status()) {
            const auto status = std::span(plan.outputs).subspan(w.program.n_outputs);
            if (!is_zero(plan, status[0])) out_.singular.push_back(w.values[status[0]]);
            if (!is_zero(plan, status[1])) out_.redundant.push_back(w.values[status[1]]);
        }
        return i.a;
    }
    static bool is_zero(const Plan& plan, Value v) {
        return plan.instructions[v].code == Code::constant && plan.instructions[v].value == 0.0;
    }
    Slot factor_value(Written& w, const Instruction& i, bool fixed) {
        if (i.code == Code::constant) return literal(i.value);
        if (i.code == Code::input) return w.entries[i.a];
        if (i.code == Code::factor) {
            const System& system = w.program.plan.systems[i.a];
            w.kernel = static_cast<std::uint32_t>(out_.systems.size());
            out_.systems.push_back({system.structure, w.entries, system.kernel});
            const Slot status = fixed ? new_constant() : new_jet();
            (fixed ? out_.prologue : out_.rules).push_back({.kind = Jet::factor, .dst = status, .a = w.kernel});
            return status;
        }
        const int operands = operand_count(i.code);
        const Slot a = operands > 0 ? w.values[i.a] : 0;
        const Slot b = operands > 1 ? w.values[i.b] : 0;
        const Slot c = operands > 2 ? w.values[i.c] : 0;
        return fixed ? constant_value(i.code, a, b, c) : frozen(i.code, a, b, c);
    }

    // Returns an index into solutions_.
    Slot make_solve(const Instruction& i) {
        const Solution& solution = plan_.solutions[i.a];
        const Written& w = written_[slots_[solution.factor]];
        const expr::Structure& structure = *plan_.systems[slots_[solution.factor]].structure;
        const bool fixed = i.stage <= Stage::mode;
        std::vector<Slot> rhs;
        for (std::uint32_t v : solution.rhs) rhs.push_back(slots_[v]);
        // x is known only after its right-hand sides: these rules get their operand b later.
        std::vector<std::pair<std::size_t, std::uint32_t>> open;
        for (std::size_t e = 0; e < w.entries.size(); ++e) {
            if (constant(w.entries[e])) continue;
            const auto subtract = [&](std::uint32_t row, std::uint32_t col) {
                const Slot dst = new_jet();
                open.emplace_back(out_.rules.size(), col);
                emit(dst, Jet::residual, w.entries[e], 0, rhs[row]);
                rhs[row] = dst;
            };
            const auto [row, col] = structure.entries[e];
            subtract(row, col);
            if (structure.symmetric && row != col) subtract(col, row);
        }
        auto x = w.kernel == TaylorPlan::k_none ? substitute(w, rhs, fixed) : solve_by_kernel(w.kernel, rhs, fixed);
        for (const auto& [index, col] : open) out_.rules[index].b = x[col];
        solutions_.push_back(std::move(x));
        return static_cast<Slot>(solutions_.size() - 1);
    }
    std::vector<Slot> substitute(const Written& w, const std::vector<Slot>& rhs, bool fixed) {
        const Plan& plan = w.program.plan;
        std::vector<Slot> values = w.values;
        for (std::size_t k = values.size(); k < plan.instructions.size(); ++k) {
            const Instruction& i = plan.instructions[k];
            if (i.code == Code::input) {
                values.push_back(rhs[i.a - w.entries.size()]);
                continue;
            }
            const int operands = operand_count(i.code);
            const Slot a = values[i.a];
            const Slot b = operands > 1 ? values[i.b] : 0;
            const Slot c = operands > 2 ? values[i.c] : 0;
            const bool still = constant(a) && (operands < 2 || constant(b)) && (operands < 3 || constant(c));
            values.push_back(fixed || still ? constant_value(i.code, a, b, c) : make_jet(i.code, a, b, c));
        }
        std::vector<Slot> x;
        for (std::size_t k = 0; k < w.program.n_outputs; ++k) x.push_back(values[plan.outputs[k]]);
        return x;
    }
    std::vector<Slot> solve_by_kernel(std::uint32_t kernel, const std::vector<Slot>& rhs, bool fixed) {
        const auto n = static_cast<std::uint32_t>(rhs.size());
        const auto index = static_cast<std::uint32_t>(out_.solutions.size());
        out_.solutions.push_back({kernel, rhs});
        const Slot first = fixed ? new_constant(n) : new_jet(n);
        (fixed ? out_.prologue : out_.rules).push_back({.kind = Jet::solve, .dst = first, .a = index});
        std::vector<Slot> x;
        for (std::uint32_t i = 0; i < n; ++i) x.push_back(first + i);
        return x;
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
        renumber_all(out_.singular);
        renumber_all(out_.redundant);
    }

    const TaylorRequest& request_;
    Plan plan_;
    TaylorPlan out_;
    std::uint32_t n_fixed_ = 0;
    std::uint32_t n_constants_ = 0;
    std::uint32_t n_jets_ = 0;
    std::vector<Slot> slots_;  // of each instruction; system and solution indices for factor and solve
    std::vector<Written> written_;
    std::vector<std::vector<Slot>> solutions_;
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

} // namespace liaison::compile
