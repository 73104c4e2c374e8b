// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells, generated from the command table.
#include "liaison/app/completion.hpp"

#include "liaison/app/command.hpp"
#include "liaison/base/codes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace liaison::app {

namespace {

struct Declared {
    const Command* command;
    Options options;
};

std::vector<Declared> declared_commands() {
    std::vector<Declared> all;
    for (const Command& command : commands()) {
        Declared one{&command, {}};
        Terminal terminal;
        (void)command.setup(one.options);
        declare_common(one.options, terminal);
        one.options.flag("-h", terminal.json, "options of the command");
        one.options.flag("--help", terminal.json, "options and examples");
        all.push_back(std::move(one));
    }
    return all;
}

std::string command_names() {
    std::vector<std::string_view> names;
    for (const Command& command : commands()) names.push_back(command.name);
    return fmt::format("{}", fmt::join(names, " "));
}

std::string code_names() {
    std::vector<std::string_view> names;
    for (const auto& row : base::all_codes()) names.push_back(row.text);
    return fmt::format("{}", fmt::join(names, " "));
}

// Inside single quotes of a shell.
std::string shell_quoted(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out;
}

// What bash offers for a value.
std::string bash_words(const Option& option) {
    switch (option.complete) {
    case Complete::file: return "COMPREPLY=($(compgen -f -- \"$cur\"))";
    case Complete::model:
        return "COMPREPLY=($(compgen -f -X '!*.toml' -- \"$cur\") $(compgen -d -S / -- \"$cur\"))";
    case Complete::code:
        return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\") "
                           "$(compgen -f -X '!*.toml' -- \"$cur\"))",
                           code_names());
    case Complete::command:
        return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", command_names());
    case Complete::choices:
        return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))",
                           fmt::join(option.choices, " "));
    case Complete::nothing: break;
    }
    return "COMPREPLY=()";
}

std::string bash_case(const Declared& declared) {
    std::string values;
    std::string positional = "COMPREPLY=()";
    std::vector<std::string> words;
    for (const Option& option : declared.options.all()) {
        if (option.positional) {
            positional = bash_words(option);
            continue;
        }
        const auto names = split_names(option.names);
        words.insert(words.end(), names.begin(), names.end());
        if (!option.placeholder.empty()) {
            values += fmt::format("            {}) {}; return ;;\n", fmt::join(names, "|"),
                                  bash_words(option));
        }
    }
    if (!values.empty()) values = "        case \"$prev\" in\n" + values + "        esac\n";
    return fmt::format(
        "    {}) \n{}        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '{}' -- "
        "\"$cur\"))\n        else {}; fi ;;\n",
        declared.command->name, values, fmt::join(words, " "), positional);
}

std::string zsh_action(const Option& option) {
    switch (option.complete) {
    case Complete::file: return "_files";
    case Complete::model: return "_files -g \"*.toml\"";
    case Complete::code:
        return fmt::format(
            "_alternative \"codes\\:code\\:({})\" \"files\\:model\\:_files -g \\*.toml\"",
            code_names());
    case Complete::command: return fmt::format("({})", command_names());
    case Complete::choices: return fmt::format("({})", fmt::join(option.choices, " "));
    case Complete::nothing: break;
    }
    return "";
}

// Brackets and colons have a meaning in zsh's option descriptions.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':') out += '\\';
        out += c;
    }
    return shell_quoted(out);
}

std::string zsh_case(const Declared& declared) {
    std::string lines;
    for (const Option& option : declared.options.all()) {
        const std::string action = shell_quoted(zsh_action(option));
        if (option.positional) {
            lines += fmt::format(" \\\n            '{}:{}:{}'", option.repeated ? "*" : "1",
                                 zsh_text(option.names), action);
            continue;
        }
        for (const std::string& name : split_names(option.names)) {
            lines += fmt::format(" \\\n            '{}{}[{}]", option.repeated ? "*" : "", name,
                                 zsh_text(option.help));
            lines += option.placeholder.empty()
                         ? "'"
                         : fmt::format(":{}:{}'", zsh_text(option.placeholder), action);
        }
    }
    return fmt::format("        {}) _arguments{} ;;\n", declared.command->name, lines);
}

std::string fish_action(const Option& option) {
    switch (option.complete) {
    case Complete::file: return " -rF";
    case Complete::model: return " -k -xa '(__fish_complete_suffix .toml)'";
    case Complete::code:
        return fmt::format(" -k -xa '{} (__fish_complete_suffix .toml)'", code_names());
    case Complete::command: return fmt::format(" -xa '{}'", command_names());
    case Complete::choices: return fmt::format(" -xa '{}'", fmt::join(option.choices, " "));
    case Complete::nothing: break;
    }
    return " -x";
}

std::string fish_lines(const Declared& declared) {
    std::string text;
    for (const Option& option : declared.options.all()) {
        std::string line = fmt::format("complete -c liaison -n '__fish_seen_subcommand_from {}'",
                                       declared.command->name);
        if (!option.positional) {
            for (const std::string& name : split_names(option.names)) {
                const bool is_long = name.starts_with("--");
                line += fmt::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
            }
            line += fmt::format(" -d '{}'", shell_quoted(option.help));
        }
        if (option.positional || !option.placeholder.empty()) line += fish_action(option);
        text += line + "\n";
    }
    return text;
}

} // namespace

std::string bash_completion() {
    std::string cases;
    for (const Declared& declared : declared_commands()) cases += bash_case(declared);
    return fmt::format(
        "# bash completion of liaison; load it with\n"
        "#   eval \"$(liaison completion bash)\"\n"
        "_liaison() {{\n"
        "    local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" prev=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
        "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "        COMPREPLY=($(compgen -W '{} --help --version' -- \"$cur\"))\n"
        "        return\n    fi\n"
        "    case \"${{COMP_WORDS[1]}}\" in\n{}    esac\n}}\n"
        "complete -o filenames -F _liaison liaison\n",
        command_names(), cases);
}

std::string zsh_completion() {
    std::string names;
    std::string cases;
    for (const Declared& declared : declared_commands()) {
        names += fmt::format("        '{}:{}'\n", declared.command->name,
                             zsh_text(declared.command->summary));
        cases += zsh_case(declared);
    }
    return fmt::format(
        "#compdef liaison\n"
        "# zsh completion of liaison; put it as _liaison into a directory of $fpath\n"
        "_liaison() {{\n"
        "    local -a names\n    names=(\n{}    )\n"
        "    if (( CURRENT == 2 )); then _describe command names; return; fi\n"
        "    local command=$words[2]\n"
        "    shift words; (( CURRENT-- ))\n"
        "    case $command in\n{}    esac\n}}\n"
        "compdef _liaison liaison\n",
        names, cases);
}

std::string fish_completion() {
    std::string text = "# fish completion of liaison; load it with\n"
                       "#   liaison completion fish | source\n"
                       "complete -c liaison -f\n";
    for (const Declared& declared : declared_commands()) {
        text += fmt::format("complete -c liaison -n __fish_use_subcommand -a {} -d '{}'\n",
                            declared.command->name, shell_quoted(declared.command->summary));
        text += fish_lines(declared);
    }
    return text;
}

} // namespace liaison::app
