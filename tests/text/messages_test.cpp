// SPDX-License-Identifier: Apache-2.0
// Golden messages of syntax and tables alone: what is said about messages/NAME.toml here is kept word for
// word in NAME.txt. After a wanted change of wording run with LIAISON_ACCEPT=1 and read the difference.
#include "liaison/base/render.hpp"
#include "liaison/text/reader.hpp"
#include "liaison/text/schema.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace liaison;
using text::Takes;

namespace {

std::string content(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::stringstream buffer;
    buffer << stream.rdbuf();
    return buffer.str();
}

// Reads every expression that the schema announces.
void read_expressions(const text::Value& value, const std::string& path,
                      base::Diagnostics& diagnostics) {
    for (const text::Entry& entry : value.entries) {
        const std::string inner = path.empty() ? entry.key : path + "." + entry.key;
        read_expressions(entry.value, inner, diagnostics);
        const text::KeyRow* const row = text::model_schema().find(inner);
        if (row == nullptr || !entry.value.is_string()) continue;
        if (has(row->takes, Takes::equation)) {
            (void)read_expression(entry.value, diagnostics, text::Form::equation);
        } else if (has(row->takes, Takes::condition)) {
            (void)read_expression(entry.value, diagnostics, text::Form::condition);
        } else if (has(row->takes, Takes::expression)) {
            (void)read_expression(entry.value, diagnostics);
        }
    }
}

base::Diagnostics diagnose(const std::filesystem::path& path) {
    base::Diagnostics diagnostics;
    const auto file = base::SourceFile::make(path.filename().string(), content(path));
    const auto document = text::Document::read(file, diagnostics);
    if (text::model_schema().check(document, diagnostics)) {
        read_expressions(document.root(), "", diagnostics);
    }
    return diagnostics;
}

std::set<std::filesystem::path> models() {
    std::set<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(LIAISON_TEST_DATA "/text/messages")) {
        if (entry.path().extension() == ".toml") paths.insert(entry.path());
    }
    return paths;
}

} // namespace

TEST_CASE("golden messages of syntax and tables") {
    const bool accept = std::getenv("LIAISON_ACCEPT") != nullptr;
    for (const auto& path : models()) {
        const std::string said = base::render(diagnose(path));
        std::filesystem::path golden = path;
        golden.replace_extension(".txt");
        if (accept) std::ofstream(golden, std::ios::binary) << said;
        INFO(path.filename().string());
        CHECK(said == content(golden));
        CHECK_FALSE(said.empty());
    }
    CHECK(models().size() >= 60);
}

TEST_CASE("every code of syntax and tables has a golden message") {
    std::set<base::Code> told;
    for (const auto& path : models()) {
        const base::Diagnostics diagnostics = diagnose(path);
        for (const base::Diagnostic& d : diagnostics.all()) told.insert(d.code);
    }
    // What cannot be shown by a small file of its own is tested where it arises.
    told.insert(
        {base::Code::unreadable_file, base::Code::text_too_large, base::Code::newer_format});
    for (const base::CodeRow& row : base::all_codes()) {
        if (!row.text.starts_with("E01") && !row.text.starts_with("E03")) continue;
        INFO(row.text << " " << row.title);
        CHECK(told.contains(row.code));
    }
}
