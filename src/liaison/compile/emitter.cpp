// SPDX-License-Identifier: Apache-2.0
// Value numbering while instructions are written, and their final order.
#include "liaison/compile/emitter.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace liaison::compile {
namespace {

// min and max do not: which operand a NaN hides is part of their meaning.
bool commutes(Code code) { return code == Code::add || code == Code::mul || code == Code::fma; }

// Which instructions the outputs need.
std::vector<char> live_values(const Plan& plan, const std::vector<Value>& outputs) {
    std::vector<char> live(plan.instructions.size(), 0);
    for (const Value v : outputs) live[v] = 1;
    for (std::size_t i = plan.instructions.size(); i-- > 0;) {
        if (live[i] == 0) continue;
        for_each_operand(plan, plan.instructions[i], [&](Value v) { live[v] = 1; });
    }
    return live;
}

// Stage by stage in order of creation, the cosine of an angle beside its sine so that both are made at once.
std::vector<Value> order_by_stage(const Plan& plan, const std::vector<char>& live) {
    std::vector<Value> order;
    for (Value i = 0; i < plan.instructions.size(); ++i) {
        if (live[i] != 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](Value a, Value b) {
        return plan.instructions[a].stage < plan.instructions[b].stage;
    });
    std::unordered_map<Value, Value> partner; // argument → second of a sin/cos pair
    std::unordered_map<Value, Value> first;
    for (const Value i : order) {
        const Instruction& x = plan.instructions[i];
        if (x.code != Code::sin && x.code != Code::cos) continue;
        if (!first.try_emplace(x.a, i).second) partner[x.a] = i;
    }
    std::vector<Value> paired;
    paired.reserve(order.size());
    for (const Value i : order) {
        const Instruction& x = plan.instructions[i];
        const bool trig = x.code == Code::sin || x.code == Code::cos;
        const auto other = trig ? partner.find(x.a) : partner.end();
        if (other == partner.end())
            paired.push_back(i);
        else if (other->second != i)
            paired.insert(paired.end(), {i, other->second});
    }
    return paired;
}

} // namespace

std::size_t Emitter::Hash::operator()(const Instruction& i) const {
    std::uint64_t h = static_cast<std::uint64_t>(i.code) * 0x9e3779b97f4a7c15ULL;
    for (const std::uint64_t part : {std::uint64_t{i.a}, std::uint64_t{i.b}, std::uint64_t{i.c},
                                     std::bit_cast<std::uint64_t>(i.value)}) {
        h = (h ^ part) * 0xff51afd7ed558ccdULL;
        h ^= h >> 32;
    }
    return h;
}

Value Emitter::emit(Code code, Value a, Value b, Value c, double value) {
    Instruction i{code, Stage::constant, a, b, c, value};
    if (commutes(code) && b < a) std::swap(i.a, i.b);
    const auto [it, inserted] =
        known_.try_emplace(i, static_cast<Value>(plan_.instructions.size()));
    if (inserted) {
        i.stage = stage_of(i);
        plan_.instructions.push_back(i);
    }
    return it->second;
}

Value Emitter::input(std::uint32_t index, Stage stage) {
    const Value v = emit(Code::input, index);
    plan_.instructions[v].stage = stage;
    return v;
}

Value Emitter::factor(System system) {
    plan_.systems.push_back(std::move(system));
    return emit(Code::factor, static_cast<std::uint32_t>(plan_.systems.size() - 1));
}

Value Emitter::solve(Solution solution) {
    plan_.solutions.push_back(std::move(solution));
    return emit(Code::solve, static_cast<std::uint32_t>(plan_.solutions.size() - 1));
}

Value Emitter::table(std::shared_ptr<const expr::Table> data, Value argument) {
    const auto same = std::find(plan_.tables.begin(), plan_.tables.end(), data);
    const auto k = static_cast<std::uint32_t>(same - plan_.tables.begin());
    if (same == plan_.tables.end()) plan_.tables.push_back(std::move(data));
    return emit(Code::table, argument, k);
}

Stage Emitter::stage_of(const Instruction& i) const {
    Stage latest = Stage::constant;
    for_each_operand(plan_, i,
                     [&](Value v) { latest = std::max(latest, plan_.instructions[v].stage); });
    return latest;
}

Plan Emitter::finish(std::vector<Value> outputs, std::size_t n_inputs) {
    const auto order = order_by_stage(plan_, live_values(plan_, outputs));
    std::vector<Value> place(plan_.instructions.size(), 0);
    for (Value i = 0; i < order.size(); ++i) place[order[i]] = i;

    Plan result;
    result.n_inputs = n_inputs;
    result.tables = std::move(plan_.tables);
    result.instructions.reserve(order.size());
    for (const Value old : order) {
        Instruction i = plan_.instructions[old];
        const int operands = operand_count(i.code);
        if (operands > 0) i.a = place[i.a];
        if (operands > 1) i.b = place[i.b];
        if (operands > 2) i.c = place[i.c];
        if (i.code == Code::factor) {
            System& s = plan_.systems[i.a];
            for (Value& v : s.entries) v = place[v];
            i.a = static_cast<std::uint32_t>(result.systems.size());
            result.systems.push_back(std::move(s));
        }
        if (i.code == Code::solve) {
            Solution& s = plan_.solutions[i.a];
            s.factor = place[s.factor];
            for (Value& v : s.rhs) v = place[v];
            i.a = static_cast<std::uint32_t>(result.solutions.size());
            result.solutions.push_back(std::move(s));
        }
        result.instructions.push_back(i);
    }
    for (const Value v : outputs) result.outputs.push_back(place[v]);

    result.stage_begin.assign(k_stage_count + 1, static_cast<Value>(result.instructions.size()));
    for (Value i = static_cast<Value>(result.instructions.size()); i-- > 0;) {
        for (std::size_t s = 0; s <= static_cast<std::size_t>(result.instructions[i].stage); ++s) {
            result.stage_begin[s] = i;
        }
    }
    plan_ = {};
    known_.clear();
    return result;
}

} // namespace liaison::compile
