// SPDX-License-Identifier: Apache-2.0
// Cache files: private, complete or absent, bounded in total size.
#include "liaison/compile/cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

namespace liaison::compile {
namespace {

using base::Descriptor;

constexpr std::string_view k_suffix = ".code";
constexpr std::string_view k_fresh = ".new";
constexpr std::uint64_t k_largest_file = std::uint64_t{64} << 20;
constexpr mode_t k_others_write = S_IWGRP | S_IWOTH;

// Not followed, not waited for: a link, a pipe or a device is no cache file.
constexpr int k_open = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

// A directory that holds the cache somewhere below: whoever can rename things in it decides what the cache is. The system
// and we may; others may in directories where they can move their own things only. A group of our own is ours.
bool trusted_parent(const struct stat& info) {
    if (info.st_uid != 0 && info.st_uid != geteuid()) return false;
    if ((info.st_mode & S_ISVTX) != 0) return true;
    const bool own_group = info.st_uid == geteuid() && info.st_gid == getegid();
    return (info.st_mode & (own_group ? S_IWOTH : k_others_write)) == 0;
}

// Up from a directory that is open to the root, whatever names led to it.
bool all_parents_trusted(const Descriptor& directory) {
    constexpr int k_deepest = 1000;
    Descriptor here(openat(directory.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat info{};
    for (int depth = 0; depth < k_deepest && here && fstat(here.get(), &info) == 0; ++depth) {
        if (!trusted_parent(info)) return false;
        Descriptor above(openat(here.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
        struct stat next{};
        if (!above || fstat(above.get(), &next) != 0) return false;
        if (next.st_ino == info.st_ino && next.st_dev == info.st_dev) return true; // the root
        here = std::move(above);
    }
    return false;
}

bool is_private(const Descriptor& directory) {
    struct stat info{};
    return fstat(directory.get(), &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == geteuid() && (info.st_mode & k_others_write) == 0 &&
           all_parents_trusted(directory);
}

// All directories of a path that are missing, for ourselves alone.
void make_directories(const std::string& path) {
    for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
        mkdir(path.substr(0, at).c_str(), S_IRWXU);
        if (at == std::string::npos) return;
    }
}

std::optional<std::vector<std::byte>> read_all(const Descriptor& file) {
    struct stat info{};
    if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_uid != geteuid() || (info.st_mode & k_others_write) != 0)
        return std::nullopt;
    if (info.st_size < 0 || static_cast<std::uint64_t>(info.st_size) > k_largest_file)
        return std::nullopt;
    std::vector<std::byte> bytes(static_cast<std::size_t>(info.st_size));
    std::size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = read(file.get(), bytes.data() + at, bytes.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return std::nullopt;
        at += static_cast<std::size_t>(n);
    }
    return bytes;
}

bool write_all(const Descriptor& file, const std::vector<std::byte>& bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = write(file.get(), bytes.data() + at, bytes.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += static_cast<std::size_t>(n);
    }
    return true;
}

std::string random_word() {
    Digest noise{};
    if (getrandom(noise.data(), sizeof noise, 0) != static_cast<ssize_t>(sizeof noise)) return {};
    return hex(noise);
}

std::string name_of(const Digest& key) { return hex(key) + std::string(k_suffix); }

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

Descriptor DiskCache::open_directory(bool make) const {
    constexpr int k_how = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
    if (directory_.empty()) return {};
    Descriptor found(open(directory_.c_str(), k_how));
    if (!found && make) {
        make_directories(directory_);
        found = Descriptor(open(directory_.c_str(), k_how));
    }
    return found && is_private(found) ? std::move(found) : Descriptor();
}

std::optional<CodeImage> DiskCache::load(const Digest& key) const {
    const Descriptor directory = open_directory(false);
    if (!directory) return std::nullopt;
    const std::string name = name_of(key);
    const Descriptor file(openat(directory.get(), name.c_str(), O_RDONLY | k_open));
    const auto bytes = read_all(file);
    if (!bytes) return std::nullopt;
    auto image = decode(*bytes, key);
    if (!image) {
        unlinkat(directory.get(), name.c_str(), 0);
        return std::nullopt;
    }
    futimens(file.get(), nullptr); // recently used: the last to be pruned
    return image;
}

bool DiskCache::store(const Digest& key, const CodeImage& image) const {
    const auto bytes = encode(image, key);
    if (bytes.size() > k_largest_file || bytes.size() > most_bytes_) return false;
    const Descriptor directory = open_directory(true);
    if (!directory) return false;
    const std::string name = name_of(key);
    const std::string fresh = name + "." + random_word() + std::string(k_fresh);
    const Descriptor file(openat(directory.get(), fresh.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | k_open, S_IRUSR | S_IWUSR));
    if (!file) return false;
    if (!write_all(file, bytes) ||
        renameat(directory.get(), fresh.c_str(), directory.get(), name.c_str()) != 0) {
        unlinkat(directory.get(), fresh.c_str(), 0);
        return false;
    }
    prune(directory);
    return true;
}

// Oldest files go first until three quarters of the bound are left; so do leftovers of interrupted writers.
void DiskCache::prune(const Descriptor& directory) const {
    struct Kept {
        timespec time;
        std::uint64_t size;
        std::string name;
    };
    constexpr std::time_t k_hour = 3600;
    Descriptor list(openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR* entries = list ? fdopendir(list.get()) : nullptr;
    if (entries == nullptr) return;
    list.release(); // closedir closes it
    std::vector<Kept> files;
    std::uint64_t total = 0;
    while (const dirent* entry = readdir(entries)) {
        const std::string name = entry->d_name;
        struct stat info{};
        if (fstatat(directory.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        if (name.ends_with(k_fresh)) {
            if (std::time(nullptr) - info.st_mtim.tv_sec > k_hour)
                unlinkat(directory.get(), name.c_str(), 0);
        } else if (name.ends_with(k_suffix)) {
            files.push_back({info.st_mtim, static_cast<std::uint64_t>(info.st_size), name});
            total += files.back().size;
        }
    }
    closedir(entries);
    if (total <= most_bytes_) return;
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) {
        return std::pair(a.time.tv_sec, a.time.tv_nsec) < std::pair(b.time.tv_sec, b.time.tv_nsec);
    });
    for (const Kept& file : files) {
        if (total <= most_bytes_ / 4 * 3) break;
        unlinkat(directory.get(), file.name.c_str(), 0);
        total -= file.size;
    }
}

} // namespace liaison::compile
