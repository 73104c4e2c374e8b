// SPDX-License-Identifier: Apache-2.0
// Builds the tape (slots are reused once a value is dead) and runs it.
#include "liaison/compile/tape.hpp"

#include "liaison/compile/emitter.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/functions.hpp"
#include "liaison/compile/kernels.hpp"

#include <algorithm>
#include <utility>

namespace liaison::compile {

using Act = Tape::Act;
using Slot = std::uint32_t;

// Slots in order: constants and values that outlive their stage, temporaries, memory of numeric systems.
class TapeBuilder {
  public:
    TapeBuilder(Tape& tape) : tape_(tape), program_(*tape.program_), plan_(program_.plan) {}

    void build() {
        find_last_uses();
        slot_.assign(plan_.instructions.size(), 0);
        keep_long_lived_values();
        for (std::size_t s = 0; s < k_stage_count; ++s) {
            tape_.stage_begin_.push_back(static_cast<Slot>(tape_.steps_.size()));
            free_ = temporaries_;
            for (Value i = plan_.stage_begin[s]; i < plan_.stage_begin[s + 1]; ++i) add_step(i);
        }
        tape_.stage_begin_.push_back(static_cast<Slot>(tape_.steps_.size()));
        for (const Value v : plan_.outputs) tape_.outputs_.push_back(slot_[v]);
        tape_.initial_.assign(next_, 0.0);
        for (Value i = 0; i < plan_.instructions.size(); ++i) {
            if (plan_.instructions[i].code == Code::constant)
                tape_.initial_[slot_[i]] = plan_.instructions[i].value;
        }
    }

  private:
    // −a inside a fused multiply-add is no step of its own.
    [[nodiscard]] bool negated_product(const Instruction& i) const {
        return i.code == Code::fma && (is_neg(i.a) || is_neg(i.b));
    }
    [[nodiscard]] bool is_neg(Value v) const { return plan_.instructions[v].code == Code::neg; }

    template <class Visit>
    void for_each_read(const Instruction& i, Visit&& visit) const {
        if (negated_product(i)) {
            const bool first = is_neg(i.a);
            visit(plan_.instructions[first ? i.a : i.b].a);
            visit(first ? i.b : i.a);
            visit(i.c);
        } else if (i.code == Code::component) {
            visit(i.a);
        } else {
            for_each_operand(plan_, i, visit);
        }
    }

    void find_last_uses() {
        const auto n = static_cast<Value>(plan_.instructions.size());
        last_use_.assign(n, 0);
        used_.assign(n, 0);
        long_lived_.assign(n, 0);
        for (const Value v : plan_.outputs) used_[v] = long_lived_[v] = 1;
        for (Value i = n; i-- > 0;) {
            const Instruction& x = plan_.instructions[i];
            if (used_[i] == 0) continue;
            for_each_read(x, [&](Value v) {
                used_[v] = 1;
                last_use_[v] = std::max(last_use_[v], i);
                if (plan_.instructions[v].stage != x.stage) long_lived_[v] = 1;
            });
            // a solution is a block of memory, its components are read where they lie
            if (x.code == Code::component || x.code == Code::solve || x.code == Code::factor)
                long_lived_[i] = 1;
            if (x.code == Code::constant) long_lived_[i] = 1;
        }
    }

    void keep_long_lived_values() {
        for (Value i = 0; i < plan_.instructions.size(); ++i) {
            const Instruction& x = plan_.instructions[i];
            if (used_[i] == 0 || long_lived_[i] == 0 || x.code == Code::component) continue;
            slot_[i] = next_;
            next_ += x.code == Code::solve ? size_of(x) : 1;
        }
        for (Value i = 0; i < plan_.instructions.size(); ++i) {
            const Instruction& x = plan_.instructions[i];
            if (x.code == Code::component) slot_[i] = slot_[x.a] + x.b;
        }
        for (const System& s : plan_.systems) {
            tape_.factors_.push_back({s.kernel.get(), {}, take(s.entries.size())});
            memory_.push_back(take(s.kernel->memory_size()));
        }
        for (const Solution& s : plan_.solutions)
            tape_.solutions_.push_back({nullptr, {}, take(s.rhs.size())});
    }
    Slot take(std::size_t n) { return std::exchange(next_, next_ + static_cast<Slot>(n)); }
    [[nodiscard]] Slot size_of(const Instruction& solve) const {
        return static_cast<Slot>(plan_.solutions[solve.a].rhs.size());
    }

