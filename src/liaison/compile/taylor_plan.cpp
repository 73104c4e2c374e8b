// SPDX-License-Identifier: Apache-2.0
// From the plan of a field to its Taylor recurrences.
#include "liaison/compile/taylor_plan.hpp"

#include "liaison/compile/emitter.hpp"
#include "liaison/compile/program.hpp"
#include "liaison/compile/taylor_reduce.hpp"
#include "liaison/compile/taylor_writer.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

namespace liaison::compile {
namespace {

constexpr auto constant = &JetWriter::constant;

class Builder {
  public:
    explicit Builder(const TaylorRequest& request)
        : request_(request), plan_(lower(field_of(request))) {
        to_.plan.n_parameters = request.parameters.size();
        to_.plan.n_modes = request.modes.size();
        to_.plan.tables = plan_.tables;
        written_.resize(plan_.systems.size());
        n_fixed_ = static_cast<std::uint32_t>(to_.plan.n_parameters + to_.plan.n_modes);
    }

    TaylorPlan run() {
        for (std::uint32_t i = 0; i < plan_.instructions.size(); ++i) slots_.push_back(make(i));
        collect_ends();
        to_.finish();
        reduce(to_.plan);
        return std::move(to_.plan);
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

    Slot make(std::uint32_t index) {
        const Instruction& i = plan_.instructions[index];
        if (i.stage <= Stage::mode) return make_constant(i);
        switch (i.code) {
        case Code::input: return input_slot(i.a);
        case Code::factor: return make_factor(i);
        case Code::solve: return make_solve(i);
        case Code::component: return solutions_[slots_[i.a]][i.b];
        case Code::table: return to_.table(i.b, slots_[i.a]);
        default: break;
        }
        const int operands = operand_count(i.code);
        const Slot a = operands > 0 ? slots_[i.a] : 0;
        const Slot b = operands > 1 ? slots_[i.b] : 0;
        const Slot c = operands > 2 ? slots_[i.c] : 0;
        return to_.function(i.code, a, b, c);
    }

    Slot make_constant(const Instruction& i) {
        switch (i.code) {
        case Code::constant: return to_.literal(i.value);
        case Code::input: return to_.constant_value(Code::input, i.a);
        case Code::factor: return make_factor(i);
        case Code::solve: return make_solve(i);
        case Code::component: return solutions_[slots_[i.a]][i.b];
        case Code::table: return to_.constant_value(Code::table, slots_[i.a], i.b);
        default: break;
        }
        const int operands = operand_count(i.code);
        return to_.constant_value(i.code, operands > 0 ? slots_[i.a] : 0,
                                  operands > 1 ? slots_[i.b] : 0, operands > 2 ? slots_[i.c] : 0);
    }
    Slot input_slot(std::uint32_t input) {
        const auto [it, inserted] = inputs_.try_emplace(input, 0);
        if (inserted) it->second = to_.new_jet();
        return it->second;
    }

    // A linear system as its own little program: the matrix enters in an early stage, the right-hand side in
    // the last one, so that the stages of the instructions tell factorisation from substitution.
    struct Written {
        Program program;
        std::vector<Slot> values; // of the instructions before the last stage
        std::vector<Slot> entries;
        std::uint32_t kernel = TaylorPlan::k_none; // index in to_.plan.systems
    };

    Program program_of(const System& system) const {
        Emitter e;
        std::uint32_t input = 0;
        System copy{system.structure, {}, {}};
        for (std::uint32_t v : system.entries) {
            const Instruction& i = plan_.instructions[v];
            copy.entries.push_back(i.code == Code::constant ? e.constant(i.value)
                                                            : e.input(input, Stage::position));
            ++input;
        }
        std::vector<Value> rhs;
        for (std::uint32_t i = 0; i < system.structure->n; ++i)
            rhs.push_back(e.input(input++, Stage::velocity));
        const Value x = e.solve({e.factor(std::move(copy)), std::move(rhs)});
        std::vector<Value> outputs;
        for (std::uint32_t i = 0; i < system.structure->n; ++i)
            outputs.push_back(e.emit(Code::component, x, i));
        return write_out(e.finish(std::move(outputs), input));
    }

    Slot make_factor(const Instruction& i) {
        const System& system = plan_.systems[i.a];
        Written& w = written_[i.a];
        w.program = program_of(system);
        for (std::uint32_t v : system.entries) w.entries.push_back(slots_[v]);
        const bool fixed = std::all_of(w.entries.begin(), w.entries.end(), constant);
        const Plan& plan = w.program.plan;
        for (std::uint32_t k = 0; k < plan.stage_begin[static_cast<std::size_t>(Stage::velocity)];
             ++k) {
            w.values.push_back(factor_value(w, plan.instructions[k], fixed));
        }
        if (w.program.has_status()) {
            const auto status = std::span(plan.outputs).subspan(w.program.n_outputs);
            if (!is_zero(plan, status[0])) to_.plan.singular.push_back(w.values[status[0]]);
            if (!is_zero(plan, status[1])) to_.plan.redundant.push_back(w.values[status[1]]);
        }
        return i.a;
    }
    static bool is_zero(const Plan& plan, Value v) {
        return plan.instructions[v].code == Code::constant && plan.instructions[v].value == 0.0;
    }
    Slot factor_value(Written& w, const Instruction& i, bool fixed) {
        if (i.code == Code::constant) return to_.literal(i.value);
        if (i.code == Code::input) return w.entries[i.a];
        if (i.code == Code::factor) {
            const System& system = w.program.plan.systems[i.a];
            w.kernel = static_cast<std::uint32_t>(to_.plan.systems.size());
            to_.plan.systems.push_back({system.structure, w.entries, system.kernel});
            const Slot status = fixed ? to_.new_constant() : to_.new_jet();
            (fixed ? to_.plan.prologue : to_.plan.rules)
                .push_back({.kind = Jet::factor, .dst = status, .a = w.kernel});
            return status;
        }
        const int operands = operand_count(i.code);
        const Slot a = operands > 0 ? w.values[i.a] : 0;
        const Slot b = operands > 1 ? w.values[i.b] : 0;
        const Slot c = operands > 2 ? w.values[i.c] : 0;
        return fixed ? to_.constant_value(i.code, a, b, c) : to_.frozen(i.code, a, b, c);
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
                const Slot dst = to_.new_jet();
                open.emplace_back(to_.plan.rules.size(), col);
                to_.emit(dst, Jet::residual, w.entries[e], 0, rhs[row]);
                rhs[row] = dst;
            };
            const auto [row, col] = structure.entries[e];
            subtract(row, col);
            if (structure.symmetric && row != col) subtract(col, row);
        }
        auto x = w.kernel == TaylorPlan::k_none ? substitute(w, rhs, fixed)
                                                : solve_by_kernel(w.kernel, rhs, fixed);
        for (const auto& [index, col] : open) to_.plan.rules[index].b = x[col];
        solutions_.push_back(std::move(x));
        return static_cast<Slot>(solutions_.size() - 1);
    }
    std::vector<Slot> substitute(const Written& w, const std::vector<Slot>& rhs, bool fixed) {
        const Plan& plan = w.program.plan;
        std::vector<Slot> values = w.values;
        // A₀ x_k = …: where the elimination uses an entry of the matrix as it is, its value at the point is meant.
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (plan.instructions[k].code == Code::input && !constant(values[k]))
                values[k] = to_.frozen(Code::add, values[k], to_.literal(0.0));
        }
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
            const bool still =
                constant(a) && (operands < 2 || constant(b)) && (operands < 3 || constant(c));
            values.push_back(fixed || still ? to_.constant_value(i.code, a, b, c)
                                            : to_.function(i.code, a, b, c));
        }
        std::vector<Slot> x;
        for (std::size_t k = 0; k < w.program.n_outputs; ++k) x.push_back(values[plan.outputs[k]]);
        return x;
    }
    std::vector<Slot> solve_by_kernel(std::uint32_t kernel, const std::vector<Slot>& rhs,
                                      bool fixed) {
        const auto n = static_cast<std::uint32_t>(rhs.size());
        const auto index = static_cast<std::uint32_t>(to_.plan.solutions.size());
        to_.plan.solutions.push_back({kernel, rhs});
        const Slot first = fixed ? to_.new_constant(n) : to_.new_jet(n);
        (fixed ? to_.plan.prologue : to_.plan.rules)
            .push_back({.kind = Jet::solve, .dst = first, .a = index});
        std::vector<Slot> x;
        for (std::uint32_t i = 0; i < n; ++i) x.push_back(first + i);
        return x;
    }

    void collect_ends() {
        for (std::uint32_t i = 0; i < request_.states.size(); ++i)
            to_.plan.states.push_back(input_slot(n_fixed_ + i));
        if (request_.time.node() != nullptr) {
            to_.plan.time =
                input_slot(n_fixed_ + static_cast<std::uint32_t>(request_.states.size()));
        }
        for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
            Slot s = slots_[plan_.outputs[i]];
            if (i < to_.plan.states.size()) {
                to_.plan.rates.push_back(s);
                continue;
            }
            if (constant(s)) s = to_.rule(Jet::add, s, to_.literal(0.0));
            to_.plan.outputs.push_back(s);
        }
    }

    const TaylorRequest& request_;
    Plan plan_;
    JetWriter to_;
    std::uint32_t n_fixed_ = 0;
    std::vector<Slot>
        slots_; // of each instruction; system and solution indices for factor and solve
    std::vector<Written> written_;
    std::vector<std::vector<Slot>> solutions_;
    std::map<std::uint32_t, Slot> inputs_;
};

} // namespace

TaylorPlan plan_taylor(const TaylorRequest& request) { return Builder(request).run(); }

} // namespace liaison::compile
