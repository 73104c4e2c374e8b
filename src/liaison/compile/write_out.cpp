// SPDX-License-Identifier: Apache-2.0
// Writes the linear systems of a plan out as instructions, with a test of every pivot.
#include "liaison/compile/emitter.hpp"
#include "liaison/compile/program.hpp"
#include "liaison/expr/elimination.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace liaison::compile {
namespace {

using expr::Elimination;
using expr::ScalarOp;
using expr::UnknownClass;

// Instructions a system may be written out to: linear growth is welcome, the cube of a dense matrix is not
// (40 dense rows cost seconds of compile time for code slower than a loop).
std::size_t operation_limit(std::uint32_t n) { return 2048 + 64 * std::size_t{n}; }

bool needs_pivoting(const expr::Structure& s) {
    if (s.n == 1) return false;
    if (!s.symmetric || s.classes.empty()) return true;
    return std::find(s.classes.begin(), s.classes.end(), UnknownClass::general) != s.classes.end();
}

// Arithmetic that knows the structural zeros and ones of right-hand sides.
class Algebra {
  public:
    explicit Algebra(Emitter& out) : out_(out), zero_(out.constant(0.0)), one_(out.constant(1.0)) {}
    [[nodiscard]] Value zero() const { return zero_; }
    [[nodiscard]] Value one() const { return one_; }

    Value add(Value a, Value b) {
        if (a == zero_) return b;
        return b == zero_ ? a : out_.emit(Code::add, a, b);
    }
    Value sub(Value a, Value b) {
        if (b == zero_) return a;
        return a == zero_ ? negate(b) : out_.emit(Code::sub, a, b);
    }
    Value mul(Value a, Value b) {
        if (a == zero_ || b == zero_) return zero_;
        if (a == one_) return b;
        return b == one_ ? a : out_.emit(Code::mul, a, b);
    }
    Value fma(Value a, Value b, Value c) {
        if (c == zero_ || a == zero_ || b == zero_ || a == one_ || b == one_)
            return add(mul(a, b), c);
        return out_.emit(Code::fma, a, b, c);
    }
    Value negate(Value a) {
        if (out_.is_constant(a)) return out_.constant(a == zero_ ? 0.0 : -out_.at(a).value);
        return out_.at(a).code == Code::neg ? out_.at(a).a : out_.emit(Code::neg, a);
    }

  private:
    Emitter& out_;
    Value zero_;
    Value one_;
};

class ProgramWriter {
  public:
    explicit ProgramWriter(const Plan& plan) : plan_(plan), algebra_(out_) {}

    Program run() {
        singular_ = redundant_ = algebra_.zero();
        values_.resize(plan_.instructions.size());
        for (std::size_t i = 0; i < plan_.instructions.size(); ++i)
            values_[i] = copy(static_cast<Value>(i));
        std::vector<Value> outputs;
        for (const Value v : plan_.outputs) outputs.push_back(values_[v]);
        program_.n_outputs = outputs.size();
        if (!plan_.systems.empty()) outputs.insert(outputs.end(), {singular_, redundant_});
        program_.plan = out_.finish(std::move(outputs), plan_.n_inputs);
        return std::move(program_);
    }

  private:
    // A system written out: the values of the slots before the right-hand sides.
    struct Written {
        Elimination list;
        std::vector<Value> slots;
    };

    Value copy(Value index) {
        const Instruction& i = plan_.instructions[index];
        switch (i.code) {
        case Code::constant: return out_.constant(i.value);
        case Code::input: return out_.input(i.a, i.stage);
        case Code::table: return out_.table(plan_.tables[i.b], values_[i.a]);
        case Code::factor: return factor(i.a);
        case Code::solve: return solve(i.a, index);
        case Code::component: {
            const auto found = solutions_.find(i.a);
            if (found != solutions_.end()) return found->second[i.b];
            return out_.emit(Code::component, values_[i.a], i.b);
        }
        default: {
            const int n = operand_count(i.code);
            return out_.emit(i.code, n > 0 ? values_[i.a] : 0, n > 1 ? values_[i.b] : 0,
                             n > 2 ? values_[i.c] : 0);
        }
        }
    }

