// SPDX-License-Identifier: Apache-2.0
// The table of library functions: the C library's own, whose bits are then the program's bits.
#include "liaison/compile/functions.hpp"

#include <cmath>

namespace liaison::compile {

Function1 library_function(Code code) {
    switch (code) {
    case Code::sin: return [](double x) noexcept { return std::sin(x); };
    case Code::cos: return [](double x) noexcept { return std::cos(x); };
    case Code::tan: return [](double x) noexcept { return std::tan(x); };
    case Code::asin: return [](double x) noexcept { return std::asin(x); };
    case Code::acos: return [](double x) noexcept { return std::acos(x); };
    case Code::atan: return [](double x) noexcept { return std::atan(x); };
    case Code::sinh: return [](double x) noexcept { return std::sinh(x); };
    case Code::cosh: return [](double x) noexcept { return std::cosh(x); };
    case Code::tanh: return [](double x) noexcept { return std::tanh(x); };
    case Code::floor: return [](double x) noexcept { return std::floor(x); };
    default: return nullptr;
    }
}

Function2 library_function2(Code code) {
    switch (code) {
    case Code::atan2: return [](double y, double x) noexcept { return std::atan2(y, x); };
    case Code::pow: return [](double x, double y) noexcept { return std::pow(x, y); };
    default: return nullptr;
    }
}

} // namespace liaison::compile
