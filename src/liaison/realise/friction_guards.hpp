// SPDX-License-Identifier: Apache-2.0
// The guards of frictional contacts: gap, reaction, friction limits, slip and normal response, each with its role.
#pragma once

#include "liaison/realise/friction_choice.hpp"
#include "liaison/realise/friction_events.hpp"

namespace liaison::realise {

// Values of the slot `answers` of a contact whose B₁' is the pivot of a group that depends on each other, by its sign. Of a group
// one contact is watched: for the zero of its pivot, or, where all pivots are large, until it is small enough for that.
constexpr double k_group_near = 2.0;
constexpr double k_group_far = 3.0;
// The pivot, as a share of D_nn, from which on another contact is looked for, and below which the far one is near again.
constexpr int k_pivot_far = 10;
constexpr int k_pivot_near = 5;

// Speed below which slip in space counts as rest, as a share of the speeds of the model.
constexpr double k_slip_ends = 1e-10;

enum class Role {
    gap,
    normal,
    slip_plus,
    slip_minus,
    bound_plus,
    bound_minus,
    response, // B₁' comes to zero
    response_far, // that of a group becomes so large that another contact shows its determinant better, or so small again
    lead_stop, // slip in space with a given direction comes back to zero
    lead_end, // and has grown until a new direction is due
    idle, // a contact that would pull, if it shared the load of others, would press
    coefficient // of friction, which must not be negative
};
struct GuardRole {
    Eigen::Index side = 0;
    Role role = Role::gap;
};

struct FrictionGuards {
    std::size_t first = 0; // index in the flow
    std::vector<GuardRole> roles;
    std::vector<expr::Expr> values;
};
// Adds the guards of all sides to the flow, for the transition that comes next. `slip_ends`: speed below which slip in space
// counts as rest.
FrictionGuards add_guards(const FrictionEvents& events, const FrictionModes& modes,
                          double slip_ends, flow::Flow& flow);

// The modes that are over when this guard fires; contacts are numbered by side.
void add_exclusions(const GuardRole& guard, Eigen::Index slips, std::vector<Exclusion>& list);

} // namespace liaison::realise
