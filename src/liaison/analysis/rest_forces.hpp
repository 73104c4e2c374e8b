// SPDX-License-Identifier: Apache-2.0
// Forces of rest that the balance does not determine: a ladder between a rough floor and a rough wall.
//
// In one place all forces that balance there are Λ + N y, N a basis of the self-stresses. A place is one of rest if some of
// them are within what the supports can bear: pressures ≥ 0, friction within μ times its pressure, relays between their values.
// For planar friction that is a polyhedron of y; the cone of friction in space is replaced by an inscribed pyramid.
#pragma once

#include "liaison/analysis/rest_equations.hpp"

#include <Eigen/Core>

namespace liaison::analysis {

// X = (q, Λ) with forces the supports can bear, well inside their bounds where there is room; X itself where there are none.
[[nodiscard]] Eigen::VectorXd forces_within(const RestEquations& rest, const SupportStates& states,
                                            const Eigen::VectorXd& X, double scale);

} // namespace liaison::analysis
