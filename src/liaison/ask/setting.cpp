// SPDX-License-Identifier: Apache-2.0
// Settings looked up in the model.
#include "liaison/ask/setting.hpp"

namespace liaison::ask {

std::vector<prepare::Setting> read(const std::vector<Setting>& settings, const model::Model& model,
                                   base::Diagnostics& diagnostics) {
    std::vector<prepare::Setting> result;
    for (const Setting& setting : settings) {
        if (!setting.value) {
            for (const auto& one : prepare::read_settings(model, {setting.text}, diagnostics))
                result.push_back(one);
            continue;
        }
        const std::size_t parameter = prepare::find_parameter(model, setting.name, diagnostics);
        if (parameter != model::k_none) result.push_back({parameter, *setting.value});
    }
    return result;
}

} // namespace liaison::ask
