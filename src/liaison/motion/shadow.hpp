// SPDX-License-Identifier: Apache-2.0
// The a-posteriori monitor: what a step makes of the violation, against what its law makes of it.
//
// A shadow y is carried through the same method with the law of the violation, ẏ = P y (or ÿ = A₁₀ y + A₁₁ ẏ), and
// set to f at the beginning of every step. The defect δ = f(x^{k+1}) − y^{k+1} is all that the step adds; where
// |y^{k+1}| ≤ α |f^k|, the bound |f| ≤ sup|δ|/(1 − α) follows (theory of program constraints, Theorem 2-RK).
#pragma once

#include "liaison/flow/flow.hpp"

#include <memory>
#include <vector>

namespace liaison::motion {

// What was seen, by constraint.
struct ShadowRecord {
    struct Constraint {
        std::string name;
        double largest = 0.0; // |f| at accepted steps
        double largest_rate = 0.0; // |ḟ|, for laws of second order
        double defect = 0.0; // sup |δ|
        double rate_defect = 0.0; // of ḟ
        std::size_t worst_step = 0; // with the largest |f|
    };
    std::vector<Constraint> constraints;
    std::size_t steps = 0;
};

struct Shadowed {
    flow::Flow flow; // with the shadows as further states, which do not steer the step
    std::shared_ptr<ShadowRecord> record; // grows while the flow is simulated, one run at a time
};

// Constraints whose law is coupled with others have no shadow of their own and are left out.
[[nodiscard]] Shadowed with_shadow(const flow::Flow& flow);

} // namespace liaison::motion
