// SPDX-License-Identifier: Apache-2.0
// NAME=FROM:TO or NAME=FROM:TO:POINTS as options of commands write it.
#pragma once

#include "liaison/base/diagnostic.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace liaison::app {

struct Range {
    std::string name;
    double from = 0.0;
    double to = 0.0;
    std::optional<std::size_t> points;
};

// Reports what is wrong under the name of the option ("--over").
std::optional<Range> read_range(const std::string& option, const std::string& text,
                                base::Diagnostics& diagnostics);

} // namespace liaison::app
