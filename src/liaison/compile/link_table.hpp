// SPDX-License-Identifier: Apache-2.0
// The fixed table through which machine code reaches the few functions and objects it may use.
#pragma once

#include "liaison/compile/program.hpp"

#include <cstdint>
#include <vector>

namespace liaison::compile {

// Generated code has no symbols: it calls through this table, whose first entries are these functions and
// whose next entries are the tables, then the numeric systems of the program.
enum class Link : std::uint32_t {
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    floor,
    atan2,
    pow,
    fma,
    table, // double (const expr::Table*, double)
    factor, // void (const NumericSystem*, const double* entries, double* memory, double* status, std::size_t lanes)
    solve, // void (const NumericSystem*, const double* rhs, double* memory, double* x, std::size_t lanes)
    count,
};

[[nodiscard]] Link link_of(Code code);
[[nodiscard]] std::vector<const void*> link_table(const Program& program);
[[nodiscard]] inline std::uint32_t link_of_table(std::uint32_t k) {
    return static_cast<std::uint32_t>(Link::count) + k;
}
[[nodiscard]] inline std::uint32_t link_of_system(const Plan& plan, std::uint32_t k) {
    return link_of_table(static_cast<std::uint32_t>(plan.tables.size())) + k;
}

} // namespace liaison::compile