    void add_step(Value i) {
        const Instruction& x = plan_.instructions[i];
        if (used_[i] == 0 || x.code == Code::constant || x.code == Code::component) return;
        Tape::Step step = step_of(x);
        // operands whose last use this is make room for the result
        std::vector<Value> dying;
        for_each_read(x, [&](Value v) {
            if (long_lived_[v] == 0 && last_use_[v] == i) dying.push_back(v);
        });
        const bool second_of_pair = !tape_.steps_.empty() &&
                                    tape_.steps_.back().act == Act::sincos && i > 0 &&
                                    pair_with_previous(i);
        if (!second_of_pair) {
            for (const Value v : dying) release(v);
            if (long_lived_[i] == 0) slot_[i] = allocate();
            step.to = slot_[i];
            if (trig_pair_begins(i)) {
                if (long_lived_[i + 1] == 0) slot_[i + 1] = allocate();
                const bool sine_first = x.code == Code::sin;
                step = {Act::sincos, slot_[sine_first ? i : i + 1], step.a,
                        slot_[sine_first ? i + 1 : i], 0};
            }
            tape_.steps_.push_back(step);
        } else {
            for (const Value v : dying) release(v);
        }
    }
    [[nodiscard]] bool trig_pair_begins(Value i) const {
        return i + 1 < plan_.instructions.size() && pair_with_previous(i + 1);
    }
    [[nodiscard]] bool pair_with_previous(Value i) const {
        const Instruction& x = plan_.instructions[i];
        const Instruction& y = plan_.instructions[i - 1];
        return x.a == y.a && ((x.code == Code::sin && y.code == Code::cos) ||
                              (x.code == Code::cos && y.code == Code::sin));
    }
    Slot allocate() {
        if (free_.empty()) {
            temporaries_.push_back(next_);
            return next_++;
        }
        const Slot s = free_.back();
        free_.pop_back();
        return s;
    }
    void release(Value v) {
        if (std::exchange(last_use_[v], 0) != 0) free_.push_back(slot_[v]);
    }

    Tape::Step step_of(const Instruction& x) {
        const auto slots = [&](Act act) {
            const int n = operand_count(x.code);
            return Tape::Step{act, 0, n > 0 ? slot_[x.a] : 0, n > 1 ? slot_[x.b] : 0,
                              n > 2 ? slot_[x.c] : 0};
        };
        switch (x.code) {
        case Code::input: return {Act::input, 0, x.a, 0, 0};
        case Code::add: return slots(Act::add);
        case Code::sub: return slots(Act::sub);
        case Code::mul: return slots(Act::mul);
        case Code::div: return slots(Act::div);
        case Code::neg: return slots(Act::neg);
        case Code::fma: {
            if (!negated_product(x)) return slots(Act::fma);
            const bool first = is_neg(x.a);
            const Value inner = plan_.instructions[first ? x.a : x.b].a;
            return {Act::fnma, 0, slot_[inner], slot_[first ? x.b : x.a], slot_[x.c]};
        }
        case Code::sqrt: return slots(Act::sqrt);
        case Code::sin: return slots(Act::sin);
        case Code::cos: return slots(Act::cos);
        case Code::exp: return slots(Act::exp);
        case Code::log: return slots(Act::log);
        case Code::abs: return slots(Act::abs);
        case Code::sign: return slots(Act::sign);
        case Code::min: return slots(Act::min);
        case Code::max: return slots(Act::max);
        case Code::select: return slots(Act::select);
        case Code::less: return slots(Act::less);
        case Code::less_equal: return slots(Act::less_equal);
        case Code::logical_and: return slots(Act::logical_and);
        case Code::logical_or: return slots(Act::logical_or);
        case Code::logical_not: return slots(Act::logical_not);
        case Code::table: return {Act::table, 0, slot_[x.a], x.b, 0};
        case Code::factor:
            for (const Value v : plan_.systems[x.a].entries)
                tape_.factors_[x.a].operands.push_back(slot_[v]);
            return {Act::factor, 0, x.a, memory_[x.a], 0};
        case Code::solve: {
            const Solution& s = plan_.solutions[x.a];
            const std::uint32_t system = plan_.instructions[s.factor].a;
            tape_.solutions_[x.a].kernel = plan_.systems[system].kernel.get();
            for (const Value v : s.rhs) tape_.solutions_[x.a].operands.push_back(slot_[v]);
            return {Act::solve, 0, x.a, memory_[system], 0};
        }
        default: break;
        }
        if (operand_count(x.code) == 1) {
            tape_.functions1_.push_back(library_function(x.code));
            return {Act::call1, 0, slot_[x.a], static_cast<Slot>(tape_.functions1_.size() - 1), 0};
        }
        tape_.functions2_.push_back(library_function2(x.code));
        return {Act::call2, 0, slot_[x.a], slot_[x.b],
                static_cast<Slot>(tape_.functions2_.size() - 1)};
    }

