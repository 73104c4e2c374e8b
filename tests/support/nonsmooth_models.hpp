// SPDX-License-Identifier: Apache-2.0
// Models with impacts and dry friction whose periodic motions have closed forms, as several tests use them.
#pragma once

namespace liaison::test {

// Ball on a table that vibrates as Γ sin t, in units of gravity and of the table's frequency.
inline const char* const k_ball = R"model(
format = 1
coordinates = ["y"]
[parameters]
Gamma = 1.3
e = 0.5
[energy]
T = "y'^2/2"
V = "y"
[contact.table]
gap = "y - Gamma*sin(t)"
restitution = "e"
[start]
y = 2.0
)model";

// Impact pair: y'' = cos t, |y| ≤ λ.
inline const char* const k_impact_pair = R"model(
format = 1
coordinates = ["y"]
[parameters]
lam = 2.0
r = 0.8
[energy]
T = "y'^2/2"
[force.shake]
y = "cos(t)"
[contact.walls]
between = ["-lam", "y", "lam"]
restitution = "r"
[periodic]
symmetry = { y = "-y" }
)model";

// Coulomb oscillator: x'' + x = sin ωt − F sgn x'.
inline const char* const k_coulomb = R"model(
format = 1
coordinates = ["x"]
[parameters]
F = 0.4
omega = 0.7
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.shake]
x = "sin(omega*t)"
[relay.dry]
surface = "x'"
values = { above = -1, below = 1 }
force.x = "F*u"
[periodic]
symmetry = { x = "-x" }
[start]
x = 1
)model";

// x'' + 2ζx' + x = F cos ωt + F_k sgn(v − x'): smooth as long as the mass is slower than its belt.
inline const char* const k_belt = R"model(
format = 1
coordinates = ["x"]
[parameters]
zeta = 0.05
omega = 0.8
v = 0.5
Fk = 0.3
F = 0.1
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.shake]
x = "-2*zeta*x' + F*cos(omega*t)"
[relay.belt]
surface = "v - x'"
values = { above = 1, below = -1 }
force.x = "Fk*u"
[start]
x = 0.3
)model";

// x'' + x = u on a belt of speed v: u = ±Fd while the mass slips, |u| ≤ Fs while it is held.
inline const char* const k_two_level_belt = R"model(
format = 1
coordinates = ["x"]
[parameters]
v = 0.2
Fs = 1.0
Fd = 0.6
[energy]
T = "x'^2/2"
V = "x^2/2"
[relay.belt]
surface = "v - x'"
values = { above = "Fd", below = "-Fd", static = "Fs" }
force.x = "u"
[start]
x = 0.1
)model";

// Vibro-impact oscillator: s'' + h s' + Ω² s = ε sin ωt, s ≤ Δ.
inline const char* const k_vibro_impact = R"model(
format = 1
coordinates = ["s"]
[parameters]
h = 0.04
Omega = 1.0
epsilon = 0.1
omega = 1.97
Delta = 0.02
e = 1.0
[energy]
T = "s'^2/2"
V = "Omega^2*s^2/2"
[force.damper]
s = "-h*s'"
[force.drive]
s = "epsilon*sin(omega*t)"
[contact.wall]
gap = "Delta - s"
restitution = "e"
[start]
s = -1
)model";

} // namespace liaison::test
