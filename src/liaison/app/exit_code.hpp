// SPDX-License-Identifier: Apache-2.0
// What the exit status of the program says to scripts.
#pragma once

namespace liaison::app {

enum ExitCode : int {
    exit_ok = 0,
    exit_no = 1,           // the answer is "no"
    exit_input = 2,        // the model or another input is wrong
    exit_stopped = 3,      // the motion stopped early
    exit_unbalanced = 4,   // the motion reached its end, but its energy balance does not close
    exit_usage = 64,       // the command line is wrong
    exit_bug = 70,         // liaison is wrong
    exit_interrupted = 130 // partial results are kept
};

} // namespace liaison::app
