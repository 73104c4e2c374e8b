// SPDX-License-Identifier: Apache-2.0
// The cache in memory, and the way from memory to disk to making.
#include "liaison/compile/cache.hpp"

#include <utility>

namespace liaison::compile {

CodeCache::CodeCache(std::optional<DiskCache> disk, std::size_t most_entries)
    : disk_(std::move(disk)), most_entries_(most_entries) {}

CodeCache& CodeCache::global() {
    static CodeCache cache{DiskCache(DiskCache::default_directory())};
    return cache;
}

CodeCache::Found CodeCache::get(const Digest& key, const std::function<CodeImage()>& make) {
    if (auto code = find(key)) return {std::move(code), Source::memory};
    if (disk_) {
        if (auto image = disk_->load(key)) return {keep(key, std::move(*image)), Source::disk};
    }
    CodeImage image = make();
    if (disk_) disk_->store(key, image);
    return {keep(key, std::move(image)), Source::made};
}

std::shared_ptr<const MachineCode> CodeCache::find(const Digest& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    ages_.splice(ages_.begin(), ages_, found->second.age);
    return found->second.code;
}

std::shared_ptr<const MachineCode> CodeCache::keep(const Digest& key, CodeImage image) {
    auto code = std::make_shared<const MachineCode>(std::move(image));
    const std::lock_guard lock(mutex_);
    // another thread may have been faster: equal keys mean equal code
    const auto found = entries_.find(key);
    if (found != entries_.end()) return found->second.code;
    ages_.push_front(key);
    entries_[key] = {code, ages_.begin()};
    if (entries_.size() > most_entries_) {
        entries_.erase(ages_.back());
        ages_.pop_back();
    }
    return code;
}

} // namespace liaison::compile
