// SPDX-License-Identifier: Apache-2.0
// Checks that the units of parameters fit together wherever expressions join them.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/draft.hpp"
#include "liaison/model/model.hpp"

namespace liaison::model {

// Unknown units are errors; sums, comparisons and function arguments that do not fit are warnings.
void check_units(const Model& model, const Draft& draft, base::Diagnostics& diagnostics);

} // namespace liaison::model
