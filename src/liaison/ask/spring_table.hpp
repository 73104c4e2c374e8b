// SPDX-License-Identifier: Apache-2.0
// Elastic contacts as a table: frequency, damping ratio and restitution, both ways.
#pragma once

#include "liaison/realise/spring_facts.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::ask {

nlohmann::ordered_json springs_json(const std::vector<realise::SpringFacts>& springs);
std::string springs_text(const std::vector<realise::SpringFacts>& springs);

} // namespace liaison::ask
