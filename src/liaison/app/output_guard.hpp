// SPDX-License-Identifier: Apache-2.0
// What stands against writing a file, told before anything is computed; nothing: it can be written.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace liaison::app {

// The file is one of those that are read, under whatever name: it is never replaced.
[[nodiscard]] std::string is_input(const std::string& path,
                                   std::initializer_list<std::string_view> inputs);

// It is no plain file, its folder is not there, is closed to us or read-only.
[[nodiscard]] std::string cannot_write(const std::string& path);

// Both, and "… exists; --force overwrites it".
[[nodiscard]] std::string in_the_way(const std::string& path,
                                     std::initializer_list<std::string_view> inputs, bool force);

} // namespace liaison::app
