// SPDX-License-Identifier: Apache-2.0
// Gathers lanes into dense or sparse storage and hands them to the factorisations.
#include "liaison/compile/numeric_system.hpp"

#include "liaison/compile/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace liaison::compile {
namespace {

using expr::Elimination;
using expr::UnknownClass;

bool pivots_known(const expr::Structure& s) {
    return s.symmetric && !s.classes.empty() &&
           std::all_of(s.classes.begin(), s.classes.end(), [](UnknownClass c) {
               return c == UnknownClass::inertial || c == UnknownClass::multiplier;
           });
}

} // namespace

double rank_tolerance(std::uint32_t n) {
    return 8.0 * std::max(n, 4U) * std::numeric_limits<double>::epsilon();
}

NumericSystem::NumericSystem(std::shared_ptr<const expr::Structure> structure)
    : structure_(std::move(structure)),
      kind_(pivots_known(*structure_) ? Kind::symmetric : Kind::general), position_(structure_->n),
      unknown_(structure_->n) {
    for (std::uint32_t k = 0; k < structure_->n; ++k) {
        unknown_[k] = structure_->order.empty() ? k : structure_->order[k];
        position_[unknown_[k]] = k;
    }
}

NumericSystem::NumericSystem(std::shared_ptr<const expr::Structure> structure, Elimination list)
    : structure_(std::move(structure)), list_(std::move(list)), kind_(Kind::list) {}

// symmetric: matrix, right-hand side, scales. general: matrix, right-hand side, swaps, terms. list: its slots.
std::size_t NumericSystem::memory_size() const {
    const std::size_t n = size();
    switch (kind_) {
    case Kind::list: return list_->n_slots();
    case Kind::symmetric: return n * n + 2 * n;
    case Kind::general: return 2 * n * n + 3 * n + 1;
    }
    return 0;
}

void NumericSystem::factor(const double* entries, double* memory, double* status,
                           std::size_t lanes) const noexcept {
    for (std::size_t lane = 0; lane < lanes; ++lane, memory += memory_size()) {
        status[lane] = kind_ == Kind::list ? factor_list(entries + lane, memory, lanes)
                                           : factor_dense(entries + lane, memory, lanes);
    }
}

double NumericSystem::factor_dense(const double* entries, double* memory,
                                   std::size_t lanes) const noexcept {
    const std::size_t n = size();
    std::fill_n(memory, n * n, 0.0);
    for (std::size_t k = 0; k < structure_->entries.size(); ++k) {
        const std::size_t row = position_[structure_->entries[k].row];
        const std::size_t col = position_[structure_->entries[k].col];
        memory[row * n + col] = entries[k * lanes];
        if (structure_->symmetric) memory[col * n + row] = entries[k * lanes];
    }
    double* extra = memory + n * n + n;
    const double tolerance = rank_tolerance(size());
    const std::size_t dependent =
        kind_ == Kind::symmetric ? dense::factor_ldlt(memory, extra, n, tolerance)
                                 : dense::factor_lu(memory, extra, extra + 2 * n + 1, n, tolerance);
    return dependent == n ? 0.0 : 1.0 + unknown_[dependent];
}

double NumericSystem::factor_list(const double* entries, double* memory,
                                  std::size_t lanes) const noexcept {
    double* own = memory + Elimination::k_first_entry;
    for (std::size_t k = 0; k < list_->n_entries; ++k) own[k] = entries[k * lanes];
    expr::run_factor(*list_, {own, list_->n_entries}, {memory, list_->n_slots()});
    for (const auto& pivot : list_->pivots) {
        const double size = std::abs(memory[pivot.slot]);
        if (!(size > 0.0 && size < std::numeric_limits<double>::infinity())) return 1.0 + pivot.row;
    }
    return 0.0;
}

void NumericSystem::solve(const double* rhs, double* memory, double* x,
                          std::size_t lanes) const noexcept {
    const std::size_t n = size();
    for (std::size_t lane = 0; lane < lanes; ++lane, memory += memory_size()) {
        if (kind_ == Kind::list) {
            double* b = memory + list_->first_rhs_slot();
            for (std::size_t i = 0; i < n; ++i) b[i] = rhs[i * lanes + lane];
            expr::run_solve(*list_, {b, n}, {memory, list_->n_slots()}, {});
            for (std::size_t i = 0; i < n; ++i) x[i * lanes + lane] = memory[list_->solution[i]];
            continue;
        }
        double* b = memory + n * n;
        for (std::size_t i = 0; i < n; ++i) b[i] = rhs[unknown_[i] * lanes + lane];
        if (kind_ == Kind::symmetric)
            dense::solve_ldlt(memory, b, n);
        else
            dense::solve_lu(memory, b + n, b, n);
        for (std::size_t i = 0; i < n; ++i) x[unknown_[i] * lanes + lane] = b[i];
    }
}

} // namespace liaison::compile
