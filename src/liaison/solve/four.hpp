// SPDX-License-Identifier: Apache-2.0
// Four numbers side by side, loaded from and stored to any place in an array of numbers.
#pragma once

#include <cstring>

namespace liaison::solve {

using Four = double __attribute__((vector_size(32)));

// Into `four` and not as a result: a vector returned by value has another calling convention with
// and without AVX, and both variants of a loop inline these.
[[gnu::always_inline]] inline void load_four(const double* from, Four& four) {
    std::memcpy(&four, from, sizeof four);
}
[[gnu::always_inline]] inline void store_four(double* to, const Four& four) {
    std::memcpy(to, &four, sizeof four);
}

} // namespace liaison::solve
