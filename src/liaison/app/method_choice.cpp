// SPDX-License-Identifier: Apache-2.0
// The integration method a user asked for: --method, or what the model says.
#include "liaison/app/method_choice.hpp"

#include "liaison/model/method.hpp"
#include "liaison/record/model_method.hpp"

#include <algorithm>
#include <optional>

namespace liaison::app {

motion::MethodOptions choose_method(const RunArguments& arguments, const model::Model& model,
                                    const prepare::Start& start, base::Diagnostics& diagnostics) {
    std::optional<model::Method> asked;
    if (!arguments.method.empty()) {
        asked =
            std::ranges::find(model::k_methods, arguments.method, &model::MethodName::word)->method;
    }
    return record::method_of(model, start, diagnostics, asked);
}

} // namespace liaison::app
