// SPDX-License-Identifier: Apache-2.0
// Model files from the disk or from standard input.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

// The text of a file, `-` for standard input; null and a diagnostic if it cannot be read.
[[nodiscard]] std::shared_ptr<const base::SourceFile> load_source(const std::string& path,
                                                                  base::Diagnostics& diagnostics);

// The checked model in a file; nothing if there are errors, which are in `diagnostics` then.
// Wrong numbers are told beside other errors; `settings` are those of --set.
[[nodiscard]] std::optional<model::Model> load_model(const std::string& path,
                                                     base::Diagnostics& diagnostics,
                                                     const std::vector<std::string>& settings = {});
[[nodiscard]] std::optional<model::Model> load_model(std::shared_ptr<const base::SourceFile> source,
                                                     base::Diagnostics& diagnostics,
                                                     const std::vector<std::string>& settings = {});

} // namespace liaison::app
