// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model file: read, checked and prepared, never a crash, a hang or a flood of memory.
#include "liaison/base/render.hpp"
#include "liaison/model/read.hpp"
#include "liaison/model/summary.hpp"
#include "liaison/prepare/prepare.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace liaison;
    const std::string text(reinterpret_cast<const char*>(data), size);
    base::Diagnostics diagnostics;
    // Small bounds keep every input quick; the bounds themselves are tested elsewhere.
    const model::Limits limits{.names = 500, .nodes = 20'000, .bodies = 20, .table_points = 1'000};
    const auto model =
        model::read_model(base::SourceFile::make("model.toml", text), diagnostics, limits);
    if (model) {
        (void)model::summary(*model);
        (void)model::summary_json(*model).dump(-1, ' ', false,
                                               nlohmann::json::error_handler_t::replace);
        (void)prepare::prepare(*model, {}, diagnostics);
    }
    (void)base::render(diagnostics);
    return 0;
}
