// SPDX-License-Identifier: Apache-2.0
// Cutting a program at stages and at length, and giving rows to what crosses a cut.
#include "liaison/compile/layout.hpp"

#include "liaison/compile/emitter.hpp"

#include <algorithm>

namespace liaison::compile {
namespace {

bool entry(Stage stage, bool every_stage) {
    switch (stage) {
    case Stage::constant:
    case Stage::mode:
    case Stage::time: return true;
    default: return every_stage;
    }
}

void cut(const Plan& plan, const LayoutOptions& options, Layout& layout) {
    std::uint32_t begin = 0;
    for (std::size_t s = 0; s < k_stage_count; ++s) {
        const bool fresh = entry(static_cast<Stage>(s), options.every_stage);
        if (fresh) {
            begin = plan.stage_begin[s];
            layout.first[s] = static_cast<std::uint32_t>(layout.segments.size());
        } else {
            layout.first[s] = layout.first[s - 1];
        }
        std::size_t next = s + 1;
        while (next < k_stage_count && !entry(static_cast<Stage>(next), options.every_stage))
            ++next;
        if (!fresh) continue;
        const std::uint32_t end = plan.stage_begin[next];
        std::uint64_t total = 0;
        for (std::uint32_t i = begin; i < end; ++i) total += weight(plan.instructions[i].code);
        // equal parts rather than a short last one
        const std::uint64_t parts =
            std::max<std::uint64_t>(1, (total + options.longest - 1) / options.longest);
        std::uint64_t sum = 0;
        std::uint64_t part = 1;
        for (std::uint32_t i = begin; i < end; ++i) {
            sum += weight(plan.instructions[i].code);
            const bool pair =
                i + 1 < end && plan.instructions[i + 1].a == plan.instructions[i].a &&
                (plan.instructions[i].code == Code::sin || plan.instructions[i].code == Code::cos);
            if (sum * parts >= total * part && !pair && part < parts) {
                layout.segments.push_back({begin, i + 1});
                begin = i + 1;
                ++part;
            }
        }
        if (begin < end) layout.segments.push_back({begin, end});
    }
    // a plan whose last stages are empty still needs a last segment that writes the outputs
    if (layout.segments.empty() || layout.last_entry() == layout.segments.size()) {
        const auto end = static_cast<std::uint32_t>(plan.instructions.size());
        layout.segments.push_back({end, end});
    }
}

bool free_to_repeat(Code code) { return code == Code::constant || code == Code::input; }

} // namespace

std::uint32_t weight(Code code) {
    switch (code) {
    case Code::constant:
    case Code::input:
    case Code::component: return 0;
    case Code::div:
    case Code::sqrt: return 4;
    case Code::sin:
    case Code::cos: return 25;
    case Code::exp:
    case Code::log: return 30;
    case Code::tan:
    case Code::asin:
    case Code::acos:
    case Code::atan:
    case Code::atan2:
    case Code::sinh:
    case Code::cosh:
    case Code::tanh:
    case Code::pow:
    case Code::table: return 50;
    case Code::factor:
    case Code::solve: return 500;
    default: return 1;
    }
}

std::uint64_t weight(const Plan& plan) {
    std::uint64_t sum = 0;
    for (const Instruction& i : plan.instructions) sum += weight(i.code);
    return sum;
}

Layout lay_out(const Program& program, const LayoutOptions& options) {
    const Plan& plan = program.plan;
    Layout layout;
    cut(plan, options, layout);
    const auto n = plan.instructions.size();
    layout.segment_of.assign(n, 0);
    for (std::uint32_t k = 0; k < layout.segments.size(); ++k) {
        for (std::uint32_t i = layout.segments[k].begin; i < layout.segments[k].end; ++i)
            layout.segment_of[i] = k;
    }
    const auto row = [&](std::size_t rows = 1) {
        const std::uint32_t at = layout.n_slots;
        layout.n_slots += static_cast<std::uint32_t>(rows);
        return at;
    };

    layout.status = row(2);
    layout.guard.fill(Layout::k_none);
    for (const Instruction& i : plan.instructions) {
        std::uint32_t& guard = layout.guard[static_cast<std::size_t>(i.stage)];
        if ((i.code == Code::sin || i.code == Code::cos) && guard == Layout::k_none) guard = row();
    }
    // values read in another segment than their own
    layout.slot.assign(n, Layout::k_none);
    const auto keep = [&](Value v) {
        if (!free_to_repeat(plan.instructions[v].code) &&
            plan.instructions[v].code != Code::component && layout.slot[v] == Layout::k_none) {
            layout.slot[v] = row();
        }
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        for_each_operand(plan, plan.instructions[i], [&](Value v) {
            if (layout.segment_of[v] != layout.segment_of[i]) keep(v);
        });
        if (plan.instructions[i].code == Code::factor) keep(i);
    }
    for (const Value v : plan.outputs) {
        if (layout.segment_of[v] < layout.last_entry()) keep(v);
    }
    for (const System& s : plan.systems) {
        layout.factors.push_back({row(s.entries.size()), 0});
        layout.memory.push_back(layout.memory_size);
        layout.memory_size += s.kernel->memory_size();
    }
    for (const Solution& s : plan.solutions)
        layout.solutions.push_back({row(s.rhs.size()), row(s.rhs.size())});
    return layout;
}

} // namespace liaison::compile
