// SPDX-License-Identifier: Apache-2.0
// The table of all commands.
#include "liaison/app/command.hpp"

#include <algorithm>

namespace liaison::app {

std::span<const Command> commands() {
    static const std::vector<Command> table = {
        check_command(),    explain_command(),  run_command(),         plot_command(),
        rerun_command(),    compare_command(),  converge_command(),    stiffness_command(),
        painleve_command(), invert_command(),   equilibrium_command(), orbit_command(),
        follow_command(),   lyapunov_command(), average_command(),     hodograph_command(),
        section_command(),  sweep_command(),    doctor_command(),      completion_command(),
    };
    return table;
}

const Command* find_command(std::string_view name) {
    const auto found = std::ranges::find(commands(), name, &Command::name);
    return found == commands().end() ? nullptr : &*found;
}

} // namespace liaison::app
