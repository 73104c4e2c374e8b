// SPDX-License-Identifier: Apache-2.0
// The program: finds the command, runs it, and turns every failure into a message and an exit code.
#include "liaison/app/command.hpp"
#include "liaison/app/help.hpp"
#include "liaison/app/parse.hpp"
#include "liaison/base/assert.hpp"
#include "liaison/base/nearest.hpp"
#include "liaison/base/version.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

namespace liaison::app {

namespace {

int usage_error(const Terminal& terminal, std::string_view message, std::string_view hint,
                std::string_view help) {
    terminal.complain(message);
    if (!hint.empty()) terminal.complain(hint);
    terminal.complain(fmt::format("see {}", help));
    return exit_usage;
}

int unknown_command(const Terminal& terminal, const std::string& word) {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    std::string hint;
    if (const auto near = base::nearest(word, names))
        hint = fmt::format("did you mean `{}`?", *near);
    if (word.ends_with(".toml")) hint = fmt::format("to check a model: liaison check {}", word);
    const std::string_view what = word.starts_with("-") ? "option" : "command";
    return usage_error(terminal, fmt::format("unknown {} `{}`", what, word), hint,
                       "liaison --help");
}

bool asks_for(const std::vector<std::string>& words, std::string_view option) {
    const auto end = std::ranges::find(words, "--");
    return std::find(words.begin(), end, option) != end;
}

int bug(const Terminal& terminal, std::string_view what) {
    terminal.complain(fmt::format("this is a bug in liaison {}: {}", base::k_version, what));
    terminal.complain("please report it together with the model and the command line");
    return exit_bug;
}

int run_action(const Action& action, Terminal& terminal) {
    try {
        return action(terminal);
    } catch (const base::ModelError& error) {
        return terminal.refuse(error.diagnostics());
    } catch (const base::InternalError& error) {
        return bug(terminal, error.what());
    } catch (const std::bad_alloc&) {
        terminal.complain("out of memory");
        return exit_stopped;
    } catch (const std::exception& error) {
        return bug(terminal, error.what());
    }
}

int run(const std::vector<std::string>& words) {
    Terminal terminal;
    if (words.empty()) {
        terminal.say(program_help());
        return exit_usage;
    }
    const std::string& first = words.front();
    if (first == "-h" || first == "--help" || first == "help") {
        const Command* topic = words.size() > 1 ? find_command(words[1]) : nullptr;
        terminal.print(topic != nullptr ? command_help(*topic, true) : program_help());
        return exit_ok;
    }
    if (first == "--version") {
        if (asks_for(words, "--json")) {
            terminal.print_json(nlohmann::json{{"liaison", base::k_version}});
        } else {
            terminal.print(fmt::format("liaison {}\n", base::k_version));
        }
        return exit_ok;
    }
    const Command* command = find_command(first);
    if (command == nullptr) return unknown_command(terminal, first);

    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (asks_for(rest, "--help") || asks_for(rest, "-h")) {
        terminal.print(command_help(*command, asks_for(rest, "--help")));
        return exit_ok;
    }
    const auto parsed = parse(*command, rest, terminal);
    if (const auto* wrong = std::get_if<UsageError>(&parsed)) {
        return usage_error(terminal, fmt::format("{}: {}", command->name, wrong->message),
                           wrong->hint, fmt::format("liaison {} --help", command->name));
    }
    terminal.command_line = fmt::format("liaison {}", fmt::join(words, " "));
    const int code = run_action(std::get<Action>(parsed), terminal);
    if (!terminal.flush()) {
        terminal.complain("standard output could not be written");
        return exit_input;
    }
    return code;
}

} // namespace

} // namespace liaison::app

namespace {

// Where a standard stream is closed the next file that is opened takes its number, and words for the user would go into it.
// What stands there instead can neither be written nor, as input, be read, as before.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) != -1) continue;
        const int taken = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (taken != -1 && taken != stream) close(taken);
    }
}

} // namespace

int main(int argc, char** argv) {
    occupy_standard_streams();
    // A file that grows beyond what the user may write is an error like a full disk, with a message.
    std::signal(SIGXFSZ, SIG_IGN);
    return liaison::app::run({argv + 1, argv + argc});
}
