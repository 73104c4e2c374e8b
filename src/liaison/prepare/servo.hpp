// SPDX-License-Identifier: Apache-2.0
// Whether actuators can do what their servo constraints want.
//
// A reaction along B instead of F needs F M⁻¹ Bᵀ to be regular (theory of program constraints, §7). Its condition number
// says how large the forces become.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <optional>

namespace liaison::prepare {

// Ratio of the largest to the smallest singular value, infinite where some constraint cannot be kept; nothing without
// actuators or without a regular mass matrix.
[[nodiscard]] std::optional<double> servo_condition(const model::Model& model, const Point& point);

} // namespace liaison::prepare
