// SPDX-License-Identifier: Apache-2.0
// How the start state depends on a parameter: start values may be formulas, or follow from constraints and contacts.
#pragma once

#include "liaison/prepare/prepare.hpp"

#include <optional>
#include <vector>

namespace liaison::prepare {

struct StartDerivative {
    std::vector<double> q;
    std::vector<double> v;
    double error = 0.0; // estimated, absolute
};

// ∂(q, v)/∂p at the start by extrapolated differences of prepare() itself. Nothing where the start cannot be had on
// both sides of the value of the parameter.
[[nodiscard]] std::optional<StartDerivative> start_derivative(const model::Model& model,
                                                              const Options& options,
                                                              const Start& start,
                                                              std::size_t parameter);

} // namespace liaison::prepare
