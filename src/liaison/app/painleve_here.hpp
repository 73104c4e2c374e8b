// SPDX-License-Identifier: Apache-2.0
// The contact problem of the start state with all its solutions, and Bolotov's plane.
#pragma once

#include "liaison/analysis/painleve.hpp"
#include "liaison/app/terminal.hpp"

#include <string>

namespace liaison::app {

int painleve_here(const model::Model& model, const analysis::SlipScan& scan,
                  const std::string& contact, bool bolotov, const std::string& output,
                  const Terminal& terminal);

} // namespace liaison::app
