// SPDX-License-Identifier: Apache-2.0
// Facts about this build, for --version, doctor and the provenance of results.
#include "liaison/base/version.hpp"

#include "liaison/base/features.hpp"

#include <fmt/format.h>

namespace liaison::base {

namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "unknown compiler";
#endif
}

std::string target() {
#if defined(__x86_64__)
    const std::string_view cpu = "x86_64";
#elif defined(__aarch64__)
    const std::string_view cpu = "aarch64";
#elif defined(__wasm__)
    const std::string_view cpu = "wasm";
#else
    const std::string_view cpu = "other";
#endif
#if defined(__linux__)
    const std::string_view system = "linux";
#elif defined(__APPLE__)
    const std::string_view system = "macos";
#else
    const std::string_view system = "other";
#endif
    return fmt::format("{} {}", cpu, system);
}

#if LIAISON_WITH_LLVM
constexpr bool k_llvm = true;
#else
constexpr bool k_llvm = false;
#endif
#if LIAISON_WITH_HDF5
constexpr bool k_hdf5 = true;
#else
constexpr bool k_hdf5 = false;
#endif
#if LIAISON_WITH_SUNDIALS
constexpr bool k_sundials = true;
#else
constexpr bool k_sundials = false;
#endif
#if LIAISON_WITH_THREADS
constexpr bool k_threads = true;
#else
constexpr bool k_threads = false;
#endif
#if defined(__OPTIMIZE__)
constexpr bool k_optimised = true;
#else
constexpr bool k_optimised = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool k_sanitised = true;
#else
constexpr bool k_sanitised = false;
#endif

} // namespace

BuildFacts build_facts() {
    return {.version = k_version,
            .compiler = compiler(),
            .target = target(),
            .optimised = k_optimised,
            .sanitised = k_sanitised,
            .parts = {{"llvm", k_llvm, "machine code"},
                      {"hdf5", k_hdf5, "result files"},
                      {"sundials", k_sundials, "stiff and differential-algebraic integrators"},
                      {"threads", k_threads, "sweeps on all cores"}}};
}

} // namespace liaison::base
