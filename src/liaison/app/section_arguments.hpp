// SPDX-License-Identifier: Apache-2.0
// What the commands about sections of motions share: their options, and the flow they look at.
#pragma once

#include "liaison/analysis/section.hpp"
#include "liaison/app/command.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::app {

struct SectionArguments {
    std::string model;
    std::vector<std::string> settings;
    std::string section; // "period", "event:NAME" or an expression
    std::string direction = "up";
    bool before = false;
    std::optional<double> phase;
    std::optional<long> drop;
    std::optional<long> points;
    std::optional<double> until;
    std::optional<double> tolerance;
    std::vector<std::string> observe;
    std::vector<std::string> outputs;
    bool force = false;

    void declare(Options& options);
    // What is wrong with the values, or nothing.
    [[nodiscard]] std::string complaint() const;
};

struct SectionQuestion {
    std::shared_ptr<const model::Model> model;
    prepare::Options settings;
    prepare::Start start;
    std::shared_ptr<const flow::Flow> flow;
    analysis::SectionOptions options;
    std::string model_hash; // of the text as the user wrote it
    int refused = 0; // not 0: exit code, everything has been said
};

// `keep`: section, final or extrema.
SectionQuestion ask_about_section(const SectionArguments& arguments, const std::string& keep,
                                  const Terminal& terminal);

// The period of the force for these values of the parameters; 0: none.
[[nodiscard]] double forcing_period(const SectionQuestion& question,
                                    const std::vector<double>& parameters);

// Values of all parameters, for files: "e = 0.8"; those named are left out.
[[nodiscard]] std::vector<std::string> settings_of(const SectionQuestion& question,
                                                   const std::vector<std::string>& varied);

// How the motions are looked at, in words that decide the numbers.
[[nodiscard]] std::string options_text(const SectionArguments& arguments,
                                       const SectionQuestion& question, const std::string& keep);

} // namespace liaison::app
