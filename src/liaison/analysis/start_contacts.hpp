// SPDX-License-Identifier: Apache-2.0
// The contacts with friction that are closed at the start: their case, and velocities with which all of them approach.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace liaison::analysis {

// A₁ and B₁' as in painleve.hpp; B₁' of a contact at rest is D_nn.
struct StartContact {
    std::string name; // "tip", "play lower"
    int slips = 1;
    bool moving = false;
    double free = 0.0; // A₁
    double response = 0.0; // B₁'
    bool boundary = false; // B₁' = 0 up to rounding
    bool turns_out = false; // in space, on the boundary: the impact turns the slip to where B₁' > 0
    double restitution = 0.0;

    [[nodiscard]] bool paradox() const { return moving && (boundary || response < 0.0); }
    [[nodiscard]] std::string_view case_name() const;
};

struct StartContacts {
    std::vector<StartContact> closed;
    // The least change of the velocities that changes the gap rate of every one of them by 1 and nothing else.
    std::vector<double> approach;
    std::string problem; // why nothing is known; empty: it is
};
StartContacts start_contacts(const model::Model& model, const prepare::Point& point);

} // namespace liaison::analysis
