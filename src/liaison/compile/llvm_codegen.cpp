// SPDX-License-Identifier: Apache-2.0
// Writes each segment of a program as one function of straight-line code.
#include "liaison/compile/llvm_codegen.hpp"

#include "liaison/compile/elf_image.hpp"
#include "liaison/compile/link_table.hpp"
#include "liaison/compile/llvm_real.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace liaison::compile {
namespace {

using Array = LlvmBuilder::Array;
using Compare = LlvmBuilder::Compare;
using Handle = LlvmBuilder::Handle;

class Generator {
  public:
    Generator(const Program& program, const Layout& layout, LlvmBuilder& to)
        : program_(program), plan_(program.plan), layout_(layout), to_(to) {}

    void write_segment(std::uint32_t k) {
        segment_ = k;
        values_.clear();
        masks_.clear();
        angles_.clear();
        guard_.fill(nullptr);
        begin_ = layout_.segments[k].begin;
        end_ = layout_.segments[k].end;
        for (std::uint32_t i = begin_; i < end_; ++i) {
            const Instruction& x = plan_.instructions[i];
            if (x.code == Code::constant || x.code == Code::input || x.code == Code::component)
                continue;
            const Handle made = make(i, x);
            values_[i] = made;
            if (layout_.slot[i] != Layout::k_none && x.code != Code::factor) {
                to_.store(Array::workspace, layout_.slot[i], made);
            }
        }
        store_guards();
        store_outputs(k + 1 == layout_.segments.size());
    }

  private:
    Handle value(std::uint32_t v) {
        const auto found = values_.find(v);
        if (found != values_.end()) return found->second;
        const Instruction& x = plan_.instructions[v];
        Handle h = nullptr;
        switch (x.code) {
        case Code::constant: h = to_.real(x.value); break;
        case Code::input: h = to_.load(Array::inputs, x.a); break;
        case Code::component:
            h = to_.load(Array::workspace,
                         layout_.solutions[plan_.instructions[x.a].a].result + x.b);
            break;
        default: h = to_.load(Array::workspace, layout_.slot[v]); break;
        }
        values_[v] = h;
        return h;
    }
    LlvmReal number(std::uint32_t v) { return {&to_, value(v)}; }

    Handle mask(std::uint32_t v) {
        const auto found = masks_.find(v);
        if (found != masks_.end()) return found->second;
        return to_.compare(Compare::not_equal, value(v), to_.real(0.0));
    }
    // A truth value: its mask is remembered, the number 0 or 1 is there if somebody needs it.
    Handle truth(std::uint32_t i, Handle m) {
        masks_[i] = m;
        return to_.select(m, to_.real(1.0), to_.real(0.0));
    }

    Handle make(std::uint32_t i, const Instruction& x) {
        switch (x.code) {
        case Code::add: return to_.add(value(x.a), value(x.b));
        case Code::sub: return to_.sub(value(x.a), value(x.b));
        case Code::mul: return to_.mul(value(x.a), value(x.b));
        case Code::div: return to_.div(value(x.a), value(x.b));
        case Code::neg: return to_.neg(value(x.a));
        case Code::fma: return to_.fma(value(x.a), value(x.b), value(x.c));
        case Code::sqrt: return to_.sqrt(value(x.a));
        case Code::sin: return angle(x).sin;
        case Code::cos: return angle(x).cos;
        case Code::exp: return widened(x.a, [](LlvmReal a) { return kernel::exp(a); });
        case Code::log: return widened(x.a, [](LlvmReal a) { return kernel::log(a); });
        case Code::abs: return to_.abs(value(x.a));
        case Code::sign: {
            const LlvmReal a = number(x.a);
            return select(0.0 < a, 1.0, select(a < 0.0, to_constant(-1.0), to_constant(0.0)))
                .handle;
        }
        case Code::min:
            return to_.select(to_.compare(Compare::less, value(x.b), value(x.a)), value(x.b),
                              value(x.a));
        case Code::max:
            return to_.select(to_.compare(Compare::less, value(x.a), value(x.b)), value(x.b),
                              value(x.a));
        case Code::floor: return to_.floor(value(x.a));
        case Code::select: return to_.select(mask(x.a), value(x.b), value(x.c));
        case Code::less: return truth(i, to_.compare(Compare::less, value(x.a), value(x.b)));
        case Code::less_equal:
            return truth(i, to_.compare(Compare::less_equal, value(x.a), value(x.b)));
        case Code::logical_and: return truth(i, to_.mask_and(mask(x.a), mask(x.b)));
        case Code::logical_or: return truth(i, to_.mask_or(mask(x.a), mask(x.b)));
        case Code::logical_not: return truth(i, to_.mask_not(mask(x.a)));
        case Code::table:
            return to_.call_with_object(static_cast<std::uint32_t>(Link::table), link_of_table(x.b),
                                        value(x.a));
        case Code::factor: return factor(i, x.a);
        case Code::solve: return solve(x.a);
        case Code::atan2:
        case Code::pow: {
            const Handle args[] = {value(x.a), value(x.b)};
            return to_.call(static_cast<std::uint32_t>(link_of(x.code)), args);
        }
        default: {
            const Handle args[] = {value(x.a)};
            return to_.call(static_cast<std::uint32_t>(link_of(x.code)), args);
        }
        }
    }
    LlvmReal to_constant(double c) { return {&to_, to_.real(c)}; }

