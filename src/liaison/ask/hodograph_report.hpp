// SPDX-License-Identifier: Apache-2.0
// A hodograph as JSON, text and figure.
#pragma once

#include "liaison/analysis/hodograph_figure.hpp"
#include "liaison/ask/hodograph.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::ask {

[[nodiscard]] nlohmann::ordered_json to_json(const HodographAnswer& answer);
[[nodiscard]] std::string to_text(const HodographAnswer& answer);
// `planes`: that cut the surface; the usual ones where there are none.
[[nodiscard]] record::Figure figure(const HodographAnswer& answer,
                                    std::vector<analysis::SectionPlane> planes,
                                    const analysis::View& view);

} // namespace liaison::ask
