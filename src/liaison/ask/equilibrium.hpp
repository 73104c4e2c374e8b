// SPDX-License-Identifier: Apache-2.0
// Where can it rest, what holds it there, and is that stable?
#pragma once

#include "liaison/analysis/equilibrium_report.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/range.hpp"
#include "liaison/ask/setting.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct EquilibriumQuestion {
    std::vector<Setting> set = {};
    std::vector<Range> box = {}; // of coordinates, searched besides [start]
    std::size_t starts = 64;     // in the box
    std::optional<Range> over = {}; // for every value of a parameter; 101 where no points are given
};

struct EquilibriumAnswer {
    std::shared_ptr<const model::Model> model;
    std::shared_ptr<const analysis::EquilibriumSearch> search;
    analysis::Equilibria here; // without `over`
    std::string over; // the parameter
    std::vector<analysis::EquilibriaAt> along;
    bool interrupted = false;

    [[nodiscard]] bool any() const;
};

[[nodiscard]] Answer<EquilibriumAnswer> equilibrium(const model::Model& model,
                                                    const EquilibriumQuestion& question = {},
                                                    const Control& control = {},
                                                    base::Diagnostics diagnostics = {});

[[nodiscard]] nlohmann::ordered_json to_json(const EquilibriumAnswer& answer);
[[nodiscard]] std::string to_text(const EquilibriumAnswer& answer);
[[nodiscard]] std::string to_csv(const EquilibriumAnswer& answer); // with `over`
[[nodiscard]] record::Figure figure(const EquilibriumAnswer& answer);

} // namespace liaison::ask
