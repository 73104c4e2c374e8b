// SPDX-License-Identifier: Apache-2.0
// What an implicit method does to elastic contacts: the restitution that its own damping invents.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <string>
#include <vector>

namespace liaison::analysis {

// One sentence per elastic contact, with ω = √(N B/μ) at this point and a step h: the restitution of backward Euler.
std::vector<std::string> implicit_damping(const model::Model& model, const prepare::Point& point,
                                          double step);

} // namespace liaison::analysis
