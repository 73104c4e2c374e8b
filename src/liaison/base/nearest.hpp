// SPDX-License-Identifier: Apache-2.0
// Did you mean: the known word nearest to a misspelt one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::base {

// Edits (insert, delete, replace, swap neighbours) from a to b; anything above `limit` is limit + 1.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The candidate a person most probably meant: same word in another case, then fewest edits
// (at most a third of the word), the earlier one where several are equally near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

} // namespace liaison::base
