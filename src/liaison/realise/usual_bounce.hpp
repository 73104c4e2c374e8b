// SPDX-License-Identifier: Apache-2.0
// The usual impact of one ideal contact while all others are open, in a form that many motions compute side by side.
#pragma once

#include "liaison/flow/usual_reset.hpp"
#include "liaison/realise/contact_slots.hpp"

#include <Eigen/Core>

#include <memory>

namespace liaison::flow {
struct Flow;
}

namespace liaison::realise {

// Null where there are so many contacts that computing the numbers of all for the impact of one does not pay.
// `start_D`: the diagonal of the Delassus matrix at the start, which tells a gradient that vanishes.
[[nodiscard]] std::shared_ptr<const flow::UsualReset> usual_bounce(const flow::Flow& flow,
                                                                   const ContactSlots& slots,
                                                                   std::size_t first_guard,
                                                                   const Eigen::VectorXd& start_D);

} // namespace liaison::realise
