// SPDX-License-Identifier: Apache-2.0
// Symbolic elimination: the numbers are slots, and products with ±1 cost nothing.
#include "liaison/expr/elimination.hpp"

#include <cmath>
#include <map>

namespace liaison::expr {
namespace {

// A signed slot. The constants 0 and 1 are slots as well, recognised by their index.
struct Value {
    std::uint32_t slot = Elimination::k_zero;
    bool negative = false;

    [[nodiscard]] bool zero() const { return slot == Elimination::k_zero; }
    [[nodiscard]] bool unit() const { return slot == Elimination::k_one; }
    Value operator-() const { return {slot, !negative}; }
};

// Writes operations into a list and keeps signs out of it.
class ScalarWriter {
  public:
    ScalarWriter(std::vector<ScalarOp>& ops, std::uint32_t first_slot)
        : ops_(ops), first_(first_slot) {}

    Value add(Value x, Value y) {
        if (x.zero()) return y;
        if (y.zero()) return x;
        if (x.slot == y.slot && x.negative != y.negative) return {};
        if (x.negative == y.negative)
            return {emit({ScalarOp::Kind::add, x.slot, y.slot, 0}), x.negative};
        return x.negative ? Value{emit({ScalarOp::Kind::subtract, y.slot, x.slot, 0}), false}
                          : Value{emit({ScalarOp::Kind::subtract, x.slot, y.slot, 0}), false};
    }
    Value multiply(Value x, Value y) {
        const bool negative = x.negative != y.negative;
        if (x.zero() || y.zero()) return {};
        if (x.unit()) return {y.slot, negative};
        if (y.unit()) return {x.slot, negative};
        return {emit({ScalarOp::Kind::multiply, x.slot, y.slot, 0}), negative};
    }
    // c + x y
    Value multiply_add(Value x, Value y, Value c) {
        if (c.zero() || x.zero() || y.zero() || x.unit() || y.unit()) return add(c, multiply(x, y));
        const bool same = (x.negative != y.negative) == c.negative;
        const auto kind =
            same ? ScalarOp::Kind::multiply_add : ScalarOp::Kind::negative_multiply_add;
        return {emit({kind, x.slot, y.slot, c.slot}), c.negative};
    }
    Value reciprocal(Value x) {
        if (x.unit()) return x;
        return {emit({ScalarOp::Kind::reciprocal, x.slot, 0, 0}), x.negative};
    }
    std::uint32_t plain(Value x) {
        return x.negative && !x.zero() ? emit({ScalarOp::Kind::negate, x.slot, 0, 0}) : x.slot;
    }
    [[nodiscard]] std::size_t size() const { return ops_.size(); }

  private:
    std::uint32_t emit(const ScalarOp& op) {
        ops_.push_back(op);
        return first_ + static_cast<std::uint32_t>(ops_.size() - 1);
    }
    std::vector<ScalarOp>& ops_;
    std::uint32_t first_;
};

Value known_or(std::span<const std::optional<double>> known, std::size_t i, std::uint32_t slot) {
    if (i < known.size() && known[i]) {
        if (*known[i] == 0.0) return {};
        if (std::abs(*known[i]) == 1.0) return {Elimination::k_one, *known[i] < 0};
    }
    return {slot, false};
}

using SparseRow = std::map<std::uint32_t, Value>;

Value at(const SparseRow& row, std::uint32_t col) {
    const auto it = row.find(col);
    return it == row.end() ? Value{} : it->second;
}

// What one step of the elimination leaves behind for the right-hand sides.
struct Step {
    std::uint32_t row = 0;
    std::uint32_t partner = 0;  // n: a 1×1 pivot
    Value inverse;              // 1×1: 1/d
    Value inertia;              // 2×2: H
    // 1×1: below = K_ip/d, right = K_pj (K_pj/d when symmetric).
    // 2×2: below = K_iw, below_y = K_iy, right = K_wj, right_y = K_yj.
    SparseRow below, below_y, right, right_y;
};

class Eliminator {
  public:
    Eliminator(const Structure& s, const EliminationOptions& options)
        : s_(s), options_(options), rows_(s.n), cols_(s.n) {
        result_.n = s.n;
        result_.n_entries = static_cast<std::uint32_t>(s.entries.size());
        for (std::uint32_t k = 0; k < result_.n_entries; ++k) {
            const auto [row, col] = s.entries[k];
            const Value v = known_or(options.known_entries, k, Elimination::k_first_entry + k);
            if (v.zero()) continue;
            set(row, col, v);
            if (s.symmetric) set(col, row, v);
        }
    }

