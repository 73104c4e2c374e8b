// SPDX-License-Identifier: Apache-2.0
// Files are told apart by what they are, not by their names.
#include "liaison/app/output_guard.hpp"

#include "liaison/record/write_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace liaison::app {

std::string is_input(const std::string& path, std::initializer_list<std::string_view> inputs) {
    for (const std::string_view input : inputs) {
        std::error_code none; // what is not there is not the same
        if (!input.empty() && std::filesystem::equivalent(path, std::filesystem::path(input), none))
            return fmt::format("{} is what is read: it is never overwritten", path);
    }
    return {};
}

std::string cannot_write(const std::string& path) { return record::OutputFile(path).problem(); }

std::string in_the_way(const std::string& path, std::initializer_list<std::string_view> inputs,
                       bool force) {
    if (std::string never = is_input(path, inputs); !never.empty()) return never;
    std::error_code none;
    const auto there = std::filesystem::status(path, none).type();
    if (!force && there == std::filesystem::file_type::regular)
        return fmt::format("{} exists; --force overwrites it", path);
    return cannot_write(path);
}

} // namespace liaison::app
