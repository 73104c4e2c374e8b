// SPDX-License-Identifier: Apache-2.0
// A linear system taken apart into those that no entry of its matrix connects: bodies that nothing joins.
#pragma once

#include "liaison/expr/structure.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace liaison::expr {

struct IndependentSystem {
    std::shared_ptr<const Structure> structure;
    std::vector<std::uint32_t> unknowns; // of the whole system, ascending
    std::vector<std::size_t> entries; // of the whole system, in the order of the structure
};

// By their first unknown; none where the system is one.
[[nodiscard]] std::vector<IndependentSystem> independent_systems(const Structure& whole);

} // namespace liaison::expr