    std::optional<Elimination> run() {
        const std::size_t before = filled_;
        ScalarWriter factor(result_.factor, result_.first_factor_slot());
        std::vector<char> done(s_.n, 0);
        for (std::uint32_t k = 0; k < s_.n; ++k) {
            const std::uint32_t row = s_.order.empty() ? k : s_.order[k];
            if (done[row] != 0) continue;
            const std::uint32_t partner = pair_of(row);
            done[row] = 1;
            if (partner < s_.n) {
                done[partner] = 1;
                eliminate_pair(factor, row, partner);
            } else {
                eliminate_single(factor, row);
            }
            if (factor.size() > options_.limit || updates_ > options_.limit) return std::nullopt;
        }
        result_.fill = filled_ - before;
        substitute();
        if (result_.solve.size() > options_.limit) return std::nullopt;
        drop_unused();
        return std::move(result_);
    }

  private:
    void set(std::uint32_t row, std::uint32_t col, Value v) {
        ++updates_;
        const bool fresh = rows_[row].insert_or_assign(col, v).second;
        if (!s_.symmetric) cols_[col].insert_or_assign(row, v);
        if (fresh && (!s_.symmetric || row >= col)) ++filled_;
    }
    // Entries of column `col`: the row itself when symmetric.
    SparseRow& column(std::uint32_t col) { return s_.symmetric ? rows_[col] : cols_[col]; }

    [[nodiscard]] std::uint32_t pair_of(std::uint32_t row) const {
        if (s_.classes.empty() || s_.partner.empty()) return s_.n;
        return s_.classes[row] == UnknownClass::auxiliary ? s_.partner[row] : s_.n;
    }

    // Detaches row and column `i` from the rest of the matrix.
    std::pair<SparseRow, SparseRow> detach(std::uint32_t i) {
        SparseRow right = std::move(rows_[i]);
        SparseRow below = s_.symmetric ? right : std::move(cols_[i]);
        right.erase(i);
        below.erase(i);
        for (const auto& [j, v] : right) column(j).erase(i);
        if (!s_.symmetric) {
            for (const auto& [j, v] : below) rows_[j].erase(i);
        }
        return {std::move(right), std::move(below)};
    }

    // K_ij ← K_ij − K_ip K_pj / d
    void eliminate_single(ScalarWriter& w, std::uint32_t p) {
        Step step;
        step.row = p;
        step.partner = s_.n;
        const Value d = at(rows_[p], p);
        step.inverse = w.reciprocal(d);
        result_.pivots.push_back({p, d.slot});
        auto [right, below] = detach(p);
        for (auto& [i, v] : below) {
            const Value l = w.multiply(v, step.inverse);
            step.below[i] = l;
            for (const auto& [j, u] : right) {
                if (s_.symmetric && j > i) break;
                const Value updated = w.multiply_add(-l, u, at(rows_[i], j));
                set(i, j, updated);
                if (s_.symmetric) set(j, i, updated);
            }
        }
        step.right = s_.symmetric ? step.below : std::move(right);
        steps_.push_back(std::move(step));
    }

