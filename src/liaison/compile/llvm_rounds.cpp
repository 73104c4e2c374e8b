// SPDX-License-Identifier: Apache-2.0
// Writes round k of the recurrences: loops over the long sums, then a few instructions per rule.
#include "liaison/compile/llvm_rounds.hpp"

#include "liaison/compile/elf_image.hpp"
#include "liaison/compile/llvm_builder.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace liaison::compile {
namespace {

using Array = LlvmBuilder::Array;
using Handle = LlvmBuilder::Handle;
using Shape = InnerSum::Shape;

constexpr Handle k_zero = nullptr; // a coefficient that vanishes identically

class RoundWriter {
  public:
    RoundWriter(const TaylorPlan& plan, const RoundPlan& rounds, LlvmBuilder& to)
        : plan_(plan), rounds_(rounds), to_(to) {}

    void write(const RoundPlan::Part& part, bool first) {
        first_ = first;
        now_.clear();
        before_.clear();
        start_.clear();
        switch (part.kind) {
        case RoundPlan::Part::Kind::states: write_states(); break;
        case RoundPlan::Part::Kind::sums: write_sums(part.begin, part.end); break;
        case RoundPlan::Part::Kind::rules:
            prepare();
            for (std::uint32_t i = part.begin; i < part.end; ++i) write_rule(rounds_.sequence[i]);
            break;
        }
    }

  private:
    // What the round knows of its number.
    Handle number(RoundNumber which) {
        const auto copies = std::max(rounds_.lanes, rounds_.width);
        return to_.load_at(Array::inputs, static_cast<std::uint64_t>(which) * copies, to_.whole(0));
    }
    Handle whole(RoundWhole which, bool late) {
        const auto copies = std::max(rounds_.lanes, rounds_.width);
        const auto before = static_cast<std::uint64_t>(RoundNumber::count) * copies;
        const auto set = late ? static_cast<std::uint64_t>(RoundWhole::count) : 0;
        return to_.load_whole(Array::inputs, before + set + static_cast<std::uint64_t>(which));
    }
    void prepare() {
        inverse_ = number(RoundNumber::inverse);
        inverse_rest_ = number(RoundNumber::inverse_rest);
        k_ = number(RoundNumber::k);
        packed_now_ = to_.times(whole(RoundWhole::n, false), rounds_.width);
        packed_before_ = to_.times(whole(RoundWhole::n, true), rounds_.width);
    }

    // Coefficients 0, k − 1 and k.
    Handle start(std::uint32_t slot) {
        Handle& h = start_[slot];
        if (h == nullptr) h = to_.load(Array::workspace, slot);
        return h;
    }
    Handle before(std::uint32_t slot) {
        Handle& h = before_[slot];
        if (h == nullptr) h = to_.load(Array::outputs, slot - plan_.n_constants);
        return h;
    }
    Handle now(std::uint32_t slot) {
        Handle& h = now_[slot];
        if (h == nullptr) h = to_.load(Array::outputs, rounds_.n_series + slot - plan_.n_constants);
        return h;
    }
    [[nodiscard]] bool frozen(std::uint32_t slot) const { return plan_.degree[slot] == 0; }
    // Coefficient n, k − 1 for late rules.
    Handle at(std::uint32_t slot, bool late) {
        if (first_ && late) return start(slot);
        if (frozen(slot)) return k_zero;
        return late ? before(slot) : now(slot);
    }
    Handle previous(std::uint32_t slot) {
        if (first_) return start(slot);
        return frozen(slot) ? k_zero : before(slot);
    }

    Handle add(Handle a, Handle b) {
        if (a == k_zero) return b;
        return b == k_zero ? a : to_.add(a, b);
    }
    Handle sub(Handle a, Handle b) {
        if (b == k_zero) return a;
        return a == k_zero ? to_.neg(b) : to_.sub(a, b);
    }
    Handle mul(Handle a, Handle b) { return a == k_zero || b == k_zero ? k_zero : to_.mul(a, b); }
    Handle fma(Handle a, Handle b, Handle c) {
        if (a == k_zero || b == k_zero) return c;
        return c == k_zero ? to_.mul(a, b) : to_.fma(a, b, c);
    }
    Handle neg(Handle a) { return a == k_zero ? a : to_.neg(a); }
    Handle over_k(Handle u) {
        if (u == k_zero || first_) return u;
        return to_.fma(u, inverse_, to_.mul(u, inverse_rest_));
    }

