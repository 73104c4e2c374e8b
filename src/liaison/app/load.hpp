// SPDX-License-Identifier: Apache-2.0
// Model files from the disk or from standard input.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"

#include <memory>
#include <optional>
#include <string>

namespace liaison::app {

// The text of a file, `-` for standard input; null and a diagnostic if it cannot be read.
[[nodiscard]] std::shared_ptr<const base::SourceFile> load_source(const std::string& path,
                                                                  base::Diagnostics& diagnostics);

// The checked model in a file; nothing if there are errors, which are in `diagnostics` then.
[[nodiscard]] std::optional<model::Model> load_model(const std::string& path,
                                                     base::Diagnostics& diagnostics);

} // namespace liaison::app
