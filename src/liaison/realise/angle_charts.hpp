// SPDX-License-Identifier: Apache-2.0
// The cut of atan2(y, x): the angle jumps from π to −π where y passes zero while x < 0.
//
// Near its cut the angle is cπ + atan2(−y, −x), smooth across it, with c = 1 above and c = −1 below; to the right of
// x = 0 it is atan2(y, x), c = 0. The chart c is a mode: it changes in silence where x passes zero, and with an event
// where y does on the left. So neither a series nor rounding carries an angle over the cut.
#pragma once

#include "liaison/flow/flow.hpp"

#include <vector>

namespace liaison::realise {

struct Angle {
    expr::Expr y, x;
    expr::Expr chart; // c
};

// The angle as a smooth function of y, x and the chart.
expr::Expr in_chart(const Angle& angle);
// The node in it that must not be rewritten again.
expr::Expr plain_part(const Angle& angle);

// Guards and transition; the slots of the charts are declared.
void install_angles(const std::vector<Angle>& angles, flow::Flow& flow);

} // namespace liaison::realise
