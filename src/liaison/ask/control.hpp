// SPDX-License-Identifier: Apache-2.0
// How the asker follows a long computation and ends it.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/base/interrupt.hpp"

#include <functional>
#include <string_view>

namespace liaison::ask {

// How far a computation has come, in what it counts: time, motions, points.
struct Progress {
    std::string_view counted; // "t =", "motion"
    double from = 0.0;
    double to = 0.0;
    double at = 0.0;
};

struct Control {
    // Raised from elsewhere (a signal handler, another thread): the computation ends soon with what it has.
    base::Interrupt interrupt = nullptr;
    // Called once, when all is prepared and the computation begins: with the warnings found until then.
    std::function<void(const base::Diagnostics&)> begins = {};
    // Called now and then, from the thread that asked.
    std::function<void(const Progress&)> progress = {};

    void begin(const base::Diagnostics& diagnostics) const {
        if (begins) begins(diagnostics);
    }
    [[nodiscard]] bool interrupted() const { return base::raised(interrupt); }
};

} // namespace liaison::ask
