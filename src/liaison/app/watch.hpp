// SPDX-License-Identifier: Apache-2.0
// A computation as a person at a terminal follows it: warnings when it begins, a progress line, signals that end it.
#pragma once

#include "liaison/app/progress.hpp"
#include "liaison/app/terminal.hpp"
#include "liaison/ask/control.hpp"

#include <optional>

namespace liaison::app {

class Watch {
  public:
    // What the first Ctrl-C does: the computation ends with what it has, or, where it has nothing to keep, the program.
    enum class Signals { keep, end };
    // `quiet`: warnings are left to the caller.
    explicit Watch(const Terminal& terminal, bool quiet = false, Signals signals = Signals::keep);
    ~Watch() { clear(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    [[nodiscard]] const ask::Control& control() const { return control_; }
    [[nodiscard]] bool interrupted() const { return control_.interrupted(); }
    // Wipes the progress line away.
    void clear();

  private:
    std::optional<Progress> line_;
    ask::Control control_;
};

} // namespace liaison::app
