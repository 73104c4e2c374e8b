// SPDX-License-Identifier: Apache-2.0
// The shorter of a derived form and the same multiplied out.
#pragma once

#include "liaison/equations/frame.hpp"

#include <vector>

namespace liaison::equations {

// `open` is the same as `given`, without names inside. In small systems it is multiplied out, so that terms
// cancel; what costs less to evaluate is returned, both tidied.
std::vector<Expr> shorten(const Frame& frame, std::vector<Expr> given,
                          const std::vector<Expr>& open);

} // namespace liaison::equations
