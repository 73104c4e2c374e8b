// SPDX-License-Identifier: Apache-2.0
// Which motion to take where a surface does not determine one: choices beside those of the model.
#pragma once

#include "liaison/model/model.hpp"

#include <map>
#include <string>

namespace liaison::realise {

using Branch = model::RelayBranch;

// By the name of the relay.
using Branches = std::map<std::string, Branch>;

} // namespace liaison::realise
