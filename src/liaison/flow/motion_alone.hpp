// SPDX-License-Identifier: Apache-2.0
// A flow without its books of energy, for questions that ask for no balance.
#pragma once

#include "liaison/flow/flow.hpp"

#include <array>
#include <string_view>

namespace liaison::flow {

// Names of the carried states that keep the books: integrals of the powers of given forces, relays and friction.
inline constexpr std::string_view k_work = "work";
inline constexpr std::string_view k_relay_work = "relay work";
inline constexpr std::string_view k_friction_work = "friction";
inline constexpr std::array k_books{k_work, k_relay_work, k_friction_work};

// The books keep their places among the states but are no longer written. A power is a product of series and swings
// twice as fast as its motion: books cost about half of a Taylor step and shorten it.
[[nodiscard]] Flow motion_alone(Flow flow);

} // namespace liaison::flow
