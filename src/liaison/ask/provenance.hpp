// SPDX-License-Identifier: Apache-2.0
// How the numbers of a run were made: program, machine, model and question.
#pragma once

#include "liaison/ask/run.hpp"
#include "liaison/model/model.hpp"
#include "liaison/record/run.hpp"

namespace liaison::ask {

// Adds to what the run itself knows (method, step, tolerance).
void complete(record::Provenance& provenance, const model::Model& model,
              const RunQuestion& question);

} // namespace liaison::ask
