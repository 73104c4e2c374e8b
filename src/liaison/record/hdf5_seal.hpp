// SPDX-License-Identifier: Apache-2.0
// A checksum at the end of our HDF5 files. The library that reads them trusts what it finds: damage must be found before.
#pragma once

#include <string>
#include <string_view>

namespace liaison::record {

// The bytes of a file followed by a line with their checksum. Readers of HDF5 do not look behind the end that the file
// itself states.
[[nodiscard]] std::string sealed(std::string bytes);

// Whether the file ends with the checksum of what is before it.
[[nodiscard]] bool is_sealed(std::string_view bytes);

} // namespace liaison::record
