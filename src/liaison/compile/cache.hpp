// SPDX-License-Identifier: Apache-2.0
// Code that was made before: in memory for this process, on disk for the next one.
#pragma once

#include "liaison/base/descriptor.hpp"
#include "liaison/compile/hash128.hpp"
#include "liaison/compile/machine_code.hpp"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace liaison::compile {

// Files of a private directory (0700), written beside and renamed into place, so that a reader in any process
// sees a whole file or none. A file that does not check out in every byte is removed and counts as absent.
// What it holds is executed: the directory is opened once for each use, and that very directory is ours, closed to others
// and below directories that only we or the system can change; its files are opened relative to it, and are ours.
// Nothing here ever fails an evaluation: without a usable directory there is simply no cache.
class DiskCache {
  public:
    explicit DiskCache(std::string directory, std::uint64_t most_bytes = std::uint64_t{256} << 20);

    // $XDG_CACHE_HOME/liaison/code, or ~/.cache/liaison/code; "" if there is neither.
    static std::string default_directory();

    [[nodiscard]] const std::string& directory() const { return directory_; }
    [[nodiscard]] std::optional<CodeImage> load(const Digest& key) const;
    // False where it could not be kept.
    bool store(const Digest& key, const CodeImage& image) const;

  private:
    // The directory, opened and found private; made where `make` and it is missing. Empty where it is not to be used.
    [[nodiscard]] base::Descriptor open_directory(bool make) const;
    void prune(const base::Descriptor& directory) const;

    std::string directory_;
    std::uint64_t most_bytes_;
};

// Code in memory, the least recently used given up first; users keep what they hold.
class CodeCache {
  public:
    explicit CodeCache(std::optional<DiskCache> disk, std::size_t most_entries = 128);

    enum class Source : std::uint8_t { memory, disk, made };
    struct Found {
        std::shared_ptr<const MachineCode> code;
        Source source{};
    };
    // The code under this key, made by `make` if neither memory nor disk has it. Safe from several threads.
    Found get(const Digest& key, const std::function<CodeImage()>& make);

    // The cache of the process, on the default directory.
    static CodeCache& global();

  private:
    struct Entry {
        std::shared_ptr<const MachineCode> code;
        std::list<Digest>::iterator age;
    };
    struct KeyHash {
        std::size_t operator()(const Digest& key) const { return static_cast<std::size_t>(key[0]); }
    };
    std::shared_ptr<const MachineCode> find(const Digest& key);
    std::shared_ptr<const MachineCode> keep(const Digest& key, CodeImage image);

    std::optional<DiskCache> disk_;
    std::size_t most_entries_;
    std::mutex mutex_;
    std::list<Digest> ages_; // most recently used first
    std::unordered_map<Digest, Entry, KeyHash> entries_;
};

} // namespace liaison::compile
