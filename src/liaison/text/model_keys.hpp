// SPDX-License-Identifier: Apache-2.0
// All tables and keys of a model file, one row each.
#pragma once

#include "liaison/text/schema.hpp"

#include <span>

namespace liaison::text {

[[nodiscard]] std::span<const KeyRow> model_keys();

} // namespace liaison::text
