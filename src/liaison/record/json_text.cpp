// SPDX-License-Identifier: Apache-2.0
// The two ways of writing JSON.
#include "liaison/record/json_text.hpp"

#include <nlohmann/json.hpp>

namespace liaison::record {
namespace {

constexpr auto k_replace = nlohmann::ordered_json::error_handler_t::replace;

} // namespace

std::string json_text(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, k_replace) + "\n";
}

std::string json_line(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, k_replace);
}

} // namespace liaison::record
