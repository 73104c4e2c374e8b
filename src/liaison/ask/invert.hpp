// SPDX-License-Identifier: Apache-2.0
// Which forces have these first integrals?
#pragma once

#include "liaison/analysis/inverse_point.hpp"
#include "liaison/analysis/inverse_problem.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace liaison::ask {

struct InvertQuestion {
    bool here = false; // the equations at the start in numbers too
};

struct InvertAnswer {
    model::Model model; // keeps the expressions of the answer
    analysis::InverseAnswer inverse;
    std::optional<analysis::InversePoint> here;
};

[[nodiscard]] Answer<InvertAnswer> invert(const model::Model& model,
                                          const InvertQuestion& question = {},
                                          const Control& control = {},
                                          base::Diagnostics diagnostics = {});

// Formulas as LaTeX, or as they are written in models.
[[nodiscard]] nlohmann::json to_json(const InvertAnswer& answer, bool latex = false);
[[nodiscard]] std::string to_text(const InvertAnswer& answer, bool latex = false);

} // namespace liaison::ask
