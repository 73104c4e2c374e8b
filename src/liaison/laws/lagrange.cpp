// SPDX-License-Identifier: Apache-2.0
// The constraint row of a sliding surface.
#include "liaison/laws/lagrange.hpp"

namespace liaison::laws {

equations::ReactionRow multiplier_row(const equations::Frame& frame, Expr surface, Expr slides) {
    equations::RateRow row{surface, frame.velocity_gradient(surface), frame.drift(surface)};
    if (row.W.empty()) {
        const Expr rate = frame.drift(surface);
        row = {rate, frame.velocity_gradient(rate), frame.drift(rate)};
    }
    return equations::reaction_row(row, {}, slides);
}

} // namespace liaison::laws
