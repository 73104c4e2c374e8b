// SPDX-License-Identifier: Apache-2.0
// Exponentials that are too small to be seen: the motion stops unseen where they come up, so that no step passes over them.
//
// Far below zero exp(a) and all its derivatives are nothing beside the other forces: the series of the motion does not
// tell that a bump like exp(−((x − 3)/w)²) or a steep wall exp((x − 3)/w) lies ahead, and a long step would pass over
// it. At a = −k_faint the series tells: with the error h^p/p! of order p it allows steps in which a grows by about 20.
#pragma once

#include "liaison/flow/flow.hpp"

namespace liaison::realise {

inline constexpr int k_faint = 40; // exp(−40) = 4e-18

// Guards on the exponentials in the rates, and a transition that does nothing at them.
void install_faint_exponentials(flow::Flow& flow);

} // namespace liaison::realise
