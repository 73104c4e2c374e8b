// SPDX-License-Identifier: Apache-2.0
// Enclosure of all solutions of a linear system with interval entries.
#pragma once

#include "liaison/expr/interval.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace liaison::expr {

// A box around {x : A x = b for some A, b in the given intervals}, A row by row. A result proves
// that every such A is regular; nothing is returned where that cannot be shown.
std::optional<std::vector<Interval>> enclose_solution(std::span<const Interval> matrix,
                                                      std::span<const Interval> rhs);

} // namespace liaison::expr
