// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model file: reading and the schema never crash, and trouble is always reported.
#include "liaison/base/render.hpp"
#include "liaison/text/reader.hpp"
#include "liaison/text/schema.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace liaison;

// Every string is also read as an expression, so that places inside strings are walked through.
void visit(const text::Value& value, base::Diagnostics& diagnostics) {
    if (value.is_string()) (void)text::read_expression(value, diagnostics);
    for (const text::Value& item : value.items) visit(item, diagnostics);
    for (const text::Entry& entry : value.entries) {
        if (value.find(entry.key) == nullptr) std::abort();
        visit(entry.value, diagnostics);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    base::Diagnostics diagnostics;
    const auto file = base::SourceFile::make(
        "model.toml", std::string(reinterpret_cast<const char*>(data), size));
    const auto document = text::Document::read(file, diagnostics);
    if (document.ok() == diagnostics.has_errors()) std::abort();
    (void)text::model_schema().check(document, diagnostics);
    visit(document.root(), diagnostics);
    if (base::render(diagnostics).empty() != diagnostics.empty()) std::abort();
    (void)base::to_json(diagnostics).dump();
    return 0;
}
