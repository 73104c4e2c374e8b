// SPDX-License-Identifier: Apache-2.0
// Options about periodic motions to a question.
#include "liaison/app/orbit_arguments.hpp"

namespace liaison::app {

void OrbitArguments::declare(Options& options, std::string formats) {
    FlowArguments::declare(options, std::move(formats));
    options.value("--period", "N", period,
                  "period in forcing periods (default: found from the motion)");
    options.value("--settle", "T", settle,
                  "simulate this long before the guess is taken (default: the guess is [start])");
    options.value("--longest", "T", longest,
                  "without forcing: how long to wait for the motion to return (default 1000)");
}

std::string OrbitArguments::complaint(const std::vector<std::string>& endings) const {
    if (period && (*period < 1 || *period > 10000)) return "--period must lie between 1 and 10000";
    if (settle && !(*settle >= 0.0)) return "--settle must not be negative";
    if (longest && !(*longest > 0.0)) return "--longest must be positive";
    return FlowArguments::complaint(endings);
}

ask::OrbitQuestion OrbitArguments::question() const {
    ask::OrbitQuestion question;
    question.set.assign(settings.begin(), settings.end());
    question.tolerance = tolerance;
    question.settle = settle;
    question.longest = longest;
    if (period) question.period = static_cast<int>(*period);
    return question;
}

} // namespace liaison::app
