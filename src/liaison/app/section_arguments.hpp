// SPDX-License-Identifier: Apache-2.0
// What the commands about sections of motions share: their options.
#pragma once

#include "liaison/app/command.hpp"
#include "liaison/ask/section.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

struct SectionArguments {
    std::string model;
    std::vector<std::string> settings;
    std::string section; // "period", "event:NAME" or an expression
    std::string direction = "up";
    bool before = false;
    std::optional<double> phase;
    std::optional<long> drop;
    std::optional<long> points;
    std::optional<double> until;
    std::optional<double> tolerance;
    std::vector<std::string> observe;
    std::vector<std::string> outputs;
    bool force = false;

    void declare(Options& options);
    // What is wrong with the values, or nothing.
    [[nodiscard]] std::string complaint() const;
    [[nodiscard]] ask::SectionQuestion question() const;
};

} // namespace liaison::app