    // K_ij ← K_ij + K_iw K_yj + K_iy (K_wj + H K_yj)
    void eliminate_pair(ScalarWriter& writer, std::uint32_t w, std::uint32_t y) {
        Step step;
        step.row = w;
        step.partner = y;
        step.inertia = at(rows_[w], w);
        auto [right, below] = detach(w);
        auto [right_y, below_y] = detach(y);
        right.erase(y);
        below.erase(y);
        SparseRow e = right;  // K_wj + H K_yj
        for (const auto& [j, c] : right_y) e[j] = writer.multiply_add(step.inertia, c, at(e, j));
        SparseRow touched_rows = below;
        touched_rows.insert(below_y.begin(), below_y.end());
        SparseRow touched_cols = right;
        touched_cols.insert(right_y.begin(), right_y.end());
        for (const auto& [i, unused_row] : touched_rows) {
            for (const auto& [j, unused_col] : touched_cols) {
                if (s_.symmetric && j > i) break;
                const Value old = at(rows_[i], j);
                Value updated = writer.multiply_add(at(below, i), at(right_y, j), old);
                updated = writer.multiply_add(at(below_y, i), at(e, j), updated);
                if (updated.zero() && old.zero()) continue;
                set(i, j, updated);
                if (s_.symmetric) set(j, i, updated);
            }
        }
        step.below = std::move(below);
        step.below_y = std::move(below_y);
        step.right = std::move(right);
        step.right_y = std::move(right_y);
        steps_.push_back(std::move(step));
    }

    void substitute() {
        ScalarWriter w(result_.solve, result_.first_solve_slot());
        std::vector<Value> b(s_.n);
        for (std::uint32_t i = 0; i < s_.n; ++i)
            b[i] = known_or(options_.known_rhs, i, result_.first_rhs_slot() + i);
        for (const Step& step : steps_) forward(w, step, b);
        std::vector<Value> x(s_.n);
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) backward(w, *step, b, x);
        result_.solution.assign(s_.n, Elimination::k_zero);
        for (std::uint32_t i = 0; i < s_.n; ++i) {
            if (options_.wanted.empty() || options_.wanted[i]) result_.solution[i] = w.plain(x[i]);
        }
    }

    void forward(ScalarWriter& w, const Step& step, std::vector<Value>& b) const {
        if (step.partner == s_.n) {
            for (const auto& [i, l] : step.below) b[i] = w.multiply_add(-l, b[step.row], b[i]);
            return;
        }
        // b_i ← b_i + K_iw b_y + K_iy (b_w + H b_y)
        const Value b_y = b[step.partner];
        const Value both = w.multiply_add(step.inertia, b_y, b[step.row]);
        for (const auto& [i, a] : step.below) b[i] = w.multiply_add(a, b_y, b[i]);
        for (const auto& [i, c] : step.below_y) b[i] = w.multiply_add(c, both, b[i]);
    }

    void backward(ScalarWriter& w, const Step& step, const std::vector<Value>& b,
                  std::vector<Value>& x) const {
        if (step.partner == s_.n) {
            // symmetric: x_p = b_p/d − Σ l_j x_j; else x_p = (b_p − Σ K_pj x_j)/d
            Value sum = s_.symmetric ? w.multiply(b[step.row], step.inverse) : b[step.row];
            for (const auto& [j, l] : step.right) sum = w.multiply_add(-l, x[j], sum);
            x[step.row] = s_.symmetric ? sum : w.multiply(sum, step.inverse);
            return;
        }
        // x_w = Σ K_yj x_j − b_y, x_y = H x_w + Σ K_wj x_j − b_w
        Value sum = -b[step.partner];
        for (const auto& [j, c] : step.right_y) sum = w.multiply_add(c, x[j], sum);
        x[step.row] = sum;
        Value reaction = w.multiply_add(step.inertia, sum, -b[step.row]);
        for (const auto& [j, a] : step.right) reaction = w.multiply_add(a, x[j], reaction);
        x[step.partner] = reaction;
    }

