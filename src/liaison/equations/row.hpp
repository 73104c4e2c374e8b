// SPDX-License-Identifier: Apache-2.0
// Sparse rows of expressions over the velocities of a system.
#pragma once

#include "liaison/expr/expr.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace liaison::equations {

struct RowEntry {
    std::uint32_t index = 0;
    expr::Expr value;
    friend bool operator==(const RowEntry&, const RowEntry&) = default;
};

// Ascending indices, no zero values.
using Row = std::vector<RowEntry>;

struct MatrixEntry {
    std::uint32_t row = 0;
    std::uint32_t col = 0;
    expr::Expr value;
};

// The lower triangle (row ≥ col) of a symmetric matrix, ordered by row and column.
using SymmetricMatrix = std::vector<MatrixEntry>;

// Collects terms by index and adds them up.
class RowBuilder {
  public:
    RowBuilder(expr::Pool& pool, std::size_t size) : pool_(pool), terms_(size) {}
    void add(std::size_t index, expr::Expr value) {
        if (!value.is_zero()) terms_[index].push_back(value);
    }
    [[nodiscard]] expr::Expr at(std::size_t index) const { return pool_.sum(terms_[index]); }
    [[nodiscard]] Row row() const {
        Row result;
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            if (terms_[i].empty()) continue;
            const expr::Expr value = at(i);
            if (!value.is_zero()) result.push_back({static_cast<std::uint32_t>(i), value});
        }
        return result;
    }
    [[nodiscard]] std::vector<expr::Expr> dense() const {
        std::vector<expr::Expr> result;
        for (std::size_t i = 0; i < terms_.size(); ++i) result.push_back(at(i));
        return result;
    }

  private:
    expr::Pool& pool_;
    std::vector<std::vector<expr::Expr>> terms_;
};

// Σ row_i values[i]
expr::Expr dot(expr::Pool& pool, const Row& row, std::span<const expr::Expr> values);

} // namespace liaison::equations
