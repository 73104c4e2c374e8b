// SPDX-License-Identifier: Apache-2.0
// Runs one and the same loop with the processor's fused multiply-add where it has one.
#pragma once

#if defined(__x86_64__) && !defined(__FMA__)
#define LIAISON_FMA_DISPATCH 1
#else
#define LIAISON_FMA_DISPATCH 0
#endif

namespace liaison::compile {

// Whether this processor computes a·b + c in one instruction (else the C library does, exactly and slowly).
inline bool has_fma() {
#if LIAISON_FMA_DISPATCH
    static const bool yes =
        __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0;
    return yes;
#else
    return true;
#endif
}

// Body::run(args…) must be always_inline. Both variants give the same bits: every rounding is written out.
#if LIAISON_FMA_DISPATCH
template <class Body, class... Args>
[[gnu::target("avx2,fma")]] auto run_with_fma(Args... args) {
    return Body::run(args...);
}
#endif
template <class Body, class... Args>
auto run_dispatched(Args... args) {
#if LIAISON_FMA_DISPATCH
    if (has_fma()) return run_with_fma<Body>(args...);
#endif
    return Body::run(args...);
}

} // namespace liaison::compile