    // Operations of `solve` that no wanted component uses.
    void drop_unused() {
        const std::uint32_t first = result_.first_solve_slot();
        std::vector<char> used(result_.solve.size(), 0);
        const auto mark = [&](std::uint32_t slot) {
            if (slot >= first) used[slot - first] = 1;
        };
        for (const std::uint32_t slot : result_.solution) mark(slot);
        for (std::size_t k = result_.solve.size(); k-- > 0;) {
            if (used[k] == 0) continue;
            for (const std::uint32_t slot :
                 {result_.solve[k].a, result_.solve[k].b, result_.solve[k].c})
                mark(slot);
        }
        std::vector<std::uint32_t> renamed(result_.solve.size());
        std::vector<ScalarOp> kept;
        const auto rename = [&](std::uint32_t& slot) {
            if (slot >= first) slot = renamed[slot - first];
        };
        for (std::size_t k = 0; k < result_.solve.size(); ++k) {
            if (used[k] == 0) continue;
            ScalarOp op = result_.solve[k];
            rename(op.a);
            rename(op.b);
            rename(op.c);
            renamed[k] = first + static_cast<std::uint32_t>(kept.size());
            kept.push_back(op);
        }
        for (std::uint32_t& slot : result_.solution) rename(slot);
        result_.solve = std::move(kept);
    }

    const Structure& s_;
    const EliminationOptions& options_;
    std::vector<SparseRow> rows_;
    std::vector<SparseRow> cols_;  // unsymmetric systems only
    std::size_t filled_ = 0;
    std::size_t updates_ = 0;
    std::vector<Step> steps_;
    Elimination result_;
};

OperationCount count(const std::vector<ScalarOp>& ops) {
    OperationCount total;
    for (const ScalarOp& op : ops) {
        switch (op.kind) {
        case ScalarOp::Kind::add:
        case ScalarOp::Kind::subtract:
        case ScalarOp::Kind::negate: ++total.additions; break;
        case ScalarOp::Kind::multiply:
        case ScalarOp::Kind::multiply_add:
        case ScalarOp::Kind::negative_multiply_add: ++total.multiplications; break;
        case ScalarOp::Kind::reciprocal: ++total.divisions; break;
        }
    }
    return total;
}

void run(std::span<const ScalarOp> ops, std::size_t next, std::span<double> slots) {
    for (const ScalarOp& op : ops) {
        double& result = slots[next++];
        switch (op.kind) {
        case ScalarOp::Kind::add: result = slots[op.a] + slots[op.b]; break;
        case ScalarOp::Kind::subtract: result = slots[op.a] - slots[op.b]; break;
        case ScalarOp::Kind::multiply: result = slots[op.a] * slots[op.b]; break;
        case ScalarOp::Kind::multiply_add:
            result = std::fma(slots[op.a], slots[op.b], slots[op.c]);
            break;
        case ScalarOp::Kind::negative_multiply_add:
            result = std::fma(-slots[op.a], slots[op.b], slots[op.c]);
            break;
        case ScalarOp::Kind::reciprocal: result = 1.0 / slots[op.a]; break;
        case ScalarOp::Kind::negate: result = -slots[op.a]; break;
        }
    }
}

} // namespace

OperationCount& OperationCount::operator+=(const OperationCount& other) {
    additions += other.additions;
    multiplications += other.multiplications;
    divisions += other.divisions;
    return *this;
}

OperationCount Elimination::factor_count() const { return count(factor); }
OperationCount Elimination::solve_count() const { return count(solve); }

std::optional<Elimination> eliminate(const Structure& structure,
                                     const EliminationOptions& options) {
    return Eliminator(structure, options).run();
}

void run_factor(const Elimination& e, std::span<const double> entries, std::span<double> slots) {
    slots[Elimination::k_one] = 1.0;
    slots[Elimination::k_zero] = 0.0;
    for (std::size_t k = 0; k < entries.size(); ++k)
        slots[Elimination::k_first_entry + k] = entries[k];
    run(e.factor, e.first_factor_slot(), slots);
}

void run_solve(const Elimination& e, std::span<const double> rhs, std::span<double> slots,
               std::span<double> x) {
    for (std::size_t i = 0; i < rhs.size(); ++i) slots[e.first_rhs_slot() + i] = rhs[i];
    run(e.solve, e.first_solve_slot(), slots);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = slots[e.solution[i]];
}

} // namespace liaison::expr