    Value factor(std::uint32_t k) {
        const System& system = plan_.systems[k];
        const expr::Structure& s = *system.structure;
        std::vector<Value> entries;
        std::vector<std::optional<double>> known;
        for (const Value v : system.entries) {
            entries.push_back(values_[v]);
            known.push_back(out_.is_constant(values_[v]) ? std::optional(out_.at(values_[v]).value)
                                                         : std::nullopt);
        }
        if (needs_pivoting(s))
            return numeric(k, std::move(entries),
                           std::make_shared<NumericSystem>(system.structure));
        const bool sparse = std::find(s.classes.begin(), s.classes.end(),
                                      UnknownClass::auxiliary) != s.classes.end();
        auto list = expr::eliminate(s, {.known_entries = known, .limit = operation_limit(s.n)});
        if (list) {
            write_factor(k, std::move(*list), entries);
            return algebra_.zero();
        }
        // Too long to be written out: sparse systems run their list as data, others are dense anyway.
        if (sparse) list = expr::eliminate(s, {});
        return numeric(k, std::move(entries),
                       list ? std::make_shared<NumericSystem>(system.structure, std::move(*list))
                            : std::make_shared<NumericSystem>(system.structure));
    }

    Value numeric(std::uint32_t k, std::vector<Value> entries,
                  std::shared_ptr<const NumericSystem> kernel) {
        const auto base = static_cast<double>(program_.pivots.size());
        for (std::uint32_t row = 0; row < kernel->size(); ++row)
            program_.pivots.push_back({k, row, true});
        const Value status =
            out_.factor({plan_.systems[k].structure, std::move(entries), std::move(kernel)});
        const Value failed = out_.emit(Code::less, algebra_.zero(), status);
        const Value row = out_.emit(Code::add, out_.constant(base), status);
        singular_ = out_.emit(Code::select, failed, row, singular_);
        return status;
    }

    Value solve(std::uint32_t k, Value instruction) {
        const Solution& solution = plan_.solutions[k];
        std::vector<Value> rhs;
        for (const Value v : solution.rhs) rhs.push_back(values_[v]);
        const auto written = written_.find(plan_.instructions[solution.factor].a);
        if (written == written_.end())
            return out_.solve({values_[solution.factor], std::move(rhs)});

        const Elimination& list = written->second.list;
        std::vector<Value> slots = written->second.slots;
        slots.insert(slots.end(), rhs.begin(), rhs.end());
        for (const ScalarOp& op : list.solve) slots.push_back(operation(op, slots));
        std::vector<Value> x;
        for (const std::uint32_t slot : list.solution) x.push_back(slots[slot]);
        solutions_[instruction] = std::move(x);
        return algebra_.zero();
    }

    void write_factor(std::uint32_t k, Elimination list, const std::vector<Value>& entries) {
        Written w;
        w.slots = {algebra_.one(), algebra_.zero()};
        w.slots.insert(w.slots.end(), entries.begin(), entries.end());
        std::unordered_map<std::uint32_t, std::uint32_t> row_of_pivot;
        for (const auto& p : list.pivots) {
            row_of_pivot[p.slot] = p.row;
            if (p.slot == Elimination::k_zero) test_pivot(k, p.row, list, p.slot, w.slots);
        }
        for (const ScalarOp& op : list.factor) {
            const auto pivot = row_of_pivot.find(op.a);
            if (op.kind == ScalarOp::Kind::reciprocal && pivot != row_of_pivot.end()) {
                w.slots.push_back(test_pivot(k, pivot->second, list, op.a, w.slots));
            } else {
                w.slots.push_back(operation(op, w.slots));
            }
        }
        w.list = std::move(list);
        written_[k] = std::move(w);
    }