    void write_states() {
        prepare();
        for (std::size_t i = 0; i < plan_.states.size(); ++i) {
            if (!first_ && plan_.degree[plan_.states[i]] < 2) continue;
            const Handle x = over_k(previous(plan_.rates[i]));
            give(plan_.states[i], false, x == k_zero ? to_.real(0.0) : x);
        }
    }

    void give(std::uint32_t slot, bool late, Handle value) {
        if (late) {
            to_.store(Array::outputs, slot - plan_.n_constants, value);
            before_[slot] = value;
            if (first_) start_[slot] = value;
        } else {
            to_.store(Array::outputs, rounds_.n_series + slot - plan_.n_constants, value);
            now_[slot] = value;
        }
        pack(slot, late, value);
    }
    // Coefficients 0 are not asked for by inner sums.
    void pack(std::uint32_t slot, bool late, Handle value) {
        if (first_ && late) return;
        for (const std::size_t place : rounds_.packed[slot])
            to_.store_at(Array::workspace, place, late ? packed_before_ : packed_now_, value);
    }

    void write_rule(std::uint32_t i) {
        const JetRule& r = plan_.rules[i];
        if (rounds_.by_hand[i] != RoundPlan::k_none) {
            interpret(i, r);
            return;
        }
        if (!first_ && frozen(r.dst)) return;
        const Handle value = make(i, r);
        give(r.dst, r.late, value == k_zero ? to_.real(0.0) : value);
    }

    void interpret(std::uint32_t i, const JetRule& r) {
        to_.call_kernel(0, 1 + rounds_.by_hand[i], 0, 0, 0);
        const std::uint32_t n =
            r.kind == Jet::solve ? static_cast<std::uint32_t>(plan_.solutions[r.a].rhs.size()) : 1;
        for (std::uint32_t slot = r.dst; slot < r.dst + n; ++slot) {
            (r.late ? before_ : now_).erase(slot);
            if (first_ && r.late) start_.erase(slot);
            if (!rounds_.packed[slot].empty() && !frozen(slot))
                pack(slot, r.late, at(slot, r.late));
        }
    }

    Handle make(std::uint32_t i, const JetRule& r) {
        const bool origin = first_ && r.late; // n = 0
        switch (r.kind) {
        case Jet::add: return add(at(r.a, r.late), at(r.b, r.late));
        case Jet::sub: return sub(at(r.a, r.late), at(r.b, r.late));
        case Jet::neg: return neg(at(r.a, r.late));
        case Jet::mul: return origin ? to_.mul(start(r.a), start(r.b)) : product(i, r, k_zero);
        case Jet::mul_add: return product(i, r, at(r.c, r.late));
        case Jet::residual: {
            const Handle c = at(r.c, r.late);
            if (frozen(r.b)) return sub(c, mul(at(r.a, r.late), start(r.b)));
            return sub(c, tail(i, r.a, r.b, r.late));
        }
        case Jet::square: return square(i, r);
        case Jet::square_add: return add(square(i, r), at(r.c, r.late));
        case Jet::div:
            if (origin) return to_.div(start(r.a), start(r.b));
            return mul(sub(at(r.a, r.late), tail(i, r.b, r.dst, r.late)), start(r.c));
        case Jet::sqrt: {
            const Handle half = chain(rounds_.sum_of[i], false);
            return mul(sub(at(r.a, r.late), add(half, half)), start(r.c));
        }
        case Jet::select: {
            const Handle yes = at(r.b, r.late);
            const Handle no = at(r.c, r.late);
            if (yes == k_zero && no == k_zero) return k_zero;
            const Handle zero = to_.real(0.0);
            const Handle mask = to_.compare(LlvmBuilder::Compare::not_equal, start(r.a), zero);
            return to_.select(mask, yes == k_zero ? zero : yes, no == k_zero ? zero : no);
        }
        case Jet::derivative: return frozen(r.a) ? k_zero : to_.mul(k_, now(r.a));
        case Jet::integral: return over_k(previous(r.c));
        case Jet::integral_minus: return neg(over_k(previous(r.c)));
        case Jet::growth: return mul(over_k(start(r.b)), previous(r.c));
        case Jet::growth_minus: return neg(mul(over_k(start(r.b)), previous(r.c)));
        case Jet::value:
        case Jet::factor:
        case Jet::solve: break;
        }
        return k_zero;
    }

