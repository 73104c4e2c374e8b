// SPDX-License-Identifier: Apache-2.0
// Signals that ask the program to end: what was computed is kept.
#pragma once

#include <atomic>

namespace liaison::app {

// Raised by Ctrl-C, a closed terminal and a polite request to end (SIGINT, SIGHUP, SIGTERM), once they are listened to.
const std::atomic<bool>& interrupt_flag();

// From now on there is something to keep: these signals raise the flag, and the program ends by itself with what it has; a
// second Ctrl-C ends it at once. Signals that were ignored (nohup) stay ignored. Until now they end the program.
void listen_for_interrupts();

} // namespace liaison::app
