// SPDX-License-Identifier: Apache-2.0
// What the commands about periodic motions share: their options.
#pragma once

#include "liaison/app/flow_arguments.hpp"
#include "liaison/ask/orbit.hpp"

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
    [[nodiscard]] ask::OrbitQuestion question() const;
};

} // namespace liaison::app
