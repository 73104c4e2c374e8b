// SPDX-License-Identifier: Apache-2.0
// What equations were made of a model, in the words and order of a textbook.
#pragma once

#include "liaison/equations/equations.hpp"
#include "liaison/equations/explanation.hpp"
#include "liaison/model/model.hpp"

namespace liaison::equations {

struct ExplainOptions {
    // 1: coordinates, energies, equations of motion, constraints, contacts, relays, switching surfaces.
    // 2: also momenta, energy balance, drift terms and the structure of the linear system.
    int level = 1;
};

Explanation explain(const model::Model& model, const ExplainOptions& options = {});

} // namespace liaison::equations
