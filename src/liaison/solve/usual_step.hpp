// SPDX-License-Identifier: Apache-2.0
// The usual cases, proved from a look at the whole step or at its parts: a guard stays clear of zero, or passes through it.
#pragma once

#include <cstddef>
#include <span>

namespace liaison::solve {

struct UsualStep {
    enum class Passage {
        unknown, // nothing was proved; also for numbers that are not finite or out of range
        clear, // |P| > band on the whole step
        once // P − λ has exactly one root for every |λ| ≤ band, and |P| > band at both ends
    };
    Passage passage = Passage::unknown;
    double where = 0; // of a passage: the root to a few percent, as a fraction of the step
    bool moderate = false; // neither the terms nor the powers of h come near the ends of the range
    std::size_t terms =
        0; // of a passage: coefficients that are seen at the root, even to double length
};

// P(t) = Σ c_k t^k on 0 ≤ t ≤ h: first by the terms c_k h^k alone (those that pull towards zero are too small), then
// by the signs of all Bernstein coefficients (Descartes' rule). Last terms far below the rounding of the sum, the dust of a
// guard that is linear but for rounding, say, widen the band instead of raising the degree.
[[nodiscard]] UsualStep usual_step(std::span<const double> coefficients, double h, double band);

// The first passage into a wanted direction, in halves and quarters where one look at the whole step does not tell: a
// long step goes back and forth. `clear`: there is none, and P ends beyond the band; `once`: as above, on the
// part from `lower` to `upper`.
struct FirstPassage : UsualStep {
    double lower = 0; // fractions of the step
    double upper = 1;
    int side = 0; // sign of P at `lower`, or at the end of the step without a passage
};
enum class Wanted { up, down, both };
[[nodiscard]] FirstPassage first_passage(std::span<const double> coefficients, double h,
                                         double band, Wanted wanted);

} // namespace liaison::solve
