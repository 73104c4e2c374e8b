// SPDX-License-Identifier: Apache-2.0
// What a user may say about a run: one declaration for every command that simulates.
#include "liaison/app/run_arguments.hpp"

namespace liaison::app {

void declare_run(Options& options, RunArguments& arguments) {
    options.positional("MODEL", arguments.model, "model file, - for standard input")
        .models()
        .needed();
    options.values("--set", "NAME=VALUE", arguments.settings,
                   "another value of a parameter, repeatable");
    options.values("--at", "T1,T2,…", arguments.at, "times to report, or FROM:TO:COUNT");
    options.value("--until", "T", arguments.until, "end of the motion");
    options.value("--tolerance", "X", arguments.tolerance, "relative and absolute local error");
    options.values("--realise", "FAMILY=WORD,…", arguments.realise,
                   "how constraints get their meaning, as in [run]: bilateral=program");
    options.value("--samples", "N", arguments.samples,
                  "evenly spaced samples in files (default 1000)");
}

std::string complaint_about(const RunArguments& arguments) {
    if (arguments.tolerance && !(*arguments.tolerance > 0.0)) {
        return "--tolerance must be positive";
    }
    if (arguments.samples && (*arguments.samples < 2 || *arguments.samples > 10'000'000)) {
        return "--samples must lie between 2 and 10000000";
    }
    return {};
}

} // namespace liaison::app
