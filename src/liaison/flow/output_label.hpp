// SPDX-License-Identifier: Apache-2.0
// How a user names a quantity of a flow: x, x', x'', the quasi-velocity p and its rate p', floor.reaction, tip.normal.
#pragma once

#include "liaison/flow/flow.hpp"

#include <algorithm>
#include <string>

namespace liaison::flow {

// A velocity that belongs to no coordinate has a name of its own.
[[nodiscard]] inline bool is_quasi(const Flow& flow, const Output& output) {
    return std::ranges::none_of(flow.outputs, [&](const Output& other) {
        return other.group == OutputGroup::q && other.name == output.name;
    });
}

[[nodiscard]] inline std::string label_of(const Flow& flow, const Output& output) {
    switch (output.group) {
    case OutputGroup::v: return output.name + (is_quasi(flow, output) ? "" : "'");
    case OutputGroup::a: return output.name + (is_quasi(flow, output) ? "'" : "''");
    case OutputGroup::reaction:
        return output.part.empty() ? output.name + ".reaction" : output.name + "." + output.part;
    default: return output.name;
    }
}

} // namespace liaison::flow
