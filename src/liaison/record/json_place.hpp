// SPDX-License-Identifier: Apache-2.0
// A value of a JSON result with the way to it: whatever does not fit is refused by that name.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::record {

// Everything throws std::runtime_error: "continue.armed[0][0] is -1: it must be a whole number from 0 to 1000000000".
class JsonPlace {
  public:
    using Json = nlohmann::ordered_json;

    explicit JsonPlace(const Json& root) : value_(&root) {}

    [[nodiscard]] JsonPlace at(std::string_view key) const;
    [[nodiscard]] std::vector<JsonPlace> items() const; // of a list
    [[nodiscard]] const Json& object() const; // the value, which must be an object

    [[nodiscard]] bool is_null() const { return value_->is_null(); }
    [[nodiscard]] double number() const;
    // A number, or the word for one that JSON does not have: inf, -inf, nan.
    [[nodiscard]] double extended_number() const;
    [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most) const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::vector<std::string> texts() const;

    [[noreturn]] void refuse(std::string_view why) const;

  private:
    JsonPlace(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

    const Json* value_;
    std::string path_; // empty: the whole document
};

} // namespace liaison::record
