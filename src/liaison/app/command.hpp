// SPDX-License-Identifier: Apache-2.0
// A command of the program, and the table of all of them.
#pragma once

#include "liaison/app/exit_code.hpp"
#include "liaison/app/options.hpp"
#include "liaison/app/terminal.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace liaison::app {

// Runs the command with the options that were parsed; returns the exit code.
using Action = std::function<int(Terminal&)>;

struct Example {
    std::string_view line;  // "liaison check pendulum.toml"
    std::string_view says;
};

struct Command {
    std::string_view name;
    std::string_view summary;      // one line, the question it answers
    std::string_view description;  // a paragraph for --help
    std::vector<Example> examples;
    // Declares the options of the command; the action it returns keeps their targets alive.
    Action (*setup)(Options& options);
};

// In the order in which help lists them. A new command is one function here, one row in
// commands.cpp and one file command_NAME.cpp.
[[nodiscard]] std::span<const Command> commands();
[[nodiscard]] const Command* find_command(std::string_view name);

Command check_command();
Command explain_command();
Command run_command();
Command compare_command();
Command painleve_command();
Command converge_command();
Command stiffness_command();
Command invert_command();
Command plot_command();
Command rerun_command();
Command equilibrium_command();
Command orbit_command();
Command follow_command();
Command lyapunov_command();
Command average_command();
Command hodograph_command();
Command section_command();
Command sweep_command();
Command doctor_command();
Command completion_command();

} // namespace liaison::app
