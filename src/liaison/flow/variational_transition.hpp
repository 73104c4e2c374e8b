// SPDX-License-Identifier: Apache-2.0
// The transition of an extended flow: the original ones act, then the tangent vectors pass the event.
#pragma once

#include "liaison/flow/saltation_rule.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace liaison::flow {

// Tangents and the slot `lost` follow the state and the modes of the base flow.
struct TangentPlan {
    std::size_t first = 0;
    std::size_t lost = 0;
    struct Variation {
        double time = 0.0;
        std::optional<std::size_t> parameter; // index among the atoms' parameters
    };
    std::vector<Variation> tangents;
};

[[nodiscard]] std::shared_ptr<const Transition>
make_variational_transition(std::shared_ptr<const SaltationRule> rule, TangentPlan plan);

} // namespace liaison::flow
