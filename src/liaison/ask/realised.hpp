// SPDX-License-Identifier: Apache-2.0
// The flow of a model at its start, or why there is none: the one place where questions realise a model.
#pragma once

#include "liaison/ask/answer.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <optional>

namespace liaison::ask {

// What realise::realise may be told beside the model.
struct RealiseWords {
    std::optional<double> layer = {};
    bool release = true;
    realise::Branches branches = {};
};

// Reports what the theory of the realisation forbids and what contacts cannot be asked for; nothing is left then.
[[nodiscard]] std::optional<realise::Realisation> realised(const model::Model& model,
                                                           const prepare::Start& start,
                                                           Findings& findings,
                                                           const RealiseWords& words = {});

} // namespace liaison::ask
