// SPDX-License-Identifier: Apache-2.0
// Reads a model from the text of a model file: the document goes into a builder, table by table.
#include "liaison/model/read.hpp"

#include "liaison/model/read_tables.hpp"
#include "liaison/text/schema.hpp"

namespace liaison::model {

std::optional<Model> read_model(std::shared_ptr<const base::SourceFile> file,
                                base::Diagnostics& diagnostics, const Limits& limits,
                                std::optional<Model>* rest) {
    diagnostics.keep(file);
    const std::size_t before = diagnostics.error_count();
    const text::Document document = text::Document::read(file, diagnostics);
    if (!document.ok()) return std::nullopt;
    // What the schema refuses is left out below, so that other mistakes are told in the same breath.
    text::model_schema().check(document, diagnostics);
    Builder builder;
    builder.source(file);
    Tables(builder, diagnostics).read(document.root());
    auto model = builder.build(diagnostics, limits, rest);
    // An expression that could not be read leaves a hole, not an error, in what the builder saw.
    if (diagnostics.error_count() == before) return model;
    if (model && rest != nullptr) *rest = std::move(model);
    return std::nullopt;
}

std::optional<Draft> read_draft(std::shared_ptr<const base::SourceFile> file,
                                base::Diagnostics& diagnostics) {
    diagnostics.keep(file);
    const text::Document document = text::Document::read(file, diagnostics);
    if (!document.ok()) return std::nullopt;
    text::model_schema().check(document, diagnostics);
    Builder builder;
    Tables(builder, diagnostics).read(document.root());
    return std::move(builder.draft);
}

Model read_model(std::string name, std::string text) {
    base::Diagnostics diagnostics;
    auto model = read_model(base::SourceFile::make(std::move(name), std::move(text)), diagnostics);
    base::throw_if_errors(diagnostics);
    return std::move(*model);
}

} // namespace liaison::model
