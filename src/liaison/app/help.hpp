// SPDX-License-Identifier: Apache-2.0
// Help texts generated from the command table.
#pragma once

#include "liaison/app/command.hpp"

#include <string>

namespace liaison::app {

// What `liaison` alone and `liaison --help` print.
[[nodiscard]] std::string program_help();
// -h: usage and options; --help: description and examples too.
[[nodiscard]] std::string command_help(const Command& command, bool full);
// docs/reference/commands.md.
[[nodiscard]] std::string commands_markdown();

} // namespace liaison::app
