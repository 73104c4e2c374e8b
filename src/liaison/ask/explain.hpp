// SPDX-License-Identifier: Apache-2.0
// What equations were made of it?
#pragma once

#include "liaison/ask/answer.hpp"
#include "liaison/equations/explain.hpp"

namespace liaison::ask {

// There is always an answer: the equations stand whatever the numbers. What is wrong with those is in the diagnostics,
// as `check` tells it.
[[nodiscard]] Answer<equations::Explanation> explain(const model::Model& model,
                                                     const equations::ExplainOptions& question = {},
                                                     base::Diagnostics diagnostics = {});

} // namespace liaison::ask
