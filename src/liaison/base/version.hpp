// SPDX-License-Identifier: Apache-2.0
// Facts about this build, for --version, doctor and the provenance of results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace liaison::base {

inline constexpr std::string_view k_version = "0.1.0";
inline constexpr int k_model_format = 1;

struct OptionalPart {
    std::string_view name;
    bool present;
    std::string_view purpose;
};

struct BuildFacts {
    std::string_view version;
    std::string compiler;   // "gcc 12.2.0"
    std::string target;     // "x86_64 linux"
    bool optimised;
    bool sanitised;
    std::vector<OptionalPart> parts;
};

[[nodiscard]] BuildFacts build_facts();

} // namespace liaison::base
