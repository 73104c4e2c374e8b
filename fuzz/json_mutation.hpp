// SPDX-License-Identifier: Apache-2.0
// Mutations of JSON documents that stay documents: a value becomes another, a list longer or shorter, a key goes.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace liaison::fuzz {

class JsonMutation {
  public:
    using Json = nlohmann::ordered_json;

    explicit JsonMutation(unsigned seed) : dice_(seed) {}

    // One to four changes anywhere in the document.
    void apply(Json& document) {
        for (std::size_t n = 1 + below(4); n > 0; --n) {
            std::vector<Json*> places;
            gather(document, places);
            change(*places[below(places.size())], places);
        }
    }

  private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : dice_() % n; }

    static void gather(Json& value, std::vector<Json*>& places) {
        places.push_back(&value);
        if (value.is_structured())
            for (Json& inner : value) gather(inner, places);
    }

    Json any_number() {
        static const std::vector<Json> k_numbers = {0,
                                                    -1,
                                                    1,
                                                    2,
                                                    3,
                                                    0.5,
                                                    -0.0,
                                                    1e-300,
                                                    1e300,
                                                    -1e300,
                                                    5000,
                                                    999999999,
                                                    2147483648,
                                                    -2147483649,
                                                    9223372036854775807,
                                                    18446744073709551615U,
                                                    1e19,
                                                    4.9e-324};
        return k_numbers[below(k_numbers.size())];
    }
    Json any_text() {
        static const std::vector<Json> k_texts = {
            "", "nan", "inf", "-inf", "open", "slip", "\x1b[31m\n", std::string(300, 'x')};
        return k_texts[below(k_texts.size())];
    }

    void change(Json& value, const std::vector<Json*>& places) {
        switch (below(8)) {
        case 0: value = any_number(); return;
        case 1: value = any_text(); return;
        case 2:
            value = std::vector<Json>{nullptr, true, Json::object(), Json::array()}[below(4)];
            return;
        case 3: {
            const Json other = *places[below(places.size())]; // of somewhere else
            if (other.size() < 1000) value = other;
            return;
        }
        default: break;
        }
        if (value.is_number()) {
            const double x = value.get<double>();
            value = std::vector<Json>{x + 1, x - 1, -x, 2 * x, x / 2, any_number()}[below(6)];
        } else if (value.is_string()) {
            std::string text = value.get<std::string>();
            if (text.empty() || below(2) == 0)
                text += static_cast<char>('a' + below(26));
            else
                text.erase(below(text.size()), 1 + below(4));
            value = text;
        } else if (value.is_array()) {
            const std::size_t n = value.size(), at = below(n);
            if (n == 0 || below(4) == 0)
                value.push_back(any_number());
            else if (below(3) == 0)
                value.erase(at);
            else if (below(3) == 0)
                value = Json::array();
            else
                for (std::size_t k = below(20) + 1; k > 0; --k) value.push_back(Json(value[at]));
        } else if (value.is_object() && !value.empty()) {
            const auto at =
                std::next(value.begin(), static_cast<std::ptrdiff_t>(below(value.size())));
            const std::string key = at.key();
            const Json inner = at.value();
            if (below(2) == 0) value.erase(key);
            value[key + (below(2) == 0 ? "x" : "")] = inner;
            if (below(3) == 0) value.erase(key);
        } else {
            value = any_number();
        }
    }

    std::minstd_rand dice_;
};

} // namespace liaison::fuzz
