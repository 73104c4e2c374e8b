// SPDX-License-Identifier: Apache-2.0
// What questions about the flow of a model share: the model with its settings, its start and its flow.
#pragma once

#include "liaison/ask/answer.hpp"
#include "liaison/ask/range.hpp"
#include "liaison/ask/setting.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct Subject {
    std::shared_ptr<const model::Model> model;
    prepare::Options options; // settings and tolerance
    prepare::Start start;
    std::shared_ptr<const flow::Flow> flow;
};

// `implicit`: what cannot be done with an implicit system, in words: "periodic motions are not looked for". Nothing where
// the findings tell why there is no flow.
[[nodiscard]] std::optional<Subject> subject_of(model::Model model,
                                                const std::vector<Setting>& settings,
                                                std::optional<double> tolerance,
                                                const std::string& implicit, Findings& findings);

// The parameter of this name; nothing and a report that lists the parameters where there is none. `option` names the
// place in messages: "--over".
[[nodiscard]] std::optional<std::size_t> parameter_named(const std::string& option,
                                                         const std::string& name,
                                                         const flow::Flow& flow,
                                                         base::Diagnostics& diagnostics);

// Whether something depends on a parameter that is to be varied; reports where nothing does.
[[nodiscard]] bool occurs(const std::string& option, const model::Parameter& parameter,
                          base::Diagnostics& diagnostics);

// Whether the model is sound at both ends of a range of a parameter; reports what is wrong with it there, and warns
// where the parameter leaves the range that the model declares.
[[nodiscard]] bool sound_over(const std::string& option, const Range& range, std::size_t parameter,
                              const Subject& subject, base::Diagnostics& diagnostics);

} // namespace liaison::ask
