// SPDX-License-Identifier: Apache-2.0
// Each loop in the variant of this processor.
#include "liaison/compile/taylor_lanes.hpp"

#include "liaison/compile/row_dispatch.hpp"
#include "liaison/compile/step_rule.hpp"

#include <limits>

namespace liaison::compile {
namespace {

constexpr double k_unbounded = std::numeric_limits<double>::infinity();
constexpr double k_largest = std::numeric_limits<double>::max();

#define LIAISON_ROW_LOOPS "liaison/compile/taylor_rows.inl"
#include "liaison/compile/row_variants.hpp"

} // namespace

std::size_t usual_lanes() { return has_wide_registers() ? 8 : 4; }

void choose_steps(const TaylorBatch& batch, const TaylorWorkspace& workspace,
                  const Tolerance& tolerance, LaneValues& steps) {
    row_variant(batch.lanes(), plain::choose_steps, avx2::choose_steps,
                avx512::choose_steps)(batch.state(workspace, 0).data(), batch.plan().states.size(),
                                      std::size_t{batch.order()}, &tolerance, steps.data());
}

void limit_steps(const Series& series, double share, double tolerance, const LaneValues& counts,
                 LaneValues& steps) {
    row_variant(series.lanes, plain::limit_steps, avx2::limit_steps, avx512::limit_steps)(
        series.rows.data(), series.degree(), share * tolerance, counts.data(), steps.data());
}

void truncations(const Series& series, const LaneValues& tau, LaneValues& result) {
    row_variant(series.lanes, plain::truncations, avx2::truncations, avx512::truncations)(
        series.rows.data(), series.degree(), tau.data(), result.data());
}

void evaluate_compensated(const Series& series, const LaneValues& tau, double* values,
                          double* lows) {
    row_variant(series.lanes, plain::evaluate, avx2::evaluate, avx512::evaluate)(
        series.rows.data(), series.degree() + 1, tau.data(), values, lows);
}

} // namespace liaison::compile
