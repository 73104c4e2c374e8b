// SPDX-License-Identifier: Apache-2.0
// Rest positions told to people, to programs and in pictures.
#pragma once

#include "liaison/analysis/equilibrium.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::analysis {

// Rest positions at one value of a parameter.
struct EquilibriaAt {
    double parameter = 0.0;
    Equilibria equilibria;
};

[[nodiscard]] nlohmann::ordered_json to_json(const Equilibria& all, const RestEquations& rest,
                                             const model::Model& model);
[[nodiscard]] std::string to_text(const Equilibria& all, const RestEquations& rest,
                                  const model::Model& model);
// Eigenvalues in the plane, one panel per rest position.
[[nodiscard]] record::Figure figure(const Equilibria& all, const model::Model& model);

[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<EquilibriaAt>& all,
                                             const RestEquations& rest, const model::Model& model,
                                             const std::string& parameter);
[[nodiscard]] std::string to_text(const std::vector<EquilibriaAt>& all, const model::Model& model,
                                  const std::string& parameter);
[[nodiscard]] std::string to_csv(const std::vector<EquilibriaAt>& all, const model::Model& model,
                                 const std::string& parameter);
// Each coordinate over the parameter, coloured by verdict.
[[nodiscard]] record::Figure figure(const std::vector<EquilibriaAt>& all, const model::Model& model,
                                    const std::string& parameter);

} // namespace liaison::analysis
