// SPDX-License-Identifier: Apache-2.0
// Pictures of a run: quantities over time with event marks and mode strips, one quantity over another.
#pragma once

#include "liaison/record/svg.hpp"
#include "liaison/record/table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::record {

// Columns over time, those of one kind and unit in one panel; a strip per contact or relay shows its mode. Nothing
// chosen: coordinates, velocities, and those reactions, relays and observed quantities that are ever different from zero.
Figure time_series(const Table& table, const std::vector<const Column*>& chosen = {});

// A curve of one column over another.
struct Pair {
    const Column* x = nullptr;
    const Column* y = nullptr;
};
// Nothing chosen: velocity over position for each coordinate.
Figure phase_plane(const Table& table, const std::vector<Pair>& chosen = {});

// How far the first integrals are from their values at the first sample; none: an empty figure.
Figure integral_drift(const Table& table);

// The column with this label; null if there is none.
const Column* find_column(const Table& table, std::string_view label);

} // namespace liaison::record
