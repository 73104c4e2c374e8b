// SPDX-License-Identifier: Apache-2.0
// NAME=FROM:TO or NAME=FROM:TO:POINTS as options of commands write it.
#pragma once

#include "liaison/base/diagnostic.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace liaison::ask {

struct Range {
    std::string name;
    double from = 0.0;
    double to = 0.0;
    std::optional<std::size_t> points;
};

// What a command asks of a range.
struct RangeRule {
    bool falling = false; // FROM may lie above TO
    bool positive = false; // both ends: the points are spread over powers of ten
    std::size_t fewest = 2; // points, where they are given
    std::size_t most = 10'000'000;
    std::string example = "A=0.1:0.5";
};

// Reports what is wrong under the name of the option ("--over").
std::optional<Range> read_range(const std::string& option, const std::string& text,
                                base::Diagnostics& diagnostics, const RangeRule& rule = {});

} // namespace liaison::ask
