// SPDX-License-Identifier: Apache-2.0
// The plan: expressions lowered to a list of elementary instructions that every back end executes alike.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace liaison::compile {

using expr::Expr;

// How often a quantity changes. What depends on slow inputs only is computed in an early stage and not
// again while those inputs stay: parameters once per run, modes once per transition, time and positions
// before velocities.
enum class Stage : std::uint8_t { constant, parameter, mode, time, position, velocity };
inline constexpr std::size_t k_stage_count = 6;

// Elementary operations. Each has one meaning, to the last bit, shared by interpreter and machine code.
// Operands a, b, c are indices of earlier instructions unless said otherwise.
enum class Code : std::uint8_t {
    constant, // value
    input, // a = index into the input vector
    add,
    sub,
    mul,
    div,
    neg,
    fma, // a·b + c, rounded once
    sqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    pow, // a^b for general exponents
    abs,
    sign,
    min,
    max,
    floor,
    select, // a ≠ 0 ? b : c
    less,
    less_equal,
    logical_and,
    logical_or,
    logical_not,
    table, // tables[b] at a
    factor, // systems[a]: factorisation of a structured matrix
    solve, // solutions[a]: solution of the system with one right-hand side
    component, // row b of the solve instruction a
};

struct Instruction {
    Code code{};
    Stage stage{};
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    double value = 0.0;
    friend bool operator==(const Instruction&, const Instruction&) = default;
};

// Number of instruction operands of a code (0, 1, 2 or 3); component counts its solve instruction,
// factor and solve list theirs in System and Solution.
int operand_count(Code code);

class NumericSystem; // numeric_system.hpp

struct System {
    std::shared_ptr<const expr::Structure> structure;
    std::vector<std::uint32_t> entries; // one instruction per structure entry
    std::shared_ptr<const NumericSystem> kernel =
        nullptr; // set by write_out for systems it leaves in the plan
};
struct Solution {
    std::uint32_t factor = 0; // the factor instruction
    std::vector<std::uint32_t> rhs; // one instruction per row
};

struct Request {
    std::vector<Expr> inputs; // symbols (or named nodes to be cut there), in input-vector order
    std::vector<Stage> stages; // of each input: parameter, mode, time, position or velocity
    std::vector<Expr> outputs;
};

// Instructions are in static single assignment form: instruction i defines value i from earlier ones.
// They are ordered by stage, so a run may begin at stage_begin[s] when only inputs of stage ≥ s changed.
struct Plan {
    std::vector<Instruction> instructions;
    std::vector<std::uint32_t> outputs;
    std::vector<System> systems;
    std::vector<Solution> solutions;
    std::vector<std::shared_ptr<const expr::Table>> tables;
    std::vector<std::uint32_t> stage_begin; // by Stage, one past the end last
    std::size_t n_inputs = 0;
};

// Lowers the outputs. Throws base errors only for symbols that are neither input nor bound: those are
// listed in the message.
Plan lower(const Request& request);

} // namespace liaison::compile
