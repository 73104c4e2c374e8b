// SPDX-License-Identifier: Apache-2.0
// The [event] tables of a model: located crossings that report, stop or set the state.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/realise/projection.hpp"
#include "liaison/realise/switching.hpp"

namespace liaison::realise {

// What the events of a model need in the flow, with conditions already turned into real functions.
struct UserEvents {
    struct Assignment {
        enum class Target { state, mode };
        Target target = Target::state;
        std::size_t index = 0;   // flow state or mode slot
        expr::Expr value;        // uses values before the event
        std::string name = {};   // as the user writes it
    };
    struct Item {
        std::string name;
        expr::Expr when;
        flow::Direction direction = flow::Direction::both;
        bool stop = false;
        std::vector<Assignment> sets;
        // Of `when` at an instant, whichever side a `min` or `max` of conditions was on before; empty: the same.
        expr::Expr value = {};
    };
    std::vector<Item> items;
    expr::Expr energy; // its change by `set` is reported; empty: there is none
    ConstraintAnswer
        constraints; // to velocities that are set against them; empty: they are left as they are set
};

// Adds guards and the transition; the flow's states, rates and mode slots must be complete.
void install(const UserEvents& events, flow::Flow& flow);

} // namespace liaison::realise
