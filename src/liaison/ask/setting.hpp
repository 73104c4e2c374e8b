// SPDX-License-Identifier: Apache-2.0
// Another value of a parameter, as part of a question.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/settings.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::ask {

// {"mu", 0.3}, or as a person writes it: "mu=0.3", "th0=60*deg".
struct Setting {
    Setting(std::string parameter, double number) : name(std::move(parameter)), value(number) {}
    Setting(std::string words) : text(std::move(words)) {} // NOLINT(google-explicit-constructor)
    Setting(const char* words) : text(words) {}            // NOLINT(google-explicit-constructor)

    std::string name;
    std::optional<double> value;
    std::string text; // where there is no value
};

// Reports what is wrong, and leaves it out.
[[nodiscard]] std::vector<prepare::Setting> read(const std::vector<Setting>& settings,
                                                 const model::Model& model,
                                                 base::Diagnostics& diagnostics);

} // namespace liaison::ask
