// SPDX-License-Identifier: Apache-2.0
// What a user may say about a run: one declaration for every command that simulates.
#include "liaison/app/run_arguments.hpp"

#include "liaison/model/method.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::app {
namespace {

std::vector<std::string> method_words() {
    std::vector<std::string> words;
    for (const model::MethodName& m : model::k_methods) words.emplace_back(m.word);
    return words;
}

} // namespace

void declare_run(Options& options, RunArguments& arguments) {
    options.values("--set", "NAME=VALUE", arguments.settings,
                   "another value of a parameter, repeatable");
    options.values("--at", "T1,T2,…", arguments.at, "times to report, or FROM:TO:COUNT");
    options.value("--until", "T", arguments.until, "end of the motion");
    options.value("--tolerance", "X", arguments.tolerance, "relative and absolute local error");
    options.value("--method", "NAME", arguments.method, "integrator, as in [run]")
        .one_of(method_words());
    options.value("--step", "H", arguments.step, "step of the methods euler to dopri5");
    options.values("--realise", "FAMILY=WORD,…", arguments.realise,
                   "how constraints get their meaning, as in [run]: bilateral=program");
    options.value("--layer", "WIDTH", arguments.layer,
                  "smooth relays over this width of their surface instead of switching them");
    options.values("--branch", "RELAY=WHERE", arguments.branches,
                   "where a surface does not determine the motion: above, below, stay or cross");
    options.values("--sensitivity", "P,Q,…", arguments.sensitivity,
                   "derivatives by parameters, or by start values (x, x'), through all events");
    options.flag("--saltation", arguments.saltation,
                 "how neighbouring motions pass each event, as matrices in the event log");
    options.value("--samples", "N", arguments.samples,
                  "evenly spaced samples in files (default 1000)");
    options.flag("--dense", arguments.dense,
                 "keep the motion itself in .h5 files, not only samples");
    options.flag("--no-balance", arguments.no_balance,
                 "the motion alone, without the balance of energy: faster");
    options.flag("--no-release", arguments.no_release,
                 "contacts by Routh's function stay on x = 0 where their reaction is negative: the "
                 "spurious solution, for studies");
    options.write_down(arguments.given);
}

std::string complaint_about(const RunArguments& arguments) {
    if (arguments.tolerance && !(*arguments.tolerance >= 1e-16 && *arguments.tolerance < 1.0)) {
        return "--tolerance must lie between 1e-16, where double precision ends, and 1";
    }
    if (arguments.step && !(*arguments.step > 0.0)) return "--step must be positive";
    if (arguments.layer && !(*arguments.layer > 0.0)) {
        return "--layer must be positive";
    }
    if (arguments.samples && (*arguments.samples < 2 || *arguments.samples > 10'000'000)) {
        return "--samples must lie between 2 and 10000000";
    }
    return {};
}

std::string complaint_about_idle(const RunArguments& arguments,
                                 std::initializer_list<std::string_view> heeded) {
    for (const std::string& word : arguments.given) {
        if (!word.starts_with("--")) continue;
        const std::string option = word.substr(0, word.find('='));
        if (std::ranges::find(heeded, option) == heeded.end())
            return fmt::format("{} changes nothing here: it is an option of run", option);
    }
    return {};
}

} // namespace liaison::app
