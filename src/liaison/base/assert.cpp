// SPDX-License-Identifier: Apache-2.0
// A broken invariant is a bug in liaison: an assertion that stays on and says so.
#include "liaison/base/assert.hpp"

#include "liaison/base/version.hpp"

#include <fmt/format.h>

namespace liaison::base {

namespace {

// File names begin at the source tree, whatever directory the build ran in.
std::string_view inside_tree(std::string_view path) {
    const std::size_t root = path.rfind("liaison/");
    const std::size_t src = path.rfind("src/liaison/");
    if (src != std::string_view::npos) return path.substr(src);
    return root == std::string_view::npos ? path : path.substr(root);
}

} // namespace

InternalError::InternalError(std::string_view condition, std::string_view message,
                             std::source_location where)
    : std::logic_error(fmt::format("this is a bug in liaison {}: {} ({} fails at {}:{}); please "
                                   "report it together with the model",
                                   k_version, message, condition, inside_tree(where.file_name()),
                                   where.line())) {}

} // namespace liaison::base
