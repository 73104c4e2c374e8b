// SPDX-License-Identifier: Apache-2.0
// A nameless or exclusive temporary file, and rename.
#include "liaison/record/write_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace liaison::record {
namespace {

constexpr mode_t k_permissions = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

// A name beside the target that nobody can foresee.
std::string temporary_name(const std::string& name) {
    constexpr std::size_t k_longest = 200; // file systems allow 255 bytes
    std::uint64_t noise[2] = {};
    if (getrandom(noise, sizeof noise, 0) != static_cast<ssize_t>(sizeof noise)) noise[0] = 0;
    return fmt::format("{}.{:016x}{:016x}.part", name.substr(0, k_longest), noise[0], noise[1]);
}

// What is already there: a plain file is replaced, so is a link, which is not followed. A pipe, a device or a folder is
// meant otherwise.
std::string in_place(const base::Descriptor& folder, const std::string& name) {
    struct stat info{};
    if (name.empty() || name == "." || name == "..") return "it is a folder";
    if (fstatat(folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return {};
    if (S_ISDIR(info.st_mode)) return "it is a folder";
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) return "it is no plain file";
    return {};
}

} // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    if (path_.empty()) {
        problem_ = "cannot write a file without a name";
        return;
    }
    const std::size_t slash = path_.rfind('/');
    const std::string folder = slash == std::string::npos ? "."
                               : slash == 0               ? "/"
                                                          : path_.substr(0, slash);
    name_ = slash == std::string::npos ? path_ : path_.substr(slash + 1);
    folder_ = base::Descriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder_) {
        problem_ = errno == ENOENT
                       ? fmt::format("cannot write {}: there is no folder {}", path_, folder)
                       : words_for(errno);
        return;
    }
    if (const std::string there = in_place(folder_, name_); !there.empty()) {
        problem_ = fmt::format("cannot write {}: {}", path_, there);
        return;
    }
    file_ = base::Descriptor(
        openat(folder_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, k_permissions));
    // Not every file system has files without a name; whatever else is wrong shows again.
    if (!file_ && !make_named()) problem_ = words_for(errno);
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) unlinkat(folder_.get(), temporary_.c_str(), 0);
}

std::string OutputFile::words_for(int error) const {
    return fmt::format("cannot write {}: {}", path_, std::strerror(error));
}

bool OutputFile::make_named() {
    temporary_ = temporary_name(name_);
    file_ = base::Descriptor(openat(folder_.get(), temporary_.c_str(),
                                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                    k_permissions));
    if (file_) return true;
    temporary_.clear();
    return false;
}

bool OutputFile::fill(std::string_view content) {
    while (!content.empty()) {
        const ssize_t n = ::write(file_.get(), content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    return fsync(file_.get()) == 0 || errno == EINVAL; // not every file can be waited for
}

bool OutputFile::put_in_place() {
    if (temporary_.empty()) {
        const std::string self = fmt::format("/proc/self/fd/{}", file_.get());
        const auto link = [&](const std::string& name) {
            return linkat(AT_FDCWD, self.c_str(), folder_.get(), name.c_str(), AT_SYMLINK_FOLLOW) ==
                   0;
        };
        if (link(name_)) return true;
        if (errno != EEXIST) return false;
        const std::string name = temporary_name(name_);
        if (!link(name)) return false;
        temporary_ = name;
    }
    if (renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0)
        return false;
    temporary_.clear();
    return true;
}

std::string OutputFile::write(std::string_view content) {
    if (!problem_.empty()) return problem_;
    if (!fill(content)) return problem_ = words_for(errno);
    if (put_in_place()) return {};
    const int first = errno;
    // Without /proc a nameless file cannot be given a name.
    if (temporary_.empty() && make_named() && fill(content) && put_in_place()) return {};
    return problem_ = words_for(first);
}

std::string write_file(const std::string& path, std::string_view content) {
    return OutputFile(path).write(content);
}

} // namespace liaison::record
