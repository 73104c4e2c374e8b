// SPDX-License-Identifier: Apache-2.0
// Plain files, opened without waiting.
#include "liaison/record/read_file.hpp"

#include "liaison/base/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace liaison::record {
namespace {

struct Opened {
    base::Descriptor file;
    std::size_t size = 0;
};

Opened open_plain(const std::string& path) {
    // A pipe without a writer would be waited for; a terminal must not become ours.
    Opened opened{
        base::Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))};
    struct stat info{};
    if (!opened.file || fstat(opened.file.get(), &info) != 0)
        throw std::runtime_error(std::strerror(errno));
    if (S_ISDIR(info.st_mode)) throw std::runtime_error("it is a folder");
    if (!S_ISREG(info.st_mode)) throw std::runtime_error("it is no plain file");
    opened.size = info.st_size > 0 ? static_cast<std::size_t>(info.st_size) : 0;
    return opened;
}

std::string read_up_to(const base::Descriptor& file, std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t at = 0;
    while (at < count) {
        const ssize_t n = read(file.get(), bytes.data() + at, count - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw std::runtime_error(std::strerror(errno));
        if (n == 0) break;
        at += static_cast<std::size_t>(n);
    }
    bytes.resize(at);
    return bytes;
}

} // namespace

std::string read_file(const std::string& path, std::size_t most) {
    const Opened opened = open_plain(path);
    if (opened.size > most) throw std::runtime_error("it is too large");
    return read_up_to(opened.file, opened.size);
}

std::string read_beginning(const std::string& path, std::size_t part) {
    const Opened opened = open_plain(path);
    return read_up_to(opened.file, std::min(part, opened.size));
}

} // namespace liaison::record
