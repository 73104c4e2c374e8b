// SPDX-License-Identifier: Apache-2.0
// Checked reading of JSON values.
#include "liaison/record/json_place.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace liaison::record {
namespace {

// The value as it stands in the file, cut where it is long.
std::string shown(const JsonPlace::Json& value) {
    constexpr std::size_t k_longest = 40;
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    std::string text = value.dump(-1, ' ', true, JsonPlace::Json::error_handler_t::replace);
    if (text.size() > k_longest) text = text.substr(0, k_longest) + "…";
    return text;
}

} // namespace

void JsonPlace::refuse(std::string_view why) const {
    throw std::runtime_error(
        fmt::format("{} is {}: {}", path_.empty() ? "the document" : path_, shown(*value_), why));
}

JsonPlace JsonPlace::at(std::string_view key) const {
    const auto found = object().find(std::string(key));
    const std::string path = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
    if (found == value_->end()) throw std::runtime_error(path + " is missing");
    return {*found, path};
}

std::vector<JsonPlace> JsonPlace::items() const {
    if (!value_->is_array()) refuse("it must be a list");
    std::vector<JsonPlace> all;
    all.reserve(value_->size());
    for (const Json& item : *value_)
        all.push_back(JsonPlace(item, fmt::format("{}[{}]", path_, all.size())));
    return all;
}

const JsonPlace::Json& JsonPlace::object() const {
    if (!value_->is_object()) refuse("it must be an object");
    return *value_;
}

double JsonPlace::number() const {
    if (!value_->is_number()) refuse("it must be a number");
    return value_->get<double>();
}

double JsonPlace::extended_number() const {
    if (!value_->is_string()) return number();
    const auto& word = value_->get_ref<const std::string&>();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    if (word == "nan" || word == "-nan") return std::numeric_limits<double>::quiet_NaN();
    refuse("it must be a number, inf, -inf or nan");
}

std::int64_t JsonPlace::whole(std::int64_t least, std::int64_t most) const {
    // Numbers beyond the bounds of 64 bits are kept as unsigned or as double.
    const bool fits = value_->is_number_integer() &&
                      !(value_->is_number_unsigned() &&
                        value_->get<std::uint64_t>() > static_cast<std::uint64_t>(most));
    const std::int64_t n = fits ? value_->get<std::int64_t>() : least - 1;
    if (!fits || n < least || n > most)
        refuse(fmt::format("it must be a whole number from {} to {}", least, most));
    return n;
}

std::string JsonPlace::text() const {
    if (!value_->is_string()) refuse("it must be a text");
    return value_->get<std::string>();
}

std::vector<std::string> JsonPlace::texts() const {
    std::vector<std::string> all;
    for (const JsonPlace& item : items()) all.push_back(item.text());
    return all;
}

} // namespace liaison::record
