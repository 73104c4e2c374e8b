// SPDX-License-Identifier: Apache-2.0
// The closed set of operations an expression node can be.
#pragma once

#include <cstdint>

namespace liaison::expr {

enum class Op : std::uint8_t {
    number,  // numbers[0]
    symbol,  // an independent quantity, attr = symbol index
    named,   // args[0] under a label: an opaque identity that keeps [let] names and sharing
    add,     // numbers[0] + Σ numbers[i] args[i-1]
    mul,     // numbers[0] · Π args[i-1]^numbers[i], exponents rational
    power,   // args[0]^args[1], exponent not a number
    // elementary functions
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
    // nonsmooth functions: switching surfaces of the flow
    abs,
    sign,
    min,
    max,
    floor,
    select,  // if(args[0], args[1], args[2])
    // conditions, valued 0 or 1
    less,
    less_equal,
    logical_and,
    logical_or,
    logical_not,
    // data: piecewise polynomial of args[0], attr = table index
    table,
    // structured linear system (solve.hpp): attr = structure index, args = matrix entries
    factor,
    solve,      // args[0] = factor, args[1..n] = right-hand side
    component,  // args[0] = solve, attr = row
};

} // namespace liaison::expr
