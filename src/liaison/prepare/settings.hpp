// SPDX-License-Identifier: Apache-2.0
// Parameter values after --set: name=value texts checked against the model.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::prepare {

struct Setting {
    std::size_t parameter = 0;
    double value = 0.0;
};

// "mu=0.3", "th0=60*deg"; what is wrong is reported and left out.
[[nodiscard]] std::vector<Setting> read_settings(const model::Model& model,
                                                 const std::vector<std::string>& texts,
                                                 base::Diagnostics& diagnostics);

// The value of an expression of numbers, pi, deg and functions; nothing and a report otherwise.
// `what` names the text in messages: "--set mu".
[[nodiscard]] std::optional<double> constant_value(std::string_view text, std::string_view what,
                                                   base::Diagnostics& diagnostics);

// Index of the parameter; k_none and a report with the nearest name if there is none.
[[nodiscard]] std::size_t find_parameter(const model::Model& model, std::string_view name,
                                         base::Diagnostics& diagnostics);

// Values of all parameters with the settings applied; a value outside its range is a warning.
[[nodiscard]] std::vector<double> parameter_values(const model::Model& model,
                                                   const std::vector<Setting>& settings,
                                                   base::Diagnostics& diagnostics);

} // namespace liaison::prepare