    // Scalar kernels run in the first lane of a vector: their integer parts then stay in the same registers.
    template <class Kernel>
    Handle widened(std::uint32_t v, Kernel kernel) {
        const Handle a = value(v);
        if (to_.lanes() > 1 || !to_.target().fma) return kernel(LlvmReal{&to_, a}).handle;
        to_.set_lanes(2);
        const Handle both[] = {a, a};
        const Handle y = kernel(LlvmReal{&to_, to_.pack(both)}).handle;
        const Handle result = to_.unpack(y, 0);
        to_.set_lanes(1);
        return result;
    }

    struct SineAndCosine {
        Handle sin = nullptr;
        Handle cos = nullptr;
    };

    // Sine and cosine come together; the one nobody uses is dropped by LLVM. Scalar code takes along the next
    // angles of the segment that are known already, as many as fill a vector.
    const SineAndCosine& angle(const Instruction& x) {
        const auto found = angles_.find(x.a);
        if (found != angles_.end()) return found->second;
        if (to_.lanes() > 1 || !to_.target().fma) {
            watch(x.stage, value(x.a));
            const auto both = kernel::sincos(number(x.a));
            return angles_[x.a] = {both.sin.handle, both.cos.handle};
        }
        std::vector<std::uint32_t> group{x.a};
        watch(x.stage, value(x.a));
        for (std::uint32_t i = next_trig(begin_); i < end_ && group.size() < to_.target().widest;
             i = next_trig(i + 1)) {
            const Instruction& y = plan_.instructions[i];
            if (angles_.contains(y.a) || !known(y.a)) continue;
            if (std::find(group.begin(), group.end(), y.a) != group.end()) continue;
            watch(y.stage, value(y.a));
            group.push_back(y.a);
        }
        // two angles side by side are ready sooner than packed
        if (group.size() < 3) group.resize(1);
        const std::uint32_t width = group.size() > 2 ? to_.target().widest : 2;
        std::vector<Handle> arguments;
        for (std::uint32_t k = 0; k < width; ++k)
            arguments.push_back(value(group[k < group.size() ? k : 0]));
        to_.set_lanes(width);
        const auto both = kernel::sincos(LlvmReal{&to_, to_.pack(arguments)});
        for (std::uint32_t k = 0; k < group.size(); ++k) {
            angles_[group[k]] = {to_.unpack(both.sin.handle, k), to_.unpack(both.cos.handle, k)};
        }
        to_.set_lanes(1);
        return angles_.at(x.a);
    }
    [[nodiscard]] std::uint32_t next_trig(std::uint32_t i) const {
        while (i < end_ && plan_.instructions[i].code != Code::sin &&
               plan_.instructions[i].code != Code::cos)
            ++i;
        return i;
    }
    // Whether a value can be had without computing anything first.
    [[nodiscard]] bool known(std::uint32_t v) const {
        const Code code = plan_.instructions[v].code;
        return values_.contains(v) || code == Code::input || code == Code::constant ||
               layout_.segment_of[v] != segment_;
    }
    void watch(Stage stage, Handle a) {
        Handle& guard = guard_[static_cast<std::size_t>(stage)];
        const Handle size = to_.abs(a);
        guard = guard == nullptr ? size
                                 : to_.select(to_.compare(Compare::less, guard, size), size, guard);
    }

