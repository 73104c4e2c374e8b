// SPDX-License-Identifier: Apache-2.0
// Help texts generated from the command table.
#include "liaison/app/help.hpp"

#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace liaison::app {

namespace {

constexpr std::size_t k_width = 80;

// Words of `text` in lines of at most k_width columns, each after `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t column) {
    std::string out;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        if (column > indent && column + word.size() >= k_width) {
            out += fmt::format("\n{:{}}", "", indent);
            column = indent;
        } else if (column > indent) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
        text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
    }
    return out + "\n";
}

std::string left_side(const Option& option) {
    if (option.positional) return option.names;
    std::string text = fmt::format("{}", fmt::join(split_names(option.names), ", "));
    if (!option.placeholder.empty()) text += " " + option.placeholder;
    return text;
}

std::string usage(const Command& command, const Options& options) {
    std::string line = fmt::format("liaison {}", command.name);
    for (const Option& option : options.all()) {
        if (!option.positional) continue;
        const std::string word = option.names + (option.repeated ? "…" : "");
        line += option.required ? " " + word : " [" + word + "]";
    }
    return line + " [options]";
}

Options declared(const Command& command) {
    Options options;
    Terminal terminal;
    (void)command.setup(options);
    declare_common(options, terminal);
    return options;
}

std::string option_lines(const Options& options, bool positional) {
    constexpr std::size_t column = 26;
    std::string text;
    for (const Option& option : options.all()) {
        if (option.positional != positional) continue;
        const std::string left = "  " + left_side(option);
        text += left;
        const std::size_t gap = left.size() + 2 <= column ? column - left.size() : 0;
        text += gap > 0 ? std::string(gap, ' ') : fmt::format("\n{:{}}", "", column);
        std::string help = option.help;
        if (!option.choices.empty()) {
            help += fmt::format(": {}", fmt::join(option.choices, ", "));
        }
        text += wrapped(help, column, column);
    }
    return text;
}

} // namespace

std::string program_help() {
    std::string text = "liaison: mechanical systems with constraints of every kind\n\n"
                       "usage: liaison COMMAND [options]\n\ncommands:\n";
    for (const Command& command : commands()) {
        text += fmt::format("  {:<14}", command.name) + wrapped(command.summary, 16, 16);
    }
    return text + "\noptions:\n  -h, --help    this text; after a command: its options\n"
                  "  --version     version of the program\n\n"
                  "liaison COMMAND --help shows options and examples.\n";
}

std::string command_help(const Command& command, bool full) {
    const Options options = declared(command);
    std::string text = fmt::format("usage: {}\n\n", usage(command, options));
    text += wrapped(command.summary, 0, 0);
    if (full && !command.description.empty()) text += "\n" + wrapped(command.description, 0, 0);
    if (const std::string lines = option_lines(options, true); !lines.empty()) {
        text += "\narguments:\n" + lines;
    }
    text += "\noptions:\n" + option_lines(options, false);
    if (full && !command.examples.empty()) {
        text += "\nexamples:\n";
        for (const Example& example : command.examples) {
            text += fmt::format("  {}\n      ", example.line) + wrapped(example.says, 6, 6);
        }
    }
    return text;
}

std::string commands_markdown() {
    std::string page =
        "# Commands\n\nResults go to standard output, talk to standard error. Exit codes: "
        "0 ok, 1 the answer is \"no\", 2 the input is wrong, 3 the motion stopped early, "
        "4 its energy balance does not close, 64 wrong usage, 70 a bug, 130 interrupted.\n";
    for (const Command& command : commands()) {
        page +=
            fmt::format("\n## {}\n\n```text\n{}```\n", command.name, command_help(command, true));
    }
    return page;
}

} // namespace liaison::app
