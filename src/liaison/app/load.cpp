// SPDX-License-Identifier: Apache-2.0
// Model files from the disk or from standard input.
#include "liaison/app/load.hpp"

#include "liaison/model/read.hpp"
#include "liaison/prepare/constants.hpp"
#include "liaison/text/document.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace liaison::app {

namespace {

// Reads on until the end, or one byte beyond what will be accepted; an errno, or 0.
int read_all(std::FILE* file, std::string& text) {
    const std::size_t most = text::DocumentLimits{}.size + 1;
    char block[1 << 16];
    while (text.size() < most) {
        const std::size_t count =
            std::fread(block, 1, std::min(sizeof block, most - text.size()), file);
        if (count == 0) break;
        text.append(block, count);
    }
    return std::ferror(file) != 0 ? (errno != 0 ? errno : EIO) : 0;
}

} // namespace

std::shared_ptr<const base::SourceFile> load_source(const std::string& path,
                                                    base::Diagnostics& diagnostics) {
    std::string text;
    int error = 0;
    if (path == "-") {
        error = read_all(stdin, text);
    } else {
        errno = 0;
        std::error_code ignored;
        std::FILE* file =
            std::filesystem::is_directory(path, ignored) ? nullptr : std::fopen(path.c_str(), "rb");
        if (file == nullptr) {
            error = errno != 0 ? errno : EISDIR;
        } else {
            error = read_all(file, text);
            std::fclose(file);
        }
    }
    if (error != 0) {
        auto& report =
            diagnostics.report(base::Code::unreadable_file,
                               fmt::format("{} cannot be read: {}", path, std::strerror(error)));
        if (error == ENOENT) report.note("check the path, or write - to read from standard input");
        return nullptr;
    }
    return base::SourceFile::make(path == "-" ? "standard input" : path, std::move(text));
}

std::optional<model::Model> load_model(const std::string& path, base::Diagnostics& diagnostics,
                                       const std::vector<std::string>& settings) {
    auto source = load_source(path, diagnostics);
    return source ? load_model(std::move(source), diagnostics, settings) : std::nullopt;
}

std::optional<model::Model> load_model(std::shared_ptr<const base::SourceFile> source,
                                       base::Diagnostics& diagnostics,
                                       const std::vector<std::string>& settings) {
    std::optional<model::Model> rest;
    auto model = model::read_model(std::move(source), diagnostics, {}, &rest);
    if (!model && rest) prepare::check_constants(*rest, settings, diagnostics);
    return model;
}

} // namespace liaison::app
