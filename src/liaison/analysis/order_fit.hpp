// SPDX-License-Identifier: Apache-2.0
// Orders of convergence: fitted slopes, envelopes where errors scatter, and the verdict beside a theorem.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace liaison::analysis {

// Errors against a parameter whose limit is infinity (or zero: then orders are those of the parameter itself).
struct ErrorRow {
    std::vector<double> parameter;
    std::vector<double> error;
};

struct OrderFit {
    std::optional<double>
        order; // positive: the error shrinks towards the limit; nothing: too few points
    std::vector<double> local; // between neighbours
    std::size_t used = 0; // points above the floor of the integrator
};

// Least squares of log error against log parameter. Points below `floor` (100 times the error of the integrator)
// are left out. `envelope`: the largest error of each decade stands for the decade.
[[nodiscard]] OrderFit fit_order(const ErrorRow& row, double floor, bool envelope);

enum class OrderVerdict { agrees, better, worse, pre_asymptotic, unknown };
[[nodiscard]] std::string_view word(OrderVerdict verdict);

// agrees: within `tolerance` of the theorem; pre-asymptotic: not, while the local orders still drift.
[[nodiscard]] OrderVerdict judge(const OrderFit& fit, double theorem, double tolerance);

} // namespace liaison::analysis
