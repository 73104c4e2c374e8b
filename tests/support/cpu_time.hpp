// SPDX-License-Identifier: Apache-2.0
// Processor time of a piece of work: a bound on it holds on a busy machine too.
#pragma once

#include <ctime>

namespace liaison::support {

template <class Work>
double cpu_seconds(Work work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

} // namespace liaison::support
