// SPDX-License-Identifier: Apache-2.0
// Diagnostics as JSON, for editors and scripts.
#include "liaison/base/render.hpp"
#include "liaison/base/utf8.hpp"

#include <nlohmann/json.hpp>

namespace liaison::base {

namespace {

using nlohmann::json;

void put_place(json& object, const Span& span) {
    const bool known = static_cast<bool>(span);
    object["file"] = known ? json(printable(span.file->name())) : json(nullptr);
    const Position begin = span.position();
    const Position end = known ? span.file->position(span.end) : Position{};
    object["line"] = known ? json(begin.line) : json(nullptr);
    object["column"] = known ? json(begin.column) : json(nullptr);
    object["end_line"] = known ? json(end.line) : json(nullptr);
    object["end_column"] = known ? json(end.column) : json(nullptr);
}

} // namespace

json to_json(const Diagnostic& diagnostic) {
    json object;
    object["severity"] = diagnostic.severity == Severity::error ? "error" : "warning";
    object["code"] = row(diagnostic.code).text;
    object["message"] = readable(diagnostic.message);
    put_place(object, diagnostic.place());
    object["notes"] = json::array();
    for (const std::string& note : diagnostic.notes) object["notes"].push_back(readable(note));
    object["labels"] = json::array();
    for (const Label& label : diagnostic.labels) {
        json item{{"text", readable(label.text)}, {"primary", label.primary}};
        put_place(item, label.span);
        object["labels"].push_back(std::move(item));
    }
    object["fixes"] = json::array();
    for (const Fix& fix : diagnostic.fixes) {
        json item{{"replacement", printable(fix.replacement)}, {"why", readable(fix.why)}};
        put_place(item, fix.span);
        object["fixes"].push_back(std::move(item));
    }
    return object;
}

json to_json(const Diagnostics& diagnostics) {
    json list = json::array();
    for (const Diagnostic* diagnostic : diagnostics.sorted()) list.push_back(to_json(*diagnostic));
    return list;
}

} // namespace liaison::base
