// SPDX-License-Identifier: Apache-2.0
// What the commands that ask about a flow share: a model file with settings, and files for the answer.
#pragma once

#include "liaison/app/command.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

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
    prepare::Point start;
    int refused = 0; // not 0: exit code, everything has been said
};

// What a question adds to the model before it becomes a flow: an event, say.
using ModelChange = std::function<void(model::Model&)>;

// `implicit`: what cannot be done with an implicit system, in words: "periodic motions are not looked for".
FlowQuestion ask_about_flow(const std::string& model, const std::vector<std::string>& settings,
                            const std::string& implicit, const Terminal& terminal,
                            const ModelChange& change = {});

// The parameter of this name; nothing and a report that lists the parameters where there is none.
std::optional<std::size_t> parameter_named(const std::string& option, const std::string& name,
                                           const flow::Flow& flow, base::Diagnostics& diagnostics);

// Writes `texts` (one per path); an exit code.
int write_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& texts,
                  const Terminal& terminal);

} // namespace liaison::app
