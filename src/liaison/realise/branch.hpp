// SPDX-License-Identifier: Apache-2.0
// Which motion to take where a surface does not determine one: what a user may choose.
#pragma once

#include <map>
#include <string>

namespace liaison::realise {

enum class Branch {
    none, // stop and list the motions; a static level holds where it can
    stay, // slide, on a surface that repels too
    above,
    below,
    cross, // go on to the other side although a static level could hold
};

// By the name of the relay.
using Branches = std::map<std::string, Branch>;

} // namespace liaison::realise
