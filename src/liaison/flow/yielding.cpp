// SPDX-License-Identifier: Apache-2.0
// The gaps that yield, of all owners.
#include "liaison/flow/yielding.hpp"

#include "liaison/flow/flow.hpp"

namespace liaison::flow {

std::vector<YieldingGap> yielding_gaps(const Flow& flow) {
    std::vector<YieldingGap> all;
    for (const auto& transition : flow.transitions) {
        const auto* owner = dynamic_cast<const Yielding*>(transition.get());
        if (owner == nullptr) continue;
        for (YieldingGap& gap : owner->yielding()) all.push_back(std::move(gap));
    }
    return all;
}

} // namespace liaison::flow
