// SPDX-License-Identifier: Apache-2.0
// Files that others may have put there: read whole if they are plain files of a size that can be meant.
#pragma once

#include <cstddef>
#include <string>

namespace liaison::record {

// No result is larger; what claims to be is not read into memory.
inline constexpr std::size_t k_largest_result = std::size_t{8} << 30U;

// The bytes of a plain file, `most` at the most in all, or of its first `part` bytes. Pipes, devices and folders are not waited for but
// refused. Throws std::runtime_error with the reason, without the name of the file.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t most = k_largest_result);
[[nodiscard]] std::string read_beginning(const std::string& path, std::size_t part);

} // namespace liaison::record
