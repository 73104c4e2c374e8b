// SPDX-License-Identifier: Apache-2.0
// A number that is yet to be computed: arithmetic on it writes instructions.
#pragma once

#include "liaison/compile/kernels.hpp"
#include "liaison/compile/llvm_builder.hpp"

#include <concepts>
#include <type_traits>

namespace liaison::compile {

struct LlvmReal {
    LlvmBuilder* to = nullptr;
    LlvmBuilder::Handle handle = nullptr;
};
struct LlvmBits {
    LlvmBuilder* to = nullptr;
    LlvmBuilder::Handle handle = nullptr;
};
struct LlvmMask {
    LlvmBuilder* to = nullptr;
    LlvmBuilder::Handle handle = nullptr;
};

// A real operand beside an LlvmReal or LlvmMask: another one, or a constant.
template <class T>
concept RealOperand = std::same_as<T, LlvmReal> || std::same_as<T, double>;

namespace detail {
inline LlvmBuilder::Handle real(LlvmBuilder*, const LlvmReal& a) { return a.handle; }
inline LlvmBuilder::Handle real(LlvmBuilder* to, double a) { return to->real(a); }
inline LlvmBuilder* builder(const LlvmReal& a) { return a.to; }
inline LlvmBuilder* builder(double) { return nullptr; }
template <class... T>
LlvmBuilder* builder_of(const T&... all) {
    LlvmBuilder* found = nullptr;
    ((found = found != nullptr ? found : builder(all)), ...);
    return found;
}
} // namespace detail

#define LIAISON_REAL_OPERATOR(symbol, method, Result, call)                                        \
    template <RealOperand A, RealOperand B>                                                        \
        requires(std::same_as<A, LlvmReal> || std::same_as<B, LlvmReal>)                           \
    Result operator symbol(A a, B b) {                                                             \
        LlvmBuilder* to = detail::builder_of(a, b);                                                \
        const auto x = detail::real(to, a);                                                        \
        const auto y = detail::real(to, b);                                                        \
        return {to, to->method call};                                                              \
    }
LIAISON_REAL_OPERATOR(+, add, LlvmReal, (x, y))
LIAISON_REAL_OPERATOR(-, sub, LlvmReal, (x, y))
LIAISON_REAL_OPERATOR(*, mul, LlvmReal, (x, y))
LIAISON_REAL_OPERATOR(/, div, LlvmReal, (x, y))
LIAISON_REAL_OPERATOR(<, compare, LlvmMask, (LlvmBuilder::Compare::less, x, y))
LIAISON_REAL_OPERATOR(<=, compare, LlvmMask, (LlvmBuilder::Compare::less_equal, x, y))
#undef LIAISON_REAL_OPERATOR

inline LlvmReal operator-(LlvmReal a) { return {a.to, a.to->neg(a.handle)}; }
inline LlvmReal abs(LlvmReal a) { return {a.to, a.to->abs(a.handle)}; }
template <RealOperand A, RealOperand B, RealOperand C>
LlvmReal fma(A a, B b, C c) {
    LlvmBuilder* to = detail::builder_of(a, b, c);
    return {to, to->fma(detail::real(to, a), detail::real(to, b), detail::real(to, c))};
}
template <RealOperand A, RealOperand B>
LlvmReal select(LlvmMask mask, A yes, B no) {
    return {mask.to,
            mask.to->select(mask.handle, detail::real(mask.to, yes), detail::real(mask.to, no))};
}

inline LlvmBits to_bits(LlvmReal a) { return {a.to, a.to->to_bits(a.handle)}; }
inline LlvmReal to_real(LlvmBits a) { return {a.to, a.to->to_real(a.handle)}; }
inline LlvmMask top_bit(LlvmBits a) { return {a.to, a.to->top_bit(a.handle)}; }
inline LlvmBits operator+(LlvmBits a, std::uint64_t b) {
    return {a.to, a.to->bit_add(a.handle, a.to->bits(b))};
}
inline LlvmBits operator-(LlvmBits a, std::uint64_t b) {
    return {a.to, a.to->bit_sub(a.handle, a.to->bits(b))};
}
inline LlvmBits operator-(LlvmBits a, LlvmBits b) {
    return {a.to, a.to->bit_sub(a.handle, b.handle)};
}
inline LlvmBits operator&(LlvmBits a, std::uint64_t b) {
    return {a.to, a.to->bit_and(a.handle, a.to->bits(b))};
}
inline LlvmBits operator|(LlvmBits a, std::uint64_t b) {
    return {a.to, a.to->bit_or(a.handle, a.to->bits(b))};
}
inline LlvmBits operator^(LlvmBits a, LlvmBits b) {
    return {a.to, a.to->bit_xor(a.handle, b.handle)};
}
inline LlvmBits operator<<(LlvmBits a, unsigned by) {
    return {a.to, a.to->shift_left(a.handle, by)};
}
inline LlvmBits operator>>(LlvmBits a, unsigned by) {
    return {a.to, a.to->shift_right(a.handle, by)};
}

} // namespace liaison::compile
