// SPDX-License-Identifier: Apache-2.0
// A model as the text of a model file: what was said to a builder, in the words a file has for it.
#pragma once

#include "liaison/model/draft.hpp"

#include <string>

namespace liaison::model {

// Reads back to the same draft: the same names in the same order, the same expressions, the same numbers to the last bit.
[[nodiscard]] std::string to_toml(const Draft& draft);

} // namespace liaison::model
