// SPDX-License-Identifier: Apache-2.0
// Comparisons are truth values, everything else is a quantity: each in its place.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/parser.hpp"

namespace liaison::text {

// Truth values stand under and, or, not, in the first argument of if(…), and at the root of a
// condition; nowhere else. What violates this is reported and the tree marked broken.
void check_truth_values(Syntax& syntax, Form form, base::Diagnostics& diagnostics);

} // namespace liaison::text
