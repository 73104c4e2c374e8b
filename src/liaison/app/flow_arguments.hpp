// SPDX-License-Identifier: Apache-2.0
// What the commands that ask about a flow share: a model file with settings, and files for the answer.
#pragma once

#include "liaison/app/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

struct FlowArguments {
    std::string model;
    std::vector<std::string> settings;
    std::optional<double> tolerance;
    std::vector<std::string> outputs;
    bool force = false;

    void declare(Options& options, std::string formats);
    // What is wrong with the values, or nothing; `endings` are the formats that can be written.
    [[nodiscard]] std::string complaint(const std::vector<std::string>& endings) const;
};

// The parts of "a,b" and "c", as options that take lists and may be repeated give them.
[[nodiscard]] std::vector<std::string> listed(const std::vector<std::string>& texts);

// Writes `texts` (one per path), each whatever happens to the others; an exit code.
int write_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& texts,
                  const Terminal& terminal);

} // namespace liaison::app
