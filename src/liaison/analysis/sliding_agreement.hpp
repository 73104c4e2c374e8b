// SPDX-License-Identifier: Apache-2.0
// The agreement of the definitions of sliding for the relays of a model.
#pragma once

#include "liaison/laws/relay_agreement.hpp"
#include "liaison/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct SlidingAgreement {
    struct One {
        std::string relay;
        laws::RelayAgreement agreement;
        bool holding = false; // more at rest than in motion: no Filippov system
    };
    std::vector<One> relays;
    std::vector<std::string>
        velocities; // what the indices of violated pairs mean; states of a [system]
    std::optional<laws::RangeAgreement> together; // two relays and more
};

// Nothing where the model has no relays. Without a kinetic metric (a [system] model) Filippov and Utkin are compared.
[[nodiscard]] std::optional<SlidingAgreement> sliding_agreement(const model::Model& model);

} // namespace liaison::analysis
