// SPDX-License-Identifier: Apache-2.0
// The numbers a realisation starts from: parameters and a prepared start state.
#pragma once

#include <cstddef>
#include <vector>

namespace liaison::realise {

struct Setting {
    std::vector<double> parameters;  // by Model::parameters
    std::vector<double> states;      // discrete states, by Model::states
    double time = 0.0;
    std::vector<double> q;           // by Model::coordinates
    std::vector<double> v;           // by Model::velocities
};

} // namespace liaison::realise
