// SPDX-License-Identifier: Apache-2.0
// JSON of result files, which may come from anywhere: read only where it is not nested deeper than any result is.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace liaison::record {

// Objects and lists inside one another; the writer of results makes about ten. What works through nested values does so
// by recursion, and a million of them would outgrow the stack.
inline constexpr std::size_t k_deepest_json = 100;

inline void demand_shallow_json(std::string_view text) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > k_deepest_json)
                throw std::runtime_error("its values are nested more than 100 deep");
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
}

// Throws std::runtime_error or what the library throws.
template <class Json = nlohmann::json>
Json parse_result(std::string_view text) {
    demand_shallow_json(text);
    return Json::parse(text);
}

} // namespace liaison::record
