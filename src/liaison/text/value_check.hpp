// SPDX-License-Identifier: Apache-2.0
// Holds one value against the row of its key: kind, word, range, length.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace liaison::text {

// False if the value is of a kind the row does not take; finer faults are reported here. Tables are
// not looked into.
[[nodiscard]] bool check_value(const Value& value, const KeyRow& row, const std::string& key,
                               base::Diagnostics& diagnostics);

// "this is a list", for labels.
[[nodiscard]] std::string_view what_it_is(const Value& value);

// Items with signs around and between them: `a` or `b`.
[[nodiscard]] std::string joined(const std::vector<std::string>& list, std::string_view before,
                                 std::string_view after, std::string_view separator = ", ");

} // namespace liaison::text
