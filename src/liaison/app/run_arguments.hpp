// SPDX-License-Identifier: Apache-2.0
// What a user may say about a run: one declaration for every command that simulates.
#pragma once

#include "liaison/app/options.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::app {

struct RunArguments {
    std::string model;
    std::vector<std::string> settings;
    std::vector<std::string> at;
    std::vector<std::string> realise;
    std::vector<std::string> sensitivity;
    bool saltation = false;
    std::optional<double> until;
    std::optional<double> tolerance;
    std::string method; // empty: as [run] says
    std::optional<double> step;
    std::optional<double> layer;
    std::vector<std::string> branches;
    std::optional<long> samples;
    bool dense = false;
    bool no_balance = false;
    bool no_release = false; // contacts by Routh's function stay on x = 0
    // The options that were given, as words: with the text of the model they repeat the run.
    std::vector<std::string> given;
};

// Every option that changes the numbers of a run; what is given is written down.
void declare_run(Options& options, RunArguments& arguments);

// What is wrong with a value, or nothing.
[[nodiscard]] std::string complaint_about(const RunArguments& arguments);

// A command that heeds these options only says so about the others, instead of leaving them without effect.
[[nodiscard]] std::string complaint_about_idle(const RunArguments& arguments,
                                               std::initializer_list<std::string_view> heeded);

} // namespace liaison::app
