// SPDX-License-Identifier: Apache-2.0
// An owner that brings any state of its mode back to what it keeps, inside steps too.
#pragma once

#include "liaison/flow/transition.hpp"

namespace liaison::flow {

// Ends of steps are brought back by Transition::settle; a sample inside a step is a point of a polynomial, which keeps
// constraints to the tolerance only. Restored, it lies on them as the ends of steps do.
class Restorer {
  public:
    virtual ~Restorer() = default;

    virtual void restore(Instant& now) const = 0;
};

} // namespace liaison::flow
