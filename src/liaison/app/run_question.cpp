// SPDX-License-Identifier: Apache-2.0
// Words of the command line to values of a question.
#include "liaison/app/run_question.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/model/method.hpp"
#include "liaison/prepare/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::app {
namespace {

// "1,2,5" or "0:10:11" (from:to:count), each part an expression of numbers.
std::vector<double> read_times(const std::vector<std::string>& texts,
                               base::Diagnostics& diagnostics) {
    std::vector<double> times;
    const auto value = [&](std::string_view text) {
        return prepare::constant_value(text, "--at", diagnostics);
    };
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const std::string part = text.substr(begin, end - begin);
            begin = end + 1;
            const std::size_t first = part.find(':');
            const std::size_t second =
                first == std::string::npos ? first : part.find(':', first + 1);
            if (second == std::string::npos) {
                if (const auto t = value(part)) times.push_back(*t);
                continue;
            }
            const auto from = value(part.substr(0, first));
            const auto to = value(part.substr(first + 1, second - first - 1));
            const auto count = value(part.substr(second + 1));
            constexpr double k_most = 1e6;
            if (!from || !to || !count) continue;
            if (!(*count >= 1.0) || *count > k_most) {
                diagnostics.report(
                    base::Code::value_out_of_range,
                    fmt::format("--at {}: between 1 and {:.0f} times", part, k_most));
                continue;
            }
            const auto n = static_cast<std::size_t>(*count);
            for (std::size_t i = 0; i < n; ++i) {
                times.push_back(n == 1 ? *from
                                       : *from + (*to - *from) * static_cast<double>(i) /
                                                     static_cast<double>(n - 1));
            }
        }
    }
    return times;
}

} // namespace

ask::RunQuestion question_of(const RunArguments& arguments, const Terminal& terminal,
                             base::Diagnostics& diagnostics) {
    ask::RunQuestion question;
    question.set.assign(arguments.settings.begin(), arguments.settings.end());
    question.until = arguments.until;
    question.tolerance = arguments.tolerance;
    question.step = arguments.step;
    if (!arguments.method.empty())
        question.method =
            std::ranges::find(model::k_methods, arguments.method, &model::MethodName::word)->method;
    question.realise = arguments.realise;
    question.at = read_times(arguments.at, diagnostics);
    question.pieces = arguments.dense;
    question.sensitivity = arguments.sensitivity;
    question.saltation = arguments.saltation;
    question.balance = !arguments.no_balance;
    question.layer = arguments.layer;
    question.branches = arguments.branches;
    question.release = !arguments.no_release;
    question.command = terminal.command_line;
    question.arguments = arguments.given;
    return question;
}

std::size_t sample_count(const RunArguments& arguments) {
    constexpr std::size_t k_grid = 1000;
    return arguments.samples ? static_cast<std::size_t>(*arguments.samples) : k_grid;
}

int exit_code(const record::Run& run) {
    switch (run.trajectory.status) {
    case motion::Status::done: return exit_ok;
    case motion::Status::stopped: return exit_stopped;
    case motion::Status::interrupted: return exit_interrupted;
    case motion::Status::unbalanced: return exit_unbalanced;
    }
    return exit_ok;
}

} // namespace liaison::app
