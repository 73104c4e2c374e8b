// SPDX-License-Identifier: Apache-2.0
// The provenance of a run as JSON: the same object in every kind of file.
#pragma once

#include "liaison/record/run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::record {

class JsonPlace;

// Everything needed to repeat the run, with the values of the parameters beside.
nlohmann::ordered_json to_json(const Provenance& provenance, const flow::Flow& flow);
// Throws std::runtime_error saying what is missing or does not fit.
Provenance provenance_from_json(const JsonPlace& json);

nlohmann::ordered_json to_json(const motion::Standing& standing);
// Whether it fits a flow is another question: motion::misfit.
motion::Standing standing_from_json(const JsonPlace& json);

// A fingerprint of the text of a model.
std::string fingerprint(std::string_view text);

} // namespace liaison::record
