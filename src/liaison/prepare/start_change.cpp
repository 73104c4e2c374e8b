// SPDX-License-Identifier: Apache-2.0
// Given values are evaluated once more and compared with those that were found.
#include "liaison/prepare/start_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

std::vector<StartChange> start_changes(const model::Model& model, const Point& start) {
    constexpr double k_rounding = 1e-12;
    const Evaluator evaluate(model);
    std::vector<StartChange> changes;
    const auto look = [&](const std::string& name, const std::vector<model::Formula>& formulas,
                          std::size_t i, double found) {
        const bool said = i < formulas.size() && formulas[i].expr;
        const double given = said ? evaluate.at(start, formulas[i].expr) : 0.0;
        if (std::isfinite(given) && std::abs(found - given) > k_rounding * (1.0 + std::abs(given)))
            changes.push_back({name, given, found});
    };
    for (std::size_t i = 0; i < model.coordinates.size() && i < start.q.size(); ++i)
        look(model.coordinates[i].name, model.start.q, i, start.q[i]);
    for (std::size_t i = 0; i < model.velocities.size() && i < start.v.size(); ++i)
        look(model.velocities[i].name, model.start.v, i, start.v[i]);
    return changes;
}

std::optional<std::string> projected_start(const model::Model& model,
                                           const std::vector<StartChange>& changes) {
    if (model.start.inconsistent != model::Inconsistent::project || changes.empty())
        return std::nullopt;
    return "the start was projected onto the constraints: " + to_text(changes);
}

std::string to_text(const std::vector<StartChange>& changes) {
    constexpr std::size_t k_shown = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(changes.size(), k_shown); ++i)
        text += fmt::format("{}{} {:.6g} → {:.6g}", i > 0 ? ", " : "", changes[i].name,
                            changes[i].given, changes[i].found);
    if (changes.size() > k_shown) text += fmt::format(", {} more", changes.size() - k_shown);
    return text;
}

} // namespace liaison::prepare
