// SPDX-License-Identifier: Apache-2.0
// Linear systems too large or too little known to be written out: numeric kernels shared by all back ends.
#pragma once

#include "liaison/expr/elimination.hpp"
#include "liaison/expr/structure.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace liaison::compile {

// A pivot this much smaller than the numbers it is the difference of says that the row is dependent.
[[nodiscard]] double rank_tolerance(std::uint32_t n);

// A factorisation by loops over memory the caller provides. One object serves all threads.
//   list        the straight-line elimination of a sparse system, run as data
//   symmetric   dense LDLᵀ in the order of the structure, for known pivot signs
//   general     dense LU with complete pivoting: rank-revealing
// Lanes are independent systems; element k of lane l is at [k·lanes + l], except in `memory`, where the
// lanes follow each other in blocks of memory_size().
class NumericSystem {
  public:
    enum class Kind : std::uint8_t { list, symmetric, general };

    explicit NumericSystem(std::shared_ptr<const expr::Structure> structure);
    NumericSystem(std::shared_ptr<const expr::Structure> structure, expr::Elimination list);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::uint32_t size() const { return structure_->n; }
    [[nodiscard]] const expr::Structure& structure() const { return *structure_; }
    // Doubles of memory one lane needs between factor and solve.
    [[nodiscard]] std::size_t memory_size() const;

    // Writes 0 into status where the matrix is regular, else 1 + the first dependent row. Dense kinds set
    // dependent unknowns to zero (a basic solution), so nothing becomes infinite.
    void factor(const double* entries, double* memory, double* status,
                std::size_t lanes) const noexcept;
    // The right-hand side passes through the memory too: one solve at a time.
    void solve(const double* rhs, double* memory, double* x, std::size_t lanes) const noexcept;

  private:
    [[nodiscard]] double factor_dense(const double* entries, double* memory,
                                      std::size_t lanes) const noexcept;
    [[nodiscard]] double factor_list(const double* entries, double* memory,
                                     std::size_t lanes) const noexcept;

    std::shared_ptr<const expr::Structure> structure_;
    std::optional<expr::Elimination> list_;
    Kind kind_;
    std::vector<std::uint32_t> position_; // of each unknown in the elimination order
    std::vector<std::uint32_t> unknown_; // at each position
};

} // namespace liaison::compile
