// SPDX-License-Identifier: Apache-2.0
// An expression of the model together with the place where the user wrote it.
#pragma once

#include "liaison/base/source.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison::model {

// Empty where the user gave nothing.
struct Formula {
    expr::Expr expr;
    base::Span span;

    explicit operator bool() const { return static_cast<bool>(expr); }
};

} // namespace liaison::model
