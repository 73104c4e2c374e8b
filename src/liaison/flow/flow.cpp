// SPDX-License-Identifier: Apache-2.0
// Look-ups in a flow.
#include "liaison/flow/flow.hpp"

#include "liaison/base/assert.hpp"

namespace liaison::flow {

std::size_t slot_of(const Flow& flow, Expr symbol) {
    for (std::size_t i = 0; i < flow.modes.size(); ++i) {
        if (flow.modes[i].symbol == symbol) return i;
    }
    LIAISON_ASSERT(false, "the symbol is a mode of the flow");
    return 0;
}

} // namespace liaison::flow