    // The largest angle of each stage, over all segments of the stage: beyond the reach of the kernel the
    // caller has to repeat the evaluation with library functions.
    void store_guards() {
        for (std::size_t s = 0; s < k_stage_count; ++s) {
            const std::uint32_t row = layout_.guard[s];
            if (row == Layout::k_none) continue;
            const std::uint32_t stage_begin = plan_.stage_begin[s];
            const std::uint32_t stage_end = plan_.stage_begin[s + 1];
            if (stage_end <= begin_ || end_ <= stage_begin) continue;
            const bool starts_here = begin_ <= stage_begin;
            Handle guard = guard_[s];
            if (guard == nullptr && !starts_here) continue;
            if (guard == nullptr) guard = to_.real(0.0);
            if (!starts_here) {
                const Handle before = to_.load(Array::workspace, row);
                guard = to_.select(to_.compare(Compare::less, guard, before), before, guard);
            }
            to_.store(Array::workspace, row, guard);
        }
    }

    void store_outputs(bool last) {
        for (std::uint32_t k = 0; k < plan_.outputs.size(); ++k) {
            const std::uint32_t v = plan_.outputs[k];
            const Code code = plan_.instructions[v].code;
            const bool anywhere = code == Code::constant || code == Code::input ||
                                  layout_.segment_of[v] < layout_.last_entry();
            if (!(anywhere ? last : layout_.segment_of[v] == segment_)) continue;
            const auto n = static_cast<std::uint32_t>(program_.n_outputs);
            if (k < n)
                to_.store(Array::outputs, k, value(v));
            else
                to_.store(Array::workspace, layout_.status + (k - n), value(v));
        }
    }

    Handle factor(std::uint32_t i, std::uint32_t k) {
        const auto& entries = plan_.systems[k].entries;
        for (std::uint32_t e = 0; e < entries.size(); ++e) {
            to_.store(Array::workspace, layout_.factors[k].operands + e, value(entries[e]));
        }
        call(Link::factor, k, layout_.factors[k].operands, layout_.slot[i]);
        return to_.load(Array::workspace, layout_.slot[i]);
    }
    Handle solve(std::uint32_t k) {
        const Solution& s = plan_.solutions[k];
        for (std::uint32_t e = 0; e < s.rhs.size(); ++e) {
            to_.store(Array::workspace, layout_.solutions[k].operands + e, value(s.rhs[e]));
        }
        call(Link::solve, plan_.instructions[s.factor].a, layout_.solutions[k].operands,
             layout_.solutions[k].result);
        return to_.real(0.0);
    }
    void call(Link function, std::uint32_t system, std::uint64_t operands, std::uint64_t result) {
        const std::uint64_t memory = std::uint64_t{layout_.n_slots} + layout_.memory[system];
        to_.call_kernel(static_cast<std::uint32_t>(function), link_of_system(plan_, system),
                        operands * to_.lanes(), memory * to_.lanes(), result * to_.lanes());
    }

    const Program& program_;
    const Plan& plan_;
    const Layout& layout_;
    LlvmBuilder& to_;
    std::uint32_t segment_ = 0; // being written, with its instructions
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
    std::unordered_map<std::uint32_t, Handle> values_;
    std::unordered_map<std::uint32_t, Handle> masks_;
    std::unordered_map<std::uint32_t, SineAndCosine> angles_;
    std::array<Handle, k_stage_count> guard_{};
};

} // namespace

CodeImage generate_code(const Program& program, const Target& target,
                        const CodegenOptions& options) {
    const Layout layout = lay_out(program, options.layout);
    LlvmBuilder to(target, options.lanes);
    Generator generator(program, layout, to);
    std::vector<std::string> names;
    for (std::uint32_t k = 0; k < layout.segments.size(); ++k) {
        names.push_back("segment_" + std::to_string(k));
        to.begin_function(names.back());
        generator.write_segment(k);
        to.end_function();
    }
    FlatCode flat = flatten(to.object(), names);

    CodeImage image;
    image.lanes = options.lanes;
    image.bytes = std::move(flat.bytes);
    image.functions = std::move(flat.functions);
    image.first = layout.first;
    image.status = layout.status;
    for (const std::uint32_t row : layout.guard) {
        if (row != Layout::k_none) image.guards.push_back(row);
    }
    image.workspace_size = layout.workspace_size(options.lanes);
    return image;
}

} // namespace liaison::compile
