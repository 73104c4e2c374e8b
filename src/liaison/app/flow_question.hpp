// SPDX-License-Identifier: Apache-2.0
// What the commands that ask about a flow share: a model file with settings, and files for the answer.
#pragma once

#include "liaison/app/command.hpp"
#include "liaison/app/range.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

struct FlowArguments {
    std::string model;
    std::vector<std::string> settings;
    std::optional<double> tolerance;
    std::vector<std::string> outputs;
    bool force = false;

    void declare(Options& options, std::string formats);
    // What is wrong with the values, or nothing; `endings` are the formats that can be written.
    [[nodiscard]] std::string complaint(const std::vector<std::string>& endings) const;
};

struct FlowQuestion {
    std::shared_ptr<const model::Model> model;
    std::shared_ptr<const flow::Flow> flow;
    prepare::Options settings;
    prepare::Point start;
    int refused = 0; // not 0: exit code, everything has been said
};

// What a question adds to the model before it becomes a flow: an event, say.
using ModelChange = std::function<void(model::Model&)>;

// The flow of a model; null where it was told why there is none, with the exit code in `refused`. `implicit`: as below.
std::shared_ptr<const flow::Flow> flow_of(const model::Model& model, const prepare::Point& start,
                                          const std::string& model_file,
                                          const std::string& implicit, const Terminal& terminal,
                                          base::Diagnostics& diagnostics, int& refused);

// `implicit`: what cannot be done with an implicit system, in words: "periodic motions are not looked for".
FlowQuestion ask_about_flow(const std::string& model, const std::vector<std::string>& settings,
                            const std::string& implicit, const Terminal& terminal,
                            const ModelChange& change = {});

// The parameter of this name; nothing and a report that lists the parameters where there is none.
std::optional<std::size_t> parameter_named(const std::string& option, const std::string& name,
                                           const flow::Flow& flow, base::Diagnostics& diagnostics);

// Whether something depends on a parameter that is to be varied; reports where nothing does.
bool occurs(const std::string& option, const model::Parameter& parameter,
            base::Diagnostics& diagnostics);

// Whether the model is sound at both ends of a range of a parameter; reports what is wrong with it there, and warns
// where the parameter leaves the range that the model declares.
bool sound_over(const std::string& option, const Range& range, std::size_t parameter,
                const FlowQuestion& question, base::Diagnostics& diagnostics);

// The parts of "a,b" and "c", as options that take lists and may be repeated give them.
[[nodiscard]] std::vector<std::string> listed(const std::vector<std::string>& texts);

// Writes `texts` (one per path), each whatever happens to the others; an exit code.
int write_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& texts,
                  const Terminal& terminal);

} // namespace liaison::app