    // A chain of a sum up to the terms of this round.
    Handle chain(std::uint32_t sum, bool high) {
        if (first_) return k_zero;
        return to_.load(Array::workspace, high ? rounds_.high(sum) : rounds_.low(sum));
    }
    Handle product(std::uint32_t i, const JetRule& r, Handle c) {
        if (frozen(r.a)) return fma(start(r.a), at(r.b, r.late), c);
        if (frozen(r.b)) return fma(at(r.a, r.late), start(r.b), c);
        const std::uint32_t sum = rounds_.sum_of[i];
        const Handle low = fma(start(r.a), at(r.b, r.late), chain(sum, false));
        const Handle high = fma(at(r.a, r.late), start(r.b), chain(sum, true));
        return add(add(low, high), c);
    }
    // Σ_{j≥1} a_j b_{n−j}
    Handle tail(std::uint32_t i, std::uint32_t a, std::uint32_t b, bool late) {
        if (frozen(a)) return k_zero;
        const std::uint32_t sum = rounds_.sum_of[i];
        return add(chain(sum, false), fma(at(a, late), start(b), chain(sum, true)));
    }
    Handle square(std::uint32_t i, const JetRule& r) {
        if (frozen(r.a)) return k_zero;
        const Handle half = fma(start(r.a), at(r.a, r.late), chain(rounds_.sum_of[i], false));
        return add(half, half);
    }

    // Several registers of sums share a loop, so that no chain waits for itself.
    void write_sums(std::uint32_t begin, std::uint32_t end) {
        constexpr std::uint32_t k_together = 4;
        const std::uint32_t width = rounds_.width;
        to_.set_lanes(std::max(width, rounds_.lanes));
        while (begin < end) {
            const InnerSum& kind = rounds_.sums[begin];
            std::uint32_t last = begin;
            while (last < end && (last - begin) / width < k_together &&
                   rounds_.sums[last].shape == kind.shape && rounds_.sums[last].late == kind.late)
                last += width;
            write_loops(begin, last, kind.shape, kind.late);
            begin = last;
        }
        to_.set_lanes(rounds_.lanes);
    }

    [[nodiscard]] std::uint64_t operand(std::uint32_t sum, unsigned which) const {
        if (rounds_.width > 1) return rounds_.pack(sum, which);
        const InnerSum& s = rounds_.sums[sum];
        return std::uint64_t{which == 0 ? s.a : s.b} * rounds_.lanes;
    }
    [[nodiscard]] std::uint64_t spacing() const {
        return rounds_.width > 1 ? rounds_.width : std::uint64_t{rounds_.n_series} * rounds_.lanes;
    }

    // `count` terms a_x b_y, x and y from their starts on, x by `step`, y against it.
    std::vector<Handle> run_chain(std::uint32_t begin, std::uint32_t end, bool square, Handle count,
                                  Handle x, Handle y, int step, std::vector<Handle> sums) {
        const std::uint64_t by = spacing();
        sums.push_back(to_.times(x, by));
        sums.push_back(to_.times(y, by));
        auto result = to_.repeat(count, std::move(sums), [&](std::span<const Handle> carried) {
            const Handle at_a = carried[carried.size() - 2];
            const Handle at_b = carried.back();
            std::vector<Handle> next;
            std::size_t n = 0;
            for (std::uint32_t i = begin; i < end; i += rounds_.width) {
                const Handle a = to_.load_at(Array::workspace, operand(i, 0), at_a);
                const Handle b = to_.load_at(Array::workspace, operand(i, square ? 0 : 1), at_b);
                next.push_back(to_.fma(a, b, carried[n++]));
            }
            const Handle one = to_.whole(by);
            next.push_back(step > 0 ? to_.bit_add(at_a, one) : to_.bit_sub(at_a, one));
            next.push_back(step > 0 ? to_.bit_sub(at_b, one) : to_.bit_add(at_b, one));
            return next;
        });
        result.resize(result.size() - 2);
        return result;
    }

