// SPDX-License-Identifier: Apache-2.0
// The contact problem of the start state with all its solutions, and Bolotov's plane.
#pragma once

#include "liaison/analysis/painleve.hpp"
#include "liaison/ask/painleve.hpp"

#include <optional>
#include <string>

namespace liaison::ask {

// Nothing, and a reason, where the accelerations are not determined there.
[[nodiscard]] std::optional<PainleveAnswer> at_the_start(const model::Model& model,
                                                         const analysis::SlipScan& scan,
                                                         const std::string& contact, bool bolotov,
                                                         Findings& findings);

} // namespace liaison::ask
