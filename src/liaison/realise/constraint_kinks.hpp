// SPDX-License-Identifier: Apache-2.0
// Bilateral constraints whose direction jumps where a nonsmooth function in them turns: y = |x| at x = 0.
//
// The velocities that obey such a constraint before the kink violate it beyond. What makes them obey is an impact, and
// a bilateral constraint has no law for it: the motion stops there with the facts.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/realise/switching.hpp"

#include <string>
#include <vector>

namespace liaison::realise {

// What must not jump, in smooth pieces.
struct ConstraintKinks {
    struct Item {
        std::string name;
        expr::Expr f;
        expr::Expr rate; // empty: f itself restricts velocities
    };
    std::vector<Item> items;
};

// The constraints of the flow in which something turns. The surfaces are not declared yet.
ConstraintKinks find_kinks(const flow::Flow& flow, Switching& switching);
// A transition without guards; the flow's mode slots must be complete.
void install(const ConstraintKinks& kinks, flow::Flow& flow);

} // namespace liaison::realise