    void write_loops(std::uint32_t begin, std::uint32_t end, Shape shape, bool late) {
        const Handle n = whole(RoundWhole::n, late);
        const auto keep = [&](const std::vector<Handle>& sums, bool high) {
            std::size_t s = 0;
            for (std::uint32_t i = begin; i < end; i += rounds_.width) {
                const std::size_t row = high ? rounds_.high(i) : rounds_.low(i);
                to_.store_at(Array::workspace, row * rounds_.lanes, to_.whole(0), sums[s++]);
            }
        };
        if (shape == Shape::square) {
            const Handle top = whole(RoundWhole::square, late);
            const Handle middle = to_.times(whole(RoundWhole::middle, late), spacing());
            const Handle half = number(late ? RoundNumber::half_before : RoundNumber::half);
            std::vector<Handle> sums;
            for (std::uint32_t i = begin; i < end; i += rounds_.width) {
                const Handle a = to_.load_at(Array::workspace, operand(i, 0), middle);
                sums.push_back(to_.mul(to_.mul(half, a), a));
            }
            keep(run_chain(begin, end, true, top, top, to_.bit_sub(n, top), -1, std::move(sums)),
                 false);
            return;
        }
        const bool tail = shape == Shape::tail;
        const Handle middle = whole(tail ? RoundWhole::tail_middle : RoundWhole::middle, late);
        const Handle above = whole(tail ? RoundWhole::tail_above : RoundWhole::above, late);
        const Handle other = to_.bit_sub(n, middle);
        const Handle one = to_.whole(1);
        const std::vector<Handle> nothing((end - begin) / rounds_.width, to_.real(0.0));
        keep(run_chain(begin, end, false, middle, middle, other, -1, nothing), false);
        keep(run_chain(begin, end, false, above, to_.bit_add(middle, one), to_.bit_sub(other, one),
                       1, nothing),
             true);
    }

    const TaylorPlan& plan_;
    const RoundPlan& rounds_;
    LlvmBuilder& to_;
    bool first_ = false;
    Handle inverse_ = nullptr;
    Handle inverse_rest_ = nullptr;
    Handle k_ = nullptr;
    Handle packed_now_ = nullptr; // how far coefficients k and k − 1 lie in packed operands
    Handle packed_before_ = nullptr;
    std::unordered_map<std::uint32_t, Handle> now_;
    std::unordered_map<std::uint32_t, Handle> before_;
    std::unordered_map<std::uint32_t, Handle> start_;
};

} // namespace

CodeImage generate_rounds(const TaylorPlan& plan, const RoundPlan& rounds, const Target& target) {
    LlvmBuilder to(target, rounds.lanes);
    RoundWriter writer(plan, rounds, to);
    std::vector<std::string> names;
    for (const bool first : {true, false}) {
        for (const RoundPlan::Part& part : (first ? rounds.first : rounds.later).parts) {
            names.push_back("part_" + std::to_string(names.size()));
            // coefficients k − 1 lie in the workspace as well
            to.begin_function(names.back(), false);
            writer.write(part, first);
            to.end_function();
        }
    }
    FlatCode flat = flatten(to.object(), names);
    CodeImage image;
    image.lanes = rounds.lanes;
    image.bytes = std::move(flat.bytes);
    image.functions = std::move(flat.functions);
    image.workspace_size = (rounds.size + 1) * rounds.lanes;
    return image;
}

} // namespace liaison::compile
