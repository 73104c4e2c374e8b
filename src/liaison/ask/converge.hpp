// SPDX-License-Identifier: Apache-2.0
// Does a realisation converge to its limit, at the order the theorem says?
#pragma once

#include "liaison/analysis/convergence.hpp"
#include "liaison/analysis/stiffness_study.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/range.hpp"
#include "liaison/ask/setting.hpp"
#include "liaison/model/method.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct ConvergeQuestion {
    std::vector<Setting> set = {};
    std::optional<double> until = {};
    std::optional<double> tolerance = {};
    std::optional<model::Method> method = {};
    std::vector<std::string> realise = {};
    // "stiffness", "layer", "approach", "step", or a parameter towards 0; both ends positive, points spread over powers
    // of ten.
    Range over = {};
    analysis::ElasticStart start = analysis::ElasticStart::paper;
    std::size_t samples = 401; // at which errors are measured
};

[[nodiscard]] Answer<analysis::Convergence> converge(const model::Model& model,
                                                     const ConvergeQuestion& question,
                                                     const Control& control = {},
                                                     base::Diagnostics diagnostics = {});

} // namespace liaison::ask
