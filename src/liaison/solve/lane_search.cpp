// SPDX-License-Identifier: Apache-2.0
// The search in the variant of this processor.
#include "liaison/solve/lane_search.hpp"

#include "liaison/compile/row_dispatch.hpp"
#include "liaison/solve/bernstein_weights.hpp"
#include "liaison/solve/double_length.hpp"

#include <algorithm>
#include <cstring>

namespace liaison::solve {
namespace {

constexpr std::size_t k_lane_room = (k_max_degree / 8 + 1) * 8;

#define LIAISON_ROW_LOOPS "liaison/solve/lane_search_rows.inl"
#include "liaison/compile/row_variants.hpp"

} // namespace

void search_lanes(const LaneQuery& query, LaneRoots& found) {
    found = {};
    const std::size_t size = query.coefficients.size() / query.lanes;
    if (size < 3 || size > k_max_degree + 1) return;
    compile::row_variant(query.lanes, plain::search, avx2::search,
                         avx512::search)(query, size, &bernstein_weights(size - 1), found);
}

} // namespace liaison::solve
