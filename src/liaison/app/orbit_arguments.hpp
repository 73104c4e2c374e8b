// SPDX-License-Identifier: Apache-2.0
// What the commands about periodic motions share: their options, and the flow they look at.
#pragma once

#include "liaison/analysis/orbit.hpp"
#include "liaison/app/flow_question.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

struct OrbitArguments : FlowArguments {
    std::optional<double> settle;
    std::optional<double> longest;
    std::optional<long> period;

    void declare(Options& options, std::string formats);
    [[nodiscard]] std::string complaint(const std::vector<std::string>& endings) const;
};

struct OrbitQuestion : FlowQuestion {
    analysis::OrbitOptions options;
};

OrbitQuestion ask_about_orbit(const OrbitArguments& arguments, const Terminal& terminal);

} // namespace liaison::app
