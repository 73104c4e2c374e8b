// SPDX-License-Identifier: Apache-2.0
// Keeps positions and velocities on the constraints after each step, in the kinetic metric.
//
// With violation f, rate s = ḟ, rows W and responses R = M⁻¹Wᵀ the step
//   q ← q − K R (W R)⁺ f,   v ← v − R (W R)⁺ s
// is one Gauss–Newton step towards f = 0, s = 0 with the smallest change in the norm of the kinetic energy. The
// remaining violation is of second order in the one before.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/flow/flow.hpp"

#include <optional>
#include <vector>

namespace liaison::realise {

struct KeptRow {
    expr::Expr violation; // of the position; empty for nonholonomic constraints
    expr::Expr rate; // vanishes along the motion
    equations::Row W; // ∂rate/∂u
    std::optional<expr::Expr> mask; // kept only while this mode symbol is 1
};

// Adds the projection as a transition without guards. The flow's mode slots must be complete.
void install_projection(const equations::Equations& equations,
                        const equations::LinearSystem& mass_system, std::vector<KeptRow> rows,
                        flow::Flow& flow);

} // namespace liaison::realise
