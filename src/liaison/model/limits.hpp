// SPDX-License-Identifier: Apache-2.0
// Bounds on the size of a model: beyond them a file is refused instead of filling the memory.
#pragma once

#include <cstddef>

namespace liaison::model {

struct Limits {
    std::size_t names = 100'000; // coordinates, parameters, [let] names, members of families
    std::size_t nodes = 1'000'000; // nodes of all expressions together, families expanded
    std::size_t bodies = 1'000;
    std::size_t table_points = 100'000; // of one [table.NAME]
};

} // namespace liaison::model
