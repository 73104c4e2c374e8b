// SPDX-License-Identifier: Apache-2.0
// The mode rule of relays whose rates are not affine in the relay values: u ∈ [−1,1]^m, u_i ∈ Sgn(y_i(u)).
//
// Every choice of sliding relays is tried: one relay by a scan of its interval with every change of sign polished,
// several by Newton's method from a grid of starts. Roots that the grid misses are missed: `complete` is false then,
// unless one relay alone slides.
#pragma once

#include "liaison/solve/box_vi.hpp"

#include <functional>

namespace liaison::solve {

// y(u), and its Jacobian where J is not null.
using BoxRates = std::function<void(const Vector& u, Vector& y, Matrix* J)>;

[[nodiscard]] BoxResult solve_box_roots(const BoxRates& rates, Eigen::Index m,
                                        const BoxOptions& options = {});

} // namespace liaison::solve
