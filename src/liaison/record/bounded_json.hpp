// SPDX-License-Identifier: Apache-2.0
// JSON of result files, which may come from anywhere: read only where it is not nested deeper than any result is, and no
// object has more values than any result has.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace liaison::record {

// Objects and lists inside one another; the writer of results makes about ten. What works through nested values does so
// by recursion, and a million of them would outgrow the stack.
inline constexpr std::size_t k_deepest_json = 100;
// Objects that keep the order of their values look them up one by one.
inline constexpr std::size_t k_most_keys = 100'000;

inline void demand_bounded_json(std::string_view text) {
    std::vector<std::size_t> keys; // of the objects and lists that are open
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            keys.push_back(0);
            if (keys.size() > k_deepest_json)
                throw std::runtime_error("its values are nested more than 100 deep");
        } else if ((c == ']' || c == '}') && !keys.empty()) {
            keys.pop_back();
        } else if (c == ':' && !keys.empty() && ++keys.back() > k_most_keys) {
            throw std::runtime_error("an object of it has more than 100000 values");
        }
    }
}

// Throws std::runtime_error or what the library throws.
template <class Json = nlohmann::ordered_json>
Json parse_result(std::string_view text) {
    demand_bounded_json(text);
    return Json::parse(text);
}

} // namespace liaison::record
