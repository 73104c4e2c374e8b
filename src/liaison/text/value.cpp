// SPDX-License-Identifier: Apache-2.0
// Finding the entries of a table.
#include "liaison/text/document.hpp"

#include <algorithm>
#include <numeric>

namespace liaison::text {

void Value::index_entries() {
    by_key_.resize(entries.size());
    std::iota(by_key_.begin(), by_key_.end(), 0U);
    std::ranges::sort(by_key_, {},
                      [&](std::uint32_t i) -> const std::string& { return entries[i].key; });
}

const Entry* Value::find(std::string_view key) const {
    const auto key_of = [&](std::uint32_t i) { return std::string_view(entries[i].key); };
    const auto found = std::ranges::lower_bound(by_key_, key, {}, key_of);
    if (found == by_key_.end() || key_of(*found) != key) return nullptr;
    return &entries[*found];
}

const Value* Value::get(std::string_view key) const {
    const Entry* const entry = find(key);
    return entry == nullptr ? nullptr : &entry->value;
}

} // namespace liaison::text
