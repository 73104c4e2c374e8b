// SPDX-License-Identifier: Apache-2.0
// Any flow extended by its variational equations: tangent vectors carried along the motion and through its events.
//
// Between events a tangent vector obeys
//   δw' = f_w δw + f_t δt + f_p δp      with δt, δp constant,
// the derivatives taken of the expressions of the field, linear systems included; at events it passes by the
// saltation of the event (saltation.hpp). The result is a flow like any other: state (x, δw₁, …, δw_k), the same
// guards, one transition that lets those of the original act in their usual order.
#pragma once

#include "liaison/flow/flow.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::flow {

// Name of the mode slot that is 1 after an event without a derivative.
inline constexpr std::string_view k_lost_slot = "variation lost";

// One tangent vector: the derivative of the motion by something.
struct Tangent {
    std::string name; // by what, as the user calls it
    std::optional<std::size_t> parameter; // δp = 1 for this parameter, else none is varied
    bool time = false; // δt = 1: the motion as a function of its starting time
    std::vector<double> start; // δw at the start, by controlled state; missing entries are 0
};

struct VariationalOptions {
    // Adds derivatives of the user's quantities (group sensitivity: name of the quantity, part by what).
    bool outputs = true;
};

// Where the tangent vectors are in the extended state.
struct Variational {
    Flow flow;
    std::size_t first = 0; // state index of the first tangent vector
    std::size_t rows = 0; // its length: controlled states, then continuous mode slots
    std::size_t count = 0;
    std::size_t lost =
        0; // mode slot: 1 after an event without a derivative; the tangents are 0 from there on

    [[nodiscard]] std::size_t index(std::size_t tangent, std::size_t row) const {
        return first + tangent * rows + row;
    }
};

[[nodiscard]] Variational extend(std::shared_ptr<const Flow> base, std::vector<Tangent> tangents,
                                 const VariationalOptions& options = {});

} // namespace liaison::flow
