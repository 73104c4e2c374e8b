// SPDX-License-Identifier: Apache-2.0
// Runs a flow and gathers everything a user wants to know about the motion.
#pragma once

#include "liaison/motion/steppers.hpp"
#include "liaison/record/run.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace liaison::realise {
class ContactProblem;
}

namespace liaison::record {

struct ExecuteOptions {
    double until = 0.0;
    double tolerance = 1e-9;
    motion::MethodOptions method = {}; // its tolerance is the one above
    std::vector<double> at;      // times the user asked for
    std::size_t grid = 0;        // evenly spaced samples besides
    bool trace = false;          // keep points along every piece, for pictures
    bool pieces = false;         // keep the pieces themselves
    const motion::Standing* from = nullptr; // go on from here
    const realise::ContactProblem* contacts = nullptr; // rigid ones, whose decisions are checked
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void()> begins = {}; // called when all is prepared and the motion begins
    // Called now and then with the time reached; for progress lines.
    std::function<void(double)> progress = {};
};

Run execute(const flow::Flow& flow, const ExecuteOptions& options);

} // namespace liaison::record
