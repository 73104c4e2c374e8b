// SPDX-License-Identifier: Apache-2.0
// Cache files: private, complete or absent, bounded in total size.
#include "liaison/compile/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace liaison::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_suffix = ".code";
constexpr std::uint64_t k_largest_file = std::uint64_t{64} << 20;

// A file descriptor that closes itself.
class File {
  public:
    File(const std::string& path, int flags)
        : fd_(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)) {}
    ~File() {
        if (fd_ >= 0) close(fd_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] bool is_open() const { return fd_ >= 0; }
    [[nodiscard]] int fd() const { return fd_; }

  private:
    int fd_;
};

std::optional<std::vector<std::byte>> read_all(const std::string& path) {
    const File file(path, O_RDONLY);
    struct stat info{};
    if (!file.is_open() || fstat(file.fd(), &info) != 0 || !S_ISREG(info.st_mode))
        return std::nullopt;
    if (info.st_size < 0 || static_cast<std::uint64_t>(info.st_size) > k_largest_file)
        return std::nullopt;
    std::vector<std::byte> bytes(static_cast<std::size_t>(info.st_size));
    std::size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = read(file.fd(), bytes.data() + at, bytes.size() - at);
        if (n <= 0) return std::nullopt;
        at += static_cast<std::size_t>(n);
    }
    return bytes;
}

bool write_all(const std::string& path, const std::vector<std::byte>& bytes) {
    const File file(path, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.is_open()) return false;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = write(file.fd(), bytes.data() + at, bytes.size() - at);
        if (n <= 0) return false;
        at += static_cast<std::size_t>(n);
    }
    return true;
}

std::string unique_suffix() {
    static std::atomic<unsigned> counter = 0;
    return "." + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".new";
}

} // namespace

DiskCache::DiskCache(std::string directory, std::uint64_t most_bytes)
    : directory_(std::move(directory)), most_bytes_(most_bytes) {}

std::string DiskCache::default_directory() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/liaison/code";
    const char* home = std::getenv("HOME");
    if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/liaison/code";
    return "";
}

std::string DiskCache::path(const Digest& key) const {
    return directory_ + "/" + hex(key) + std::string(k_suffix);
}

// The directory exists, is ours, and nobody else can write into it: what it holds will be executed.
bool DiskCache::usable() const {
    if (directory_.empty()) return false;
    struct stat info{};
    return lstat(directory_.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<CodeImage> DiskCache::load(const Digest& key) const {
    if (!usable()) return std::nullopt;
    const std::string file = path(key);
    const auto bytes = read_all(file);
    if (!bytes) return std::nullopt;
    auto image = decode(*bytes, key);
    if (!image) {
        unlink(file.c_str());
        return std::nullopt;
    }
    utimensat(AT_FDCWD, file.c_str(), nullptr, 0); // recently used: the last to be pruned
    return image;
}

bool DiskCache::store(const Digest& key, const CodeImage& image) const {
    if (directory_.empty()) return false;
    const auto bytes = encode(image, key);
    if (bytes.size() > k_largest_file || bytes.size() > most_bytes_) return false;
    std::error_code error;
    if (!usable()) {
        fs::create_directories(fs::path(directory_).parent_path(), error);
        mkdir(directory_.c_str(), 0700);
        if (!usable()) return false;
    }
    const std::string file = path(key);
    const std::string fresh = file + unique_suffix();
    if (!write_all(fresh, bytes) || rename(fresh.c_str(), file.c_str()) != 0) {
        unlink(fresh.c_str());
        return false;
    }
    prune();
    return true;
}

// Oldest files go first until three quarters of the bound are left; so do leftovers of interrupted writers.
void DiskCache::prune() const {
    struct Kept {
        fs::file_time_type time;
        std::uint64_t size;
        fs::path path;
    };
    std::error_code error;
    std::vector<Kept> files;
    std::uint64_t total = 0;
    for (fs::directory_iterator it(directory_, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code gone;
        const auto size = it->file_size(gone);
        const auto time = it->last_write_time(gone);
        if (gone) continue;
        const bool leftover = it->path().extension() == ".new";
        if (leftover && fs::file_time_type::clock::now() - time > std::chrono::hours(1)) {
            fs::remove(it->path(), gone);
        } else if (it->path().extension() == k_suffix) {
            files.push_back({time, size, it->path()});
            total += size;
        }
    }
    if (total <= most_bytes_) return;
    std::sort(files.begin(), files.end(),
              [](const Kept& a, const Kept& b) { return a.time < b.time; });
    for (const Kept& file : files) {
        if (total <= most_bytes_ / 4 * 3) break;
        fs::remove(file.path, error);
        total -= file.size;
    }
}

} // namespace liaison::compile
