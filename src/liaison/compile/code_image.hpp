// SPDX-License-Identifier: Apache-2.0
// Machine code as data that can be kept on disk.
#pragma once

#include "liaison/compile/hash128.hpp"
#include "liaison/compile/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace liaison::compile {

// Position-independent code without a single symbol: functions over
//   (const double* inputs, double* outputs, double* workspace, const void* const* link_table)
// in the order in which they run. Element i of lane l is at [i·lanes + l] in all three arrays.
struct CodeImage {
    std::uint32_t lanes = 1;
    std::array<std::uint32_t, k_stage_count> first{};  // the function to begin with, by stage
    std::uint32_t status = 0;                          // workspace row of the two status words
    std::uint64_t workspace_size = 0;                  // doubles, for all lanes
    std::vector<std::uint32_t> functions;              // offsets
    std::vector<std::uint32_t> guards; // workspace rows that hold the largest angle seen
    std::vector<std::byte> bytes; // code and its constants
    friend bool operator==(const CodeImage&, const CodeImage&) = default;
};

// A file: magic, format, key, checksum of everything behind it, then the image.
std::vector<std::byte> encode(const CodeImage& image, const Digest& key);
// The image, if every byte of the file is as written under this key.
std::optional<CodeImage> decode(std::span<const std::byte> file, const Digest& key);
// The part of a file behind its checksum: nothing if it is not the encoding of a sensible image.
std::optional<CodeImage> decode_image(std::span<const std::byte> payload);

} // namespace liaison::compile
