// SPDX-License-Identifier: Apache-2.0
// Reads a model from the text of a model file.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/draft.hpp"
#include "liaison/model/limits.hpp"
#include "liaison/model/model.hpp"

#include <memory>
#include <optional>

namespace liaison::model {

// The checked model; nothing if there are errors, which are all in `diagnostics` then. Warnings are
// in `diagnostics` and in Model::warnings. Where there are errors `rest` takes what could be read.
[[nodiscard]] std::optional<Model> read_model(std::shared_ptr<const base::SourceFile> file,
                                              base::Diagnostics& diagnostics,
                                              const Limits& limits = {},
                                              std::optional<Model>* rest = nullptr);
// The same from a text; throws base::ModelError.
[[nodiscard]] Model read_model(std::string name, std::string text);

// What a file says, table by table, before names are resolved; nothing where it is no TOML.
[[nodiscard]] std::optional<Draft> read_draft(std::shared_ptr<const base::SourceFile> file,
                                              base::Diagnostics& diagnostics);

} // namespace liaison::model
