// SPDX-License-Identifier: Apache-2.0
// Hashes everything that generated code depends on.
#include "liaison/compile/code_key.hpp"

#include <bit>

// The build passes a digest of the files that decide what code is made.
#ifndef LIAISON_CODEGEN_ID
#error "LIAISON_CODEGEN_ID is missing: see CMakeLists.txt"
#endif

namespace liaison::compile {

Digest code_key(const Program& program, const Target& target, const CodegenOptions& options) {
    Hash128 hash;
    hash.add(std::string_view(LIAISON_CODEGEN_ID));
    hash.add(std::string_view(target.cpu));
    hash.add(options.lanes);
    hash.add(options.layout.every_stage);
    hash.add(options.layout.longest);

    const Plan& plan = program.plan;
    hash.add(program.n_outputs);
    hash.add(plan.instructions.size());
    for (const Instruction& i : plan.instructions) {
        hash.add((std::uint64_t{i.a} << 32) |
                 (std::uint64_t{static_cast<std::uint8_t>(i.code)} << 8) |
                 static_cast<std::uint8_t>(i.stage));
        hash.add((std::uint64_t{i.b} << 32) | i.c);
        if (i.code == Code::constant) hash.add(std::bit_cast<std::uint64_t>(i.value));
    }
    const auto add_list = [&](const std::vector<std::uint32_t>& values) {
        hash.add(std::as_bytes(std::span(values)));
    };
    add_list(plan.outputs);
    hash.add(plan.tables.size());
    hash.add(plan.systems.size());
    for (const System& s : plan.systems) {
        add_list(s.entries);
        hash.add(s.kernel->memory_size());
    }
    for (const Solution& s : plan.solutions) {
        hash.add(s.factor);
        add_list(s.rhs);
    }
    return hash.digest();
}

Digest code_key(const TaylorPlan& plan, const RoundPlan& rounds, const Target& target) {
    Hash128 hash;
    hash.add(std::string_view("rounds " LIAISON_CODEGEN_ID));
    hash.add(std::string_view(target.cpu));
    hash.add(rounds.order);
    hash.add(rounds.lanes);
    hash.add(rounds.width);
    hash.add(plan.n_constants);
    hash.add(plan.n_slots);
    hash.add(plan.rules.size());
    for (const JetRule& r : plan.rules) {
        hash.add((std::uint64_t{r.dst} << 32) | r.a);
        hash.add((std::uint64_t{r.b} << 32) | r.c);
        hash.add((std::uint64_t{static_cast<std::uint8_t>(r.kind)} << 8) |
                 (std::uint64_t{r.late} << 1) | std::uint64_t{r.for_outputs});
    }
    for (const auto* list : {&plan.degree, &plan.states, &plan.rates, &plan.outputs})
        hash.add(std::as_bytes(std::span(*list)));
    for (const Solution& s : plan.solutions) hash.add(s.rhs.size());
    return hash.digest();
}

} // namespace liaison::compile
