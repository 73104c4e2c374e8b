// SPDX-License-Identifier: Apache-2.0
// Which stiffness do elastic contacts need for a wanted error, and what do they return?
#pragma once

#include "liaison/analysis/choose_stiffness.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/setting.hpp"
#include "liaison/realise/spring_facts.hpp"

#include <optional>
#include <vector>

namespace liaison::ask {

struct StiffnessQuestion {
    std::vector<Setting> set = {};
    std::optional<double> until = {};
    std::optional<double> tolerance = {};
    analysis::StiffnessWish wish = {};
};

[[nodiscard]] Answer<analysis::StiffnessAnswer> stiffness(const model::Model& model,
                                                          const StiffnessQuestion& question,
                                                          const Control& control = {},
                                                          base::Diagnostics diagnostics = {});

// What each contact is as a spring at the start: frequency, damping ratio, restitution.
[[nodiscard]] Answer<std::vector<realise::SpringFacts>>
springs(const model::Model& model, const std::vector<Setting>& set = {},
        base::Diagnostics diagnostics = {});

} // namespace liaison::ask
