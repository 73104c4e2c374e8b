// SPDX-License-Identifier: Apache-2.0
// What the commands about periodic motions share: their options, and the flow they look at.
#pragma once

#include "liaison/analysis/orbit.hpp"
#include "liaison/app/command.hpp"
#include "liaison/model/model.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

struct OrbitArguments {
    std::string model;
    std::vector<std::string> settings;
    std::optional<double> settle;
    std::optional<double> tolerance;
    std::optional<double> longest;
    std::optional<long> period;
    std::vector<std::string> outputs;
    bool force = false;

    void declare(Options& options, std::string formats);
    // What is wrong with the values, or nothing; `endings` are the formats that can be written.
    [[nodiscard]] std::string complaint(const std::vector<std::string>& endings) const;
};

struct OrbitQuestion {
    std::shared_ptr<const model::Model> model;
    std::shared_ptr<const flow::Flow> flow;
    analysis::OrbitOptions options;
    int refused = 0; // not 0: exit code, everything has been said
};

OrbitQuestion ask_about_orbit(const OrbitArguments& arguments, const Terminal& terminal);

// Writes `texts` (one per output of the arguments); an exit code.
int write_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& texts,
                  const Terminal& terminal);

} // namespace liaison::app
