// SPDX-License-Identifier: Apache-2.0
// Where a command writes: results on standard output, talk on standard error, colour on a terminal.
#include "liaison/app/terminal.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/base/render.hpp"
#include "liaison/base/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace liaison::app {

namespace {

void write(std::FILE* file, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file);
}

bool colour_wanted() {
    const char* no_colour = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return (no_colour == nullptr || *no_colour == '\0') &&
           (term == nullptr || std::string_view(term) != "dumb");
}

} // namespace

Terminal::Terminal()
    : colour_output_(colour_wanted() && isatty(STDOUT_FILENO) == 1),
      colour_error_(colour_wanted() && isatty(STDERR_FILENO) == 1),
      watched_(isatty(STDERR_FILENO) == 1) {}

// Names and texts of models, files and paths may hold anything; a terminal obeys control characters. JSON is for programs
// and stays as it is.
void Terminal::print(std::string_view text) const {
    if (quiet && !json) return;
    write(stdout, json ? std::string(text) : base::printable_lines(text));
}

void Terminal::say(std::string_view text) const {
    if (!quiet) write(stderr, base::printable_lines(text));
}

void Terminal::whisper(std::string_view text) const {
    if (verbose && !quiet) write(stderr, base::printable_lines(text));
}

void Terminal::print_json(const nlohmann::json& result) const {
    // Texts of the user may hold bytes that are no UTF-8; they are shown as U+FFFD.
    write(stdout, result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Terminal::tell(const base::Diagnostics& diagnostics) const {
    if (json || diagnostics.empty() || (quiet && !diagnostics.has_errors())) return;
    write(stderr, base::render(diagnostics, {.colour = colour_error_}));
}

int Terminal::refuse(const base::Diagnostics& diagnostics) const {
    if (json)
        print_json({{"ok", false}, {"diagnostics", base::to_json(diagnostics)}});
    else
        tell(diagnostics);
    return exit_input;
}

void Terminal::complain(std::string_view text) const {
    write(stderr, fmt::format("liaison: {}\n", base::readable(text)));
}

bool Terminal::flush() const { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

void declare_common(Options& options, Terminal& terminal) {
    options.flag("--json", terminal.json, "print the result as JSON on standard output");
    options.flag("-q,--quiet", terminal.quiet, "say only what is wrong");
    options.flag("-v,--verbose", terminal.verbose, "say more about what is done");
}

} // namespace liaison::app
