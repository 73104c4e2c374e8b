// SPDX-License-Identifier: Apache-2.0
// From a relocatable object file to bytes that run at any address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace liaison::compile {

struct FlatCode {
    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> functions;  // offsets of the named functions
};

// Lays the code and constants of an x86-64 ELF object out one behind the other and settles the distances
// between them. Throws base::InternalError if the object refers to anything outside itself.
FlatCode flatten(std::span<const std::byte> object, std::span<const std::string> functions);

} // namespace liaison::compile
