// SPDX-License-Identifier: Apache-2.0
// The line "liaison" and 32 hexadecimal digits.
#include "liaison/record/hdf5_seal.hpp"

#include "liaison/record/provenance.hpp"

#include <fmt/format.h>

namespace liaison::record {
namespace {

std::string line_for(std::string_view bytes) {
    return fmt::format("\nliaison {}\n", fingerprint(bytes));
}

} // namespace

std::string sealed(std::string bytes) {
    bytes += line_for(bytes);
    return bytes;
}

bool is_sealed(std::string_view bytes) {
    const std::size_t length = line_for("").size();
    if (bytes.size() < length) return false;
    const std::string_view content = bytes.substr(0, bytes.size() - length);
    return bytes.substr(content.size()) == line_for(content);
}

} // namespace liaison::record
