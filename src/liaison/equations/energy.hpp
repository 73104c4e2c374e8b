// SPDX-License-Identifier: Apache-2.0
// Forces, their power, momenta and energies of a system.
#pragma once

#include "liaison/equations/equations.hpp"

#include <vector>

namespace liaison::equations {

// T − V, or L itself.
Expr lagrangian(const LagrangianInput& input);

std::vector<ForceTerms> force_terms(const Frame& frame, const std::vector<ForceInput>& forces);

EnergyTerms energy_terms(const Frame& frame, const LagrangianInput& input,
                         const std::vector<Expr>& momenta, const std::vector<ForceTerms>& forces);

} // namespace liaison::equations
