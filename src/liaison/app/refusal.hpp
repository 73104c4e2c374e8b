// SPDX-License-Identifier: Apache-2.0
// A question without an answer, told to the user.
#pragma once

#include "liaison/app/terminal.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/model/model.hpp"

namespace liaison::app {

// The exit code: wrong input, or a sound model that cannot be asked this.
[[nodiscard]] int refuse(const ask::Findings& findings, const model::Model& model,
                         const Terminal& terminal);

// What is worth knowing beside an answer.
void tell_notes(const ask::Findings& findings, const Terminal& terminal);

} // namespace liaison::app