    // 1/d, or 0 where d is noise: |d| ≤ tolerance · the largest number it is the difference of.
    Value test_pivot(std::uint32_t k, std::uint32_t row, const Elimination& list,
                     std::uint32_t slot, const std::vector<Value>& slots) {
        const expr::Structure& s = *plan_.systems[k].structure;
        const bool inertial = s.classes.empty() || s.classes[row] != UnknownClass::multiplier;
        const auto peaks = peaks_of(list, slot);
        const Value d = slots[slot];
        Value scale = slots[peaks.front()];
        Value size = d;
        // A diagonal entry of the mass matrix that only decreases needs no absolute values; general matrices have negative
        // ones too.
        const bool mass = !s.classes.empty() && s.classes[row] == UnknownClass::inertial;
        const bool plain = mass && peaks.size() == 1 && peaks[0] >= Elimination::k_first_entry &&
                           peaks[0] < list.first_factor_slot();
        if (!plain) {
            size = out_.emit(Code::abs, d);
            scale = out_.emit(Code::abs, scale);
            for (std::size_t i = 1; i < peaks.size(); ++i) {
                scale = out_.emit(Code::max, scale, out_.emit(Code::abs, slots[peaks[i]]));
            }
        }
        const Value noise = out_.emit(Code::mul, out_.constant(rank_tolerance(s.n)), scale);
        const Value regular = out_.emit(Code::less, noise, size);
        program_.pivots.push_back({k, row, inertial});
        Value& status = inertial ? singular_ : redundant_;
        status = out_.emit(Code::select, regular, status,
                           out_.constant(static_cast<double>(program_.pivots.size())));
        return out_.emit(Code::select, regular, out_.emit(Code::div, algebra_.one(), d),
                         algebra_.zero());
    }

    // The pivot is a sum c ± a b ± …: its first term and the partial sums where the sign of the terms turns.
    static std::vector<std::uint32_t> peaks_of(const Elimination& list, std::uint32_t slot) {
        std::vector<std::uint32_t> peaks;
        const std::uint32_t first = list.first_factor_slot();
        std::optional<ScalarOp::Kind> later;
        while (slot >= first) {
            const ScalarOp& op = list.factor[slot - first];
            const bool sum = op.kind == ScalarOp::Kind::add || op.kind == ScalarOp::Kind::subtract;
            const bool accumulates = op.kind == ScalarOp::Kind::multiply_add ||
                                     op.kind == ScalarOp::Kind::negative_multiply_add;
            if (later && *later != op.kind) peaks.push_back(slot);
            if (sum) {
                peaks.insert(peaks.end(), {op.a, op.b});
                return peaks;
            }
            if (!accumulates) break;
            later = op.kind;
            slot = op.c;
        }
        peaks.push_back(slot);
        return peaks;
    }

    Value operation(const ScalarOp& op, const std::vector<Value>& slots) {
        const auto at = [&](std::uint32_t slot) { return slots[slot]; };
        switch (op.kind) {
        case ScalarOp::Kind::add: return algebra_.add(at(op.a), at(op.b));
        case ScalarOp::Kind::subtract: return algebra_.sub(at(op.a), at(op.b));
        case ScalarOp::Kind::multiply: return algebra_.mul(at(op.a), at(op.b));
        case ScalarOp::Kind::multiply_add: return algebra_.fma(at(op.a), at(op.b), at(op.c));
        case ScalarOp::Kind::negative_multiply_add:
            return algebra_.fma(algebra_.negate(at(op.a)), at(op.b), at(op.c));
        case ScalarOp::Kind::reciprocal: return out_.emit(Code::div, algebra_.one(), at(op.a));
        case ScalarOp::Kind::negate: return algebra_.negate(at(op.a));
        }
        return algebra_.zero();
    }

    const Plan& plan_;
    Emitter out_;
    Algebra algebra_;
    Program program_;
    std::vector<Value> values_;
    Value singular_ = 0;
    Value redundant_ = 0;
    std::unordered_map<std::uint32_t, Written> written_; // by system
    std::unordered_map<Value, std::vector<Value>> solutions_; // by solve instruction
};

} // namespace

Program write_out(const Plan& plan) { return ProgramWriter(plan).run(); }

} // namespace liaison::compile
