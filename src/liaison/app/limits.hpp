// SPDX-License-Identifier: Apache-2.0
// The published bounds on what liaison accepts, gathered from the rooms that enforce them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace liaison::app {

struct Limit {
    std::string_view key;
    std::size_t value;
    std::string_view meaning;
};

[[nodiscard]] std::vector<Limit> limits();

} // namespace liaison::app
