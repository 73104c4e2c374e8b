// SPDX-License-Identifier: Apache-2.0
// Pictures of a run: coordinates over time with event marks and mode strips, phase plane.
#pragma once

#include "liaison/record/run.hpp"
#include "liaison/record/svg.hpp"

namespace liaison::record {

// Time series of positions and velocities with event marks; a strip per contact or relay shows its mode.
Figure time_series(const Run& run, const flow::Flow& flow);
// Velocity over position for each coordinate.
Figure phase_plane(const Run& run, const flow::Flow& flow);

} // namespace liaison::record
