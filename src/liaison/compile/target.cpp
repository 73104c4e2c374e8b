// SPDX-License-Identifier: Apache-2.0
// The levels, and which of them this machine has.
#include "liaison/compile/target.hpp"

#include <array>
#include <stdexcept>

namespace liaison::compile {
namespace {

const std::array<Target, 4>& levels() {
    static const std::array<Target, 4> all = {
        Target{"x86-64", 2, false, false}, Target{"x86-64-v2", 2, false, true},
        Target{"x86-64-v3", 4, true, true}, Target{"x86-64-v4", 8, true, true}};
    return all;
}

// The index of the highest level this machine has.
std::size_t highest() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v2 = __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("popcnt") != 0;
    const bool v3 = v2 && __builtin_cpu_supports("avx2") != 0 &&
                    __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                    __builtin_cpu_supports("bmi2") != 0;
    const bool v4 =
        v3 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512vl") != 0;
    return v4 ? 3 : v3 ? 2 : v2 ? 1 : 0;
#else
    return 0;
#endif
}

std::size_t index_of(const std::string& cpu) {
    for (std::size_t i = 0; i < levels().size(); ++i) {
        if (levels()[i].cpu == cpu) return i;
    }
    throw std::invalid_argument("unknown processor level '" + cpu +
                                "': use x86-64, x86-64-v2, x86-64-v3 or x86-64-v4");
}

} // namespace

Target target_level(const std::string& cpu) { return levels()[index_of(cpu)]; }

Target target_of(const std::string& cpu) {
    if (cpu.empty()) return levels()[highest()];
    const std::size_t wanted = index_of(cpu);
    if (wanted > highest()) {
        throw std::invalid_argument("this machine cannot execute " + cpu + ": it has " +
                                    levels()[highest()].cpu);
    }
    return levels()[wanted];
}

} // namespace liaison::compile
