// SPDX-License-Identifier: Apache-2.0
// Writes instructions into a plan: equal computations are made once, stages follow from operands.
#pragma once

#include "liaison/compile/plan.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace liaison::compile {

using Value = std::uint32_t;  // index of the instruction that makes it

class Emitter {
  public:
    Value emit(Code code, Value a = 0, Value b = 0, Value c = 0, double value = 0.0);
    Value constant(double value) { return emit(Code::constant, 0, 0, 0, value); }
    Value input(std::uint32_t index, Stage stage);
    Value factor(System system);
    Value solve(Solution solution);
    Value table(std::shared_ptr<const expr::Table> data, Value argument);

    [[nodiscard]] Stage stage(Value v) const { return plan_.instructions[v].stage; }
    [[nodiscard]] const Instruction& at(Value v) const { return plan_.instructions[v]; }
    [[nodiscard]] bool is_constant(Value v) const { return at(v).code == Code::constant; }

    // The plan that computes these outputs: only what they need, ordered by stage.
    Plan finish(std::vector<Value> outputs, std::size_t n_inputs);

  private:
    struct Hash {
        std::size_t operator()(const Instruction& i) const;
    };
    [[nodiscard]] Stage stage_of(const Instruction& i) const;

    Plan plan_;
    std::unordered_map<Instruction, Value, Hash> known_;
};

// Calls visit(operand) for every value an instruction of the plan reads.
template <class Visit>
void for_each_operand(const Plan& plan, const Instruction& i, Visit&& visit) {
    switch (i.code) {
    case Code::factor:
        for (const Value v : plan.systems[i.a].entries) visit(v);
        return;
    case Code::solve:
        visit(plan.solutions[i.a].factor);
        for (const Value v : plan.solutions[i.a].rhs) visit(v);
        return;
    default: {
        const int n = operand_count(i.code);
        if (n > 0) visit(i.a);
        if (n > 1) visit(i.b);
        if (n > 2) visit(i.c);
    }
    }
}

} // namespace liaison::compile
