// SPDX-License-Identifier: Apache-2.0
// Functions without a kernel of their own: one C function each, called by interpreter and machine code alike.
#pragma once

#include "liaison/compile/plan.hpp"

namespace liaison::compile {

using Function1 = double (*)(double) noexcept;
using Function2 = double (*)(double, double) noexcept;

// tan, asin, acos, atan, sinh, cosh, tanh, floor; also sin and cos beyond kernel::k_trig_limit. Null for others.
Function1 library_function(Code code);
// atan2 and pow. Null for others.
Function2 library_function2(Code code);

} // namespace liaison::compile
