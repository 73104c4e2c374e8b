// SPDX-License-Identifier: Apache-2.0
// A broken invariant is a bug in liaison: an assertion that stays on and says so.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string_view>

namespace liaison::base {

class InternalError : public std::logic_error {
  public:
    InternalError(std::string_view condition, std::string_view message,
                  std::source_location where = std::source_location::current());
};

} // namespace liaison::base

// LIAISON_ASSERT(condition, "what must hold"); use it where the check is cheap.
#define LIAISON_ASSERT(condition, message)                                                         \
    do {                                                                                           \
        if (!(condition)) throw ::liaison::base::InternalError(#condition, message);               \
    } while (false)
