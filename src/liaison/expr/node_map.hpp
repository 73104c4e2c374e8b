// SPDX-License-Identifier: Apache-2.0
// Tables and sets keyed by nodes: flat, in order of insertion, as large as one walk and no larger.
#pragma once

#include "liaison/expr/expr.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace liaison::expr {

// Open addressing over a dense list of entries. Ids of a walk come in runs; multiplying by 2⁶⁴/φ
// spreads every run evenly, so that probes stay short. Iteration follows insertion and is therefore
// deterministic. Inserting moves the entries: references to values end there, as with std::vector.
template <class T>
class NodeMap {
  public:
    using value_type = std::pair<const Node*, T>;
    using iterator = typename std::vector<value_type>::iterator;
    using const_iterator = typename std::vector<value_type>::const_iterator;

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    iterator begin() { return entries_.begin(); }
    iterator end() { return entries_.end(); }
    const_iterator begin() const { return entries_.begin(); }
    const_iterator end() const { return entries_.end(); }

    void reserve(std::size_t count) {
        entries_.reserve(count);
        std::size_t slots = slots_.empty() ? k_initial_slots : slots_.size();
        while (slots < 2 * count) slots *= 2;
        if (slots != slots_.size()) rehash(slots);
    }
    [[nodiscard]] iterator find(const Node* n) {
        const std::uint32_t at = index_of(n);
        return at == k_none ? entries_.end() : entries_.begin() + at;
    }
    [[nodiscard]] const_iterator find(const Node* n) const {
        const std::uint32_t at = index_of(n);
        return at == k_none ? entries_.end() : entries_.begin() + at;
    }
    [[nodiscard]] bool contains(const Node* n) const { return index_of(n) != k_none; }
    T& operator[](const Node* n) { return try_emplace(n).first->second; }
    [[nodiscard]] T& at(const Node* n) { return entries_[checked(n)].second; }
    [[nodiscard]] const T& at(const Node* n) const { return entries_[checked(n)].second; }

    // The entry of n, made from `args` if there was none; whether it is new.
    template <class... Args>
    std::pair<iterator, bool> try_emplace(const Node* n, Args&&... args) {
        if (2 * (entries_.size() + 1) > slots_.size()) {
            rehash(slots_.empty() ? k_initial_slots : slots_.size() * 2);
        }
        std::size_t i = home(n);
        for (; slots_[i] != k_none; i = (i + 1) & (slots_.size() - 1)) {
            if (entries_[slots_[i]].first == n) return {entries_.begin() + slots_[i], false};
        }
        slots_[i] = static_cast<std::uint32_t>(entries_.size());
        entries_.emplace_back(n, T(std::forward<Args>(args)...));
        return {entries_.end() - 1, true};
    }

  private:
    static constexpr std::uint32_t k_none = 0xffffffffU;
    static constexpr std::size_t k_initial_slots = 16;

    [[nodiscard]] std::size_t home(const Node* n) const {
        return static_cast<std::size_t>((n->id * 0x9e3779b97f4a7c15ULL) >> shift_);
    }
    [[nodiscard]] std::uint32_t index_of(const Node* n) const {
        if (slots_.empty()) return k_none;
        for (std::size_t i = home(n); slots_[i] != k_none; i = (i + 1) & (slots_.size() - 1)) {
            if (entries_[slots_[i]].first == n) return slots_[i];
        }
        return k_none;
    }
    [[nodiscard]] std::uint32_t checked(const Node* n) const {
        const std::uint32_t at = index_of(n);
        if (at == k_none) throw std::out_of_range("this node was not met in the walk");
        return at;
    }
    void rehash(std::size_t slots) {
        slots_.assign(slots, k_none);
        shift_ = 64;
        for (std::size_t s = slots; s > 1; s /= 2) --shift_;
        for (std::uint32_t k = 0; k < entries_.size(); ++k) {
            std::size_t i = home(entries_[k].first);
            while (slots_[i] != k_none) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = k;
        }
    }

    std::vector<value_type> entries_;
    std::vector<std::uint32_t> slots_;
    unsigned shift_ = 64;
};

class NodeSet {
  public:
    // Whether n is new to the set.
    bool insert(const Node* n) { return map_.try_emplace(n).second; }
    [[nodiscard]] bool contains(const Node* n) const { return map_.contains(n); }
    [[nodiscard]] std::size_t size() const { return map_.size(); }

  private:
    struct Nothing {};
    NodeMap<Nothing> map_;
};

} // namespace liaison::expr
