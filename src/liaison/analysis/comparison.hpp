// SPDX-License-Identifier: Apache-2.0
// Two motions of one model by different realisations: where and by how much they differ.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/record/run.hpp"

#include <map>
#include <string>
#include <vector>

namespace liaison::analysis {

struct Variant {
    std::string word; // the realisation as the user called it
    flow::Flow flow;
    record::Run run;
};

// Largest differences over the common samples, by name: x, x', x''.
struct Difference {
    std::size_t first = 0;
    std::size_t second = 0;
    std::map<std::string, double> largest;
    double time = 0.0; // where positions or velocities differ most
    double worst = 0.0; // of positions and velocities, relative to 1 + their size
    double first_apart =
        0.0; // the first sample where they differ by more than the tolerance explains
    bool apart = false;
    bool ends_early = false; // alike as long as both go on, but one of them ends before the other
};

// `tolerance`: of the runs.
[[nodiscard]] std::vector<Difference> compare(const std::vector<Variant>& variants,
                                              double tolerance);

} // namespace liaison::analysis
