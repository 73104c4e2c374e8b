// SPDX-License-Identifier: Apache-2.0
// The oscillator of 06-impact-oscillator.json: x'' + 2 zeta x' + x = F cos(omega t), a stop at x = sigma.
#pragma once

namespace liaison::test {

inline constexpr const char* k_impact_oscillator = R"model(
format = 1
coordinates = ["x"]
[parameters]
zeta = 0.05
F = 1.0
omega = 2.0
sigma = 0.0
r = 0.8
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-2*zeta*x' + F*cos(omega*t)"
[contact.stop]
gap = "sigma - x"
restitution = "r"
[start]
x = "sigma - 0.5"
)model";

} // namespace liaison::test
