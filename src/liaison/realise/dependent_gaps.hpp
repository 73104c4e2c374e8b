// SPDX-License-Identifier: Apache-2.0
// Whether gaps can depend on each other: three feet in a row, four on a floor.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <vector>

namespace liaison::realise {

// Gradients of gaps that are dependent at this point, modulo the bilateral constraints. Two sides of one contact are never
// closed together and count once.
[[nodiscard]] bool gaps_depend(const model::Model& model, const equations::Equations& equations,
                               const std::vector<ContactSide>& sides, const prepare::Point& point);

} // namespace liaison::realise
