// SPDX-License-Identifier: Apache-2.0
// Where are the resonances of an oscillator with stops? Averaged, and exact beside.
#pragma once

#include "liaison/analysis/resonance_report.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/subject.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct AverageQuestion {
    std::vector<Setting> set = {};
    std::vector<std::string> small = {}; // parameters: damping, force, offset
    Range over = {};                     // the parameter the curves run over
    std::vector<analysis::Ratio> resonances = {}; // none: 1 to the nearest
    std::optional<std::size_t> exact = {}; // exact orbits beside each curve
    std::optional<double> tolerance = {};
};

[[nodiscard]] Answer<analysis::ResonanceStudy> average(const model::Model& model,
                                                       const AverageQuestion& question,
                                                       const Control& control = {},
                                                       base::Diagnostics diagnostics = {});

} // namespace liaison::ask
