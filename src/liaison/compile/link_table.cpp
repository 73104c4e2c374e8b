// SPDX-License-Identifier: Apache-2.0
// What the entries of the link table point to.
#include "liaison/compile/link_table.hpp"

#include "liaison/compile/functions.hpp"
#include "liaison/expr/table.hpp"

#include <cmath>
#include <stdexcept>

namespace liaison::compile {
namespace {

double fused(double a, double b, double c) noexcept { return std::fma(a, b, c); }
double look_up(const expr::Table* table, double x) noexcept { return (*table)(x); }
void factor(const NumericSystem* s, const double* entries, double* memory, double* status,
            std::size_t lanes) noexcept {
    s->factor(entries, memory, status, lanes);
}
void solve(const NumericSystem* s, const double* rhs, double* memory, double* x,
           std::size_t lanes) noexcept {
    s->solve(rhs, memory, x, lanes);
}

constexpr Code k_functions1[] = {Code::tan,  Code::asin, Code::acos, Code::atan,
                                 Code::sinh, Code::cosh, Code::tanh, Code::floor};
constexpr Code k_functions2[] = {Code::atan2, Code::pow};

} // namespace

Link link_of(Code code) {
    switch (code) {
    case Code::tan: return Link::tan;
    case Code::asin: return Link::asin;
    case Code::acos: return Link::acos;
    case Code::atan: return Link::atan;
    case Code::sinh: return Link::sinh;
    case Code::cosh: return Link::cosh;
    case Code::tanh: return Link::tanh;
    case Code::floor: return Link::floor;
    case Code::atan2: return Link::atan2;
    case Code::pow: return Link::pow;
    case Code::fma: return Link::fma;
    case Code::table: return Link::table;
    case Code::factor: return Link::factor;
    case Code::solve: return Link::solve;
    default: throw std::logic_error("an instruction without a library function");
    }
}

std::vector<const void*> link_table(const Program& program) {
    std::vector<const void*> table(static_cast<std::size_t>(Link::count));
    const auto at = [&](Link link) -> const void*& {
        return table[static_cast<std::size_t>(link)];
    };
    for (const Code code : k_functions1)
        at(link_of(code)) = reinterpret_cast<const void*>(library_function(code));
    for (const Code code : k_functions2)
        at(link_of(code)) = reinterpret_cast<const void*>(library_function2(code));
    at(Link::fma) = reinterpret_cast<const void*>(&fused);
    at(Link::table) = reinterpret_cast<const void*>(&look_up);
    at(Link::factor) = reinterpret_cast<const void*>(&factor);
    at(Link::solve) = reinterpret_cast<const void*>(&solve);
    for (const auto& t : program.plan.tables) table.push_back(t.get());
    for (const System& s : program.plan.systems) table.push_back(s.kernel.get());
    return table;
}

} // namespace liaison::compile
