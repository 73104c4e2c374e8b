// SPDX-License-Identifier: Apache-2.0
// What the processor of this machine can do.
#include "liaison/base/cpu.hpp"

#include <algorithm>
#include <fstream>
#include <thread>

namespace liaison::base {

namespace {

std::string model_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

std::vector<std::string> features() {
    std::vector<std::string> names;
#if defined(__x86_64__) && defined(__GNUC__)
    const auto add = [&](bool has, const char* name) {
        if (has) names.emplace_back(name);
    };
    __builtin_cpu_init();
    add(__builtin_cpu_supports("sse2") != 0, "sse2");
    add(__builtin_cpu_supports("avx") != 0, "avx");
    add(__builtin_cpu_supports("avx2") != 0, "avx2");
    add(__builtin_cpu_supports("fma") != 0, "fma");
    add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
    add(__builtin_cpu_supports("avx512dq") != 0, "avx512dq");
    add(__builtin_cpu_supports("avx512vl") != 0, "avx512vl");
#endif
    return names;
}

} // namespace

Cpu this_cpu() {
    return {.name = model_name(),
            .features = features(),
            .threads = std::max(1U, std::thread::hardware_concurrency())};
}

} // namespace liaison::base
