// SPDX-License-Identifier: Apache-2.0
// A gap without a direction at the start: its distance from the wall cannot be measured by the kinetic metric there.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

namespace liaison::realise {

// The first contact of a model whose gap has no gradient at this point, if Routh's function or a spring in the kinetic metric
// would need one: both divide by ∇g·M⁻¹∇g, wherever the body is. Nothing: none, or contacts by events.
[[nodiscard]] const model::Contact* contact_with_flat_gap(const model::Model& model,
                                                          const prepare::Point& point);

} // namespace liaison::realise
