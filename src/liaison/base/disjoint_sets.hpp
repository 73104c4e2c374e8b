// SPDX-License-Identifier: Apache-2.0
// Disjoint sets of the numbers 0 … n − 1: what is joined, directly or through others, has one root.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace liaison::base {

// With path halving.
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t n) : parent_(n) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t root(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

  private:
    std::vector<std::size_t> parent_;
};

} // namespace liaison::base
