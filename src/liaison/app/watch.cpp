// SPDX-License-Identifier: Apache-2.0
// The controls of a question, tied to the terminal and to signals.
#include "liaison/app/watch.hpp"

#include "liaison/app/interrupt.hpp"

#include <string>

namespace liaison::app {

Watch::Watch(const Terminal& terminal, bool quiet, Signals signals) {
    control_.interrupt = &interrupt_flag(); // what was computed is kept
    control_.begins = [&terminal, quiet, signals](const base::Diagnostics& diagnostics) {
        if (signals == Signals::keep) listen_for_interrupts();
        if (!quiet) terminal.tell(diagnostics);
    };
    if (!terminal.watched()) return;
    control_.progress = [this](const ask::Progress& now) {
        if (!line_) line_.emplace(now.from, now.to, std::string(now.counted));
        line_->show(now.at);
    };
}

void Watch::clear() {
    if (line_) line_->clear();
}

} // namespace liaison::app
