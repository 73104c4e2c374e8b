// SPDX-License-Identifier: Apache-2.0
// From the words of the command line to a command that is ready to run.
#include "liaison/app/parse.hpp"

#include "liaison/base/nearest.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace liaison::app {

namespace {

CLI::Option* declare(CLI::App& app, const Option& option) {
    const auto set = [&option](const std::string& text) {
        const std::string wrong = option.set(text);
        if (!wrong.empty()) {
            throw CLI::ValidationError(split_names(option.names).back(), wrong);
        }
    };
    if (!option.positional && option.placeholder.empty()) {
        return app.add_flag_function(option.names, [set](std::int64_t) { set({}); });
    }
    if (option.repeated) {
        CLI::Option* many = app.add_option_function<std::vector<std::string>>(
            option.names, [set](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) set(text);
            });
        // A repeated option takes one value each time; positional arguments take all that come.
        return option.positional ? many : many->allow_extra_args(false);
    }
    return app.add_option_function<std::string>(option.names, set);
}

// The option nearest to a misspelt one.
std::string suggestion(const Options& options, std::string_view word) {
    std::vector<std::string> names;
    for (const Option& option : options.all()) {
        if (!option.positional) {
            for (std::string& name : split_names(option.names)) names.push_back(std::move(name));
        }
    }
    const auto near = base::nearest(word.substr(0, word.find('=')), names);
    return near ? fmt::format("did you mean {}?", *near) : std::string{};
}

} // namespace

std::variant<Action, UsageError> parse(const Command& command,
                                       const std::vector<std::string>& words, Terminal& terminal) {
    Options options;
    Action action = command.setup(options);
    declare_common(options, terminal);

    CLI::App app;
    app.set_help_flag("");
    app.allow_extras();
    std::vector<std::pair<const Option*, const CLI::Option*>> required;
    for (const Option& option : options.all()) {
        CLI::Option* declared = declare(app, option);
        if (option.required) required.emplace_back(&option, declared->required());
    }
    bool missing = false;
    try {
        std::vector<std::string> reversed(words.rbegin(), words.rend());
        app.parse(reversed);
    } catch (const CLI::RequiredError&) {
        missing = true;
    } catch (const CLI::ParseError& error) {
        return UsageError{error.what(), {}};
    }
    // A misspelt option explains a missing argument better than the reverse.
    const auto left = app.remaining();
    if (!left.empty()) {
        const std::string& word = left.front();
        if (word.starts_with("-") && word != "-") {
            return UsageError{fmt::format("unknown option {}", word), suggestion(options, word)};
        }
        return UsageError{fmt::format("`{}` is one argument too many", word), {}};
    }
    if (missing) {
        const auto first = std::ranges::find_if(
            required, [](const auto& one) { return one.second->count() == 0; });
        if (first == required.end()) return UsageError{"an argument is missing", {}};
        const Option& option = *first->first;
        const std::string example = option.positional
                                        ? std::string()
                                        : fmt::format("{} {}: {}", split_names(option.names).back(),
                                                      option.placeholder, option.help);
        return UsageError{fmt::format("{} is missing", split_names(option.names).back()), example};
    }
    return action;
}

} // namespace liaison::app
