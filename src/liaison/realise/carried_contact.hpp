// SPDX-License-Identifier: Apache-2.0
// Contacts that stay closed because others hold them: closed, but without a reaction of their own.
#pragma once

namespace liaison::realise {

// Value of the mask of a closed contact whose gap rate depends on those of the contacts that carry the load: three
// feet on a line need two reactions. Its row leaves the system (the reaction is this small), its guards rest
// (they watch masks 0 and 1), and it is decided anew with the others at their next event. The reactions are then one
// choice among many; their sum and the motion are unique.
inline constexpr double k_carried = 1e-300;

} // namespace liaison::realise
