// SPDX-License-Identifier: Apache-2.0
// liaison completion: prints the completion script of a shell.
#include "liaison/app/command.hpp"
#include "liaison/app/completion.hpp"

#include <nlohmann/json.hpp>

namespace liaison::app {

namespace {

std::string script(const std::string& shell) {
    if (shell == "bash") return bash_completion();
    if (shell == "zsh") return zsh_completion();
    return fish_completion();
}

Action setup(Options& options) {
    auto shell = std::make_shared<std::string>();
    options.positional("SHELL", *shell, "the shell that will read it")
        .one_of({"bash", "zsh", "fish"})
        .needed();
    return [shell](Terminal& terminal) -> int {
        if (terminal.json) {
            terminal.print_json(nlohmann::json{{"shell", *shell}, {"script", script(*shell)}});
        } else {
            terminal.print(script(*shell));
        }
        return exit_ok;
    };
}

} // namespace

Command completion_command() {
    return {.name = "completion",
            .summary = "print the completion script of bash, zsh or fish",
            .description =
                "The script completes commands, options, model files and error codes. It is "
                "made from the same table as the help texts.",
            .examples = {{"eval \"$(liaison completion bash)\"", "completion in this bash"},
                         {"liaison completion fish | source", "completion in this fish"}},
            .setup = setup};
}

} // namespace liaison::app
