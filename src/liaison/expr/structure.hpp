// SPDX-License-Identifier: Apache-2.0
// The sparsity pattern and elimination classes of a linear system kept as one node.
#pragma once

#include <cstdint>
#include <vector>

namespace liaison::expr {

// What is known about an unknown of a symmetric system before any number is; it decides the
// elimination order and which zero pivots are legal.
enum class UnknownClass : std::uint8_t {
    // A velocity-like unknown: its pivot is positive once every auxiliary that depends on it is gone.
    inertial,
    // An auxiliary acceleration ẅ defined by its own multiplier row; eliminated together with it as the
    // 2×2 pivot [[H, -1], [-1, 0]], which is regular for every H.
    auxiliary,
    auxiliary_multiplier,
    // The multiplier of a user constraint: pivot −F M⁻¹ Fᵀ, negative unless the constraint is redundant.
    multiplier,
    // No knowledge: pivot numerically.
    general,
};

// Entries list the structurally nonzero positions; for symmetric systems only row ≥ col.
struct Structure {
    struct Entry {
        std::uint32_t row = 0;
        std::uint32_t col = 0;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::uint32_t n = 0;
    bool symmetric = true;
    std::vector<Entry> entries;
    std::vector<UnknownClass> classes; // size n, or empty for all general
    std::vector<std::uint32_t> partner; // auxiliary ↔ its multiplier row, n where none
    std::vector<std::uint32_t> order; // elimination order (row indices), empty: natural
    friend bool operator==(const Structure&, const Structure&) = default;
};

} // namespace liaison::expr
