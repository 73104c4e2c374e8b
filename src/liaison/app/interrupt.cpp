// SPDX-License-Identifier: Apache-2.0
// One handler for all of them.
#include "liaison/app/interrupt.hpp"

#include <csignal>

namespace liaison::app {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "it is set by a signal handler");

void on_signal(int signal) {
    const bool again = interrupted.exchange(true);
    if (!again || signal != SIGINT) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void listen(int signal) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN ||
        before.sa_handler == on_signal)
        return;
    struct sigaction action{};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

} // namespace

const std::atomic<bool>& interrupt_flag() { return interrupted; }

void listen_for_interrupts() {
    for (const int signal : {SIGINT, SIGHUP, SIGTERM}) listen(signal);
}

} // namespace liaison::app
