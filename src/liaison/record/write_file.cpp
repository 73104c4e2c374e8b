// SPDX-License-Identifier: Apache-2.0
// Temporary file and rename.
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace liaison::record {

std::string write_file(const std::string& path, std::string_view content) {
    const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
    std::FILE* file = std::fopen(temporary.c_str(), "wb");
    if (file == nullptr) return fmt::format("cannot write {}: {}", path, std::strerror(errno));
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    const bool flushed = std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
    const int problem = errno;
    std::fclose(file);
    std::error_code error;
    if (written && flushed) std::filesystem::rename(temporary, path, error);
    if (!written || !flushed || error) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        return fmt::format("cannot write {}: {}", path,
                           error ? error.message() : std::strerror(problem));
    }
    return {};
}

} // namespace liaison::record
