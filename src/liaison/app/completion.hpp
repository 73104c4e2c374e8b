// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells, generated from the command table.
#pragma once

#include <string>

namespace liaison::app {

[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

} // namespace liaison::app
