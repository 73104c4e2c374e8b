// SPDX-License-Identifier: Apache-2.0
// Where a hodograph meets itself.
#pragma once

#include "liaison/analysis/hodograph.hpp"

namespace liaison::analysis {

// Fills crossings, retraced and complete of `h` from its points, up to the end of its first period. `size`: of the
// hodograph.
void find_crossings(const BodyMotion& motion, double size, const HodographOptions& options,
                    Hodograph& h);

} // namespace liaison::analysis
