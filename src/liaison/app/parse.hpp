// SPDX-License-Identifier: Apache-2.0
// From the words of the command line to a command that is ready to run.
#pragma once

#include "liaison/app/command.hpp"

#include <string>
#include <variant>
#include <vector>

namespace liaison::app {

struct UsageError {
    std::string message;
    std::string hint;  // may be empty
};

// Parses the words after the name of the command and fills the options' targets.
[[nodiscard]] std::variant<Action, UsageError>
parse(const Command& command, const std::vector<std::string>& words, Terminal& terminal);

} // namespace liaison::app
