// SPDX-License-Identifier: Apache-2.0
// The mode rule of several relays: u ∈ [−1,1]^m with u_i ∈ Sgn(y_i), y = α + D u.
//
// y_i > 0 ⇒ u_i = 1, y_i < 0 ⇒ u_i = −1, y_i = 0 ⇒ |u_i| ≤ 1 (slide): the box variational inequality VI(−D, −α).
// Unique if −D is a P-matrix. Few relays: all 3^m candidates, so that "none" and "several" are facts.
// Many: Lemke on the equivalent complementarity problem with z = u + 1, s = 1 − u:
//   (w; s) = [−D I; −I 0] (z; v) + (D1 − α; 2),  0 ≤ (w; s) ⊥ (z; v) ≥ 0,  −y = w − v.
#pragma once

#include "liaison/solve/factor.hpp"

#include <cstdint>
#include <vector>

namespace liaison::solve {

enum class RelayMode : std::int8_t { down = -1, slide = 0, up = 1 };

struct BoxSolution {
    Vector u;
    Vector y; // α + D u: the rates Ṡ
    std::vector<RelayMode> modes; // up: y > 0, down: y < 0, slide: y = 0
    std::vector<int> ties; // indices with y_i = 0 and |u_i| = limit_i: the next derivative decides
    int dimension = 0; // > 0: a continuum of u with these modes; u is its least-norm member
    double residual = 0; // max |u − clamp(u + y)|, relative to 1 + max |α|
};

struct BoxResult {
    std::vector<BoxSolution> solutions{};
    bool complete = true; // every candidate was decided: the count is a fact
    // Several: what the caller must not choose silently. None (complete): no forward motion of this form.
    [[nodiscard]] bool unique() const {
        return complete && solutions.size() == 1 && solutions[0].dimension == 0;
    }
};

struct BoxOptions {
    int max_enumerated = 6; // 3⁶ = 729 candidates
    double tolerance = 1e-10;
    // A relay that slides may go as far as |u_i| ≤ limit_i (a static level above the one in motion, ≥ 1); empty: 1.
    Vector limit{};
};

// Above max_enumerated: at most one solution, and complete = false.
[[nodiscard]] BoxResult solve_box_vi(const Eigen::Ref<const Matrix>& D,
                                     const Eigen::Ref<const Vector>& alpha,
                                     const BoxOptions& options = {});

} // namespace liaison::solve
