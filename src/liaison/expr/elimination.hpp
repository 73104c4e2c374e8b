// SPDX-License-Identifier: Apache-2.0
// Elimination of a structured linear system as a straight-line list of scalar operations.
#pragma once

#include "liaison/expr/structure.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace liaison::expr {

// One operation on slots; its result is the next slot. Multiply-adds are meant as fused.
struct ScalarOp {
    enum class Kind : std::uint8_t {
        add,                    // a + b
        subtract,               // a − b
        multiply,               // a b
        multiply_add,           // c + a b
        negative_multiply_add,  // c − a b
        reciprocal,             // 1 / a
        negate,                 // −a
    };
    Kind kind{};
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    friend bool operator==(const ScalarOp&, const ScalarOp&) = default;
};

struct OperationCount {
    std::size_t additions = 0;        // add, subtract, negate
    std::size_t multiplications = 0;  // multiply, multiply_add, negative_multiply_add
    std::size_t divisions = 0;

    // One number to compare variants by: a division holds up as much as about eight multiply-adds.
    [[nodiscard]] double weight() const {
        return static_cast<double>(additions + multiplications) +
               8.0 * static_cast<double>(divisions);
    }
    OperationCount& operator+=(const OperationCount& other);
};

// A x = b as two lists of operations: `factor` depends on the matrix alone, `solve` on both.
// Slots: 0 holds 1, 1 holds 0, then the entries of the matrix in the order of Structure::entries, then the
// results of `factor`, then the n right-hand sides, then the results of `solve`. Without a factorisation
// to keep, the two lists may be interleaved freely: every slot is written once.
struct Elimination {
    // A 1×1 pivot: the value of `slot` decides whether the matrix is regular.
    struct Pivot {
        std::uint32_t row = 0;
        std::uint32_t slot = 0;
    };
    static constexpr std::uint32_t k_one = 0;
    static constexpr std::uint32_t k_zero = 1;
    static constexpr std::uint32_t k_first_entry = 2;

    std::uint32_t n = 0;
    std::uint32_t n_entries = 0;
    std::vector<ScalarOp> factor;
    std::vector<ScalarOp> solve;
    std::vector<std::uint32_t> solution; // slot of x_i; k_zero where x_i is not wanted
    std::vector<Pivot> pivots; // in the order of elimination, 2×2 pivots are always regular
    std::size_t fill = 0; // entries created by the elimination

    [[nodiscard]] std::uint32_t first_factor_slot() const { return k_first_entry + n_entries; }
    [[nodiscard]] std::uint32_t first_rhs_slot() const {
        return first_factor_slot() + static_cast<std::uint32_t>(factor.size());
    }
    [[nodiscard]] std::uint32_t first_solve_slot() const { return first_rhs_slot() + n; }
    [[nodiscard]] std::size_t n_slots() const { return first_solve_slot() + solve.size(); }
    [[nodiscard]] OperationCount factor_count() const;
    [[nodiscard]] OperationCount solve_count() const;
};

struct EliminationOptions {
    // Values known before any number is: entries[k] or rhs[i] equal to −1, 0 or 1 are folded away.
    std::span<const std::optional<double>> known_entries = {};
    std::span<const std::optional<double>> known_rhs = {};
    // Rows of x that are used; empty: all.
    std::span<const bool> wanted = {};
    // Give up beyond this many operations or updated entries.
    std::size_t limit = std::size_t{1} << 22;
};

// Symbolic LDLᵀ (LU for unsymmetric systems) in the order of the structure: inertial unknowns, multipliers
// and general unknowns are 1×1 pivots, an auxiliary with its multiplier the 2×2 pivot [[H, −1], [−1, 0]].
// Nothing when the limit is exceeded.
std::optional<Elimination> eliminate(const Structure& structure,
                                     const EliminationOptions& options = {});

// Runs the lists: `slots` has n_slots() elements and is overwritten, x receives the n components.
void run_factor(const Elimination& e, std::span<const double> entries, std::span<double> slots);
void run_solve(const Elimination& e, std::span<const double> rhs, std::span<double> slots,
               std::span<double> x);

} // namespace liaison::expr
