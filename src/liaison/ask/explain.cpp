// SPDX-License-Identifier: Apache-2.0
// The equations of a model, and what is wrong with its numbers.
#include "liaison/ask/explain.hpp"

#include "liaison/prepare/prepare.hpp"

namespace liaison::ask {

Answer<equations::Explanation> explain(const model::Model& model,
                                       const equations::ExplainOptions& question,
                                       base::Diagnostics diagnostics) {
    Answer<equations::Explanation> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    (void)prepare::prepare(model, {}, answer.diagnostics);
    answer.value = equations::explain(model, question);
    return answer;
}

} // namespace liaison::ask
