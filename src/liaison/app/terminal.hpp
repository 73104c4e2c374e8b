// SPDX-License-Identifier: Apache-2.0
// Where a command writes: results on standard output, talk on standard error, colour on a terminal.
#pragma once

#include "liaison/app/options.hpp"
#include "liaison/base/diagnostic.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace liaison::app {

class Terminal {
  public:
    Terminal();

    bool json = false;
    bool quiet = false;
    bool verbose = false;
    std::string command_line; // as it was typed, for the provenance of results

    // Result; talk (not with --quiet); talk with --verbose only.
    void print(std::string_view text) const;
    void say(std::string_view text) const;
    void whisper(std::string_view text) const;
    // A JSON result, followed by a line break.
    void print_json(const nlohmann::json& result) const;
    // Diagnostics on standard error, unless --json carries them.
    void tell(const base::Diagnostics& diagnostics) const;
    // Wrong input: told as text or JSON; the exit code that says so.
    [[nodiscard]] int refuse(const base::Diagnostics& diagnostics) const;
    // Something wrong that is no diagnostic of a model: "liaison: …".
    void complain(std::string_view text) const;

    [[nodiscard]] bool colour_on_output() const { return colour_output_; }
    [[nodiscard]] bool colour_on_error() const { return colour_error_; }
    // Whether a person watches: progress lines make sense.
    [[nodiscard]] bool watched() const { return watched_ && !quiet; }
    // False once standard output could not be written (full disk, closed pipe).
    [[nodiscard]] bool flush() const;

  private:
    bool colour_output_ = false;
    bool colour_error_ = false;
    bool watched_ = false;
};

// --json, -q, -v: on every command.
void declare_common(Options& options, Terminal& terminal);

} // namespace liaison::app
