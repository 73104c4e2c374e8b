// SPDX-License-Identifier: Apache-2.0
// What had to be changed of the given start to make it consistent: by `solve`, `closed` or inconsistent = "project".
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::prepare {

struct StartChange {
    std::string name; // of the coordinate or velocity
    double given = 0.0; // 0 where the model says nothing
    double found = 0.0;
};
// In the order of the model; nothing where the start is as given, up to rounding.
[[nodiscard]] std::vector<StartChange> start_changes(const model::Model& model, const Point& start);

// What to tell of a start that was not asked to be solved for but had to be projected; nothing where none was.
[[nodiscard]] std::optional<std::string> projected_start(const model::Model& model,
                                                         const std::vector<StartChange>& changes);

// "x 1.02 → 0.995069, y 0.1 → 0.0991851", the first of them.
[[nodiscard]] std::string to_text(const std::vector<StartChange>& changes);

} // namespace liaison::prepare