    Tape& tape_;
    const Program& program_;
    const Plan& plan_;
    std::vector<Slot> slot_;
    std::vector<Slot> memory_; // of each numeric system
    std::vector<Slot> temporaries_;
    std::vector<Slot> free_; // temporaries that hold no value now
    std::vector<Value> last_use_;
    std::vector<char> used_;
    std::vector<char> long_lived_;
    Slot next_ = 0;
};

Tape::Tape(std::shared_ptr<const Program> program) : program_(std::move(program)) {
    TapeBuilder(*this).build();
}

struct TapeRun {
    [[gnu::always_inline]] static void run(const Tape* tape, std::size_t begin, std::size_t end,
                                           const double* inputs, double* w, std::size_t stride) {
        for (const Tape::Step *s = tape->steps_.data() + begin, *last = tape->steps_.data() + end;
             s != last; ++s) {
            switch (s->act) {
            case Act::input: w[s->to] = inputs[s->a * stride]; break;
            case Act::add: w[s->to] = w[s->a] + w[s->b]; break;
            case Act::sub: w[s->to] = w[s->a] - w[s->b]; break;
            case Act::mul: w[s->to] = w[s->a] * w[s->b]; break;
            case Act::div: w[s->to] = w[s->a] / w[s->b]; break;
            case Act::neg: w[s->to] = -w[s->a]; break;
            case Act::fma: w[s->to] = __builtin_fma(w[s->a], w[s->b], w[s->c]); break;
            case Act::fnma: w[s->to] = __builtin_fma(-w[s->a], w[s->b], w[s->c]); break;
            case Act::sqrt: w[s->to] = __builtin_sqrt(w[s->a]); break;
            case Act::sin: w[s->to] = sincos_of(w[s->a]).sin; break;
            case Act::cos: w[s->to] = sincos_of(w[s->a]).cos; break;
            case Act::sincos: {
                const auto both = sincos_of(w[s->a]);
                w[s->to] = both.sin;
                w[s->b] = both.cos;
                break;
            }
            case Act::exp: w[s->to] = kernel::exp(w[s->a]); break;
            case Act::log: w[s->to] = kernel::log(w[s->a]); break;
            case Act::call1: w[s->to] = tape->functions1_[s->b](w[s->a]); break;
            case Act::call2: w[s->to] = tape->functions2_[s->c](w[s->a], w[s->b]); break;
            case Act::abs: w[s->to] = __builtin_fabs(w[s->a]); break;
            case Act::sign:
                w[s->to] = static_cast<double>((w[s->a] > 0.0) - (w[s->a] < 0.0));
                break;
            case Act::min: w[s->to] = w[s->b] < w[s->a] ? w[s->b] : w[s->a]; break;
            case Act::max: w[s->to] = w[s->a] < w[s->b] ? w[s->b] : w[s->a]; break;
            case Act::select: w[s->to] = w[s->a] != 0.0 ? w[s->b] : w[s->c]; break;
            case Act::less: w[s->to] = w[s->a] < w[s->b] ? 1.0 : 0.0; break;
            case Act::less_equal: w[s->to] = w[s->a] <= w[s->b] ? 1.0 : 0.0; break;
            case Act::logical_and: w[s->to] = w[s->a] != 0.0 && w[s->b] != 0.0 ? 1.0 : 0.0; break;
            case Act::logical_or: w[s->to] = w[s->a] != 0.0 || w[s->b] != 0.0 ? 1.0 : 0.0; break;
            case Act::logical_not: w[s->to] = w[s->a] != 0.0 ? 0.0 : 1.0; break;
            case Act::table: w[s->to] = (*tape->program_->plan.tables[s->b])(w[s->a]); break;
            case Act::factor: {
                const Tape::Gather& g = tape->factors_[s->a];
                for (std::size_t k = 0; k < g.operands.size(); ++k)
                    w[g.gather + k] = w[g.operands[k]];
                g.kernel->factor(w + g.gather, w + s->b, w + s->to, 1);
                break;
            }
            case Act::solve: {
                const Tape::Gather& g = tape->solutions_[s->a];
                for (std::size_t k = 0; k < g.operands.size(); ++k)
                    w[g.gather + k] = w[g.operands[k]];
                g.kernel->solve(w + g.gather, w + s->b, w + s->to, 1);
                break;
            }
            }
        }
    }

    [[gnu::always_inline]] static kernel::SinCos<double> sincos_of(double x) {
        if (kernel::k_trig_limit < kernel::abs(x)) {
            return {library_function(Code::sin)(x), library_function(Code::cos)(x)};
        }
        return kernel::sincos(x);
    }
};

void Tape::run(const double* inputs, double* outputs, TapeWorkspace& workspace, Stage from,
               std::size_t stride) const noexcept {
    double* w = workspace.values.data();
    run_dispatched<TapeRun>(this, std::size_t{stage_begin_[static_cast<std::size_t>(from)]},
                            steps_.size(), inputs, w, stride);
    for (std::size_t k = 0; k < program_->n_outputs; ++k) outputs[k * stride] = w[outputs_[k]];
}

std::array<double, 2> Tape::status(const TapeWorkspace& workspace) const noexcept {
    const std::size_t n = program_->n_outputs;
    if (!program_->has_status()) return {0.0, 0.0};
    return {workspace.values[outputs_[n]], workspace.values[outputs_[n + 1]]};
}

} // namespace liaison::compile
