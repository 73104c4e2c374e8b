// SPDX-License-Identifier: Apache-2.0
// A spring and damper as an impact law: damping ratio and restitution, both ways.
//
// Contact q̈ + 2ζω q̇ + ω²q = 0 from q = 0, q̇ = −v; ω = √(N B/μ). The limit N → ∞ with ζ fixed is an impact with
// restitution e(ζ) that does not depend on N (Kozlov 1988). Two rules end the contact:
//   gap:   q = 0; the force may pull at the end,
//   force: spring and damper cancel, nothing pulls; it leaves with q < 0.
#pragma once

#include <optional>

namespace liaison::laws {

enum class ContactExit { gap, force };

//   gap:   e = exp(−πζ/√(1 − ζ²)), 0 from ζ = 1 on (the gap never reopens)
//   force: e = exp(−2ζ arccos ζ/√(1 − ζ²)), e⁻² at ζ = 1, exp(−2ζ arcosh ζ/√(ζ² − 1)) beyond
[[nodiscard]] double restitution_of(double damping_ratio, ContactExit exit);

// The ratio that gives this restitution; nothing where no finite ratio does (e = 0 without pulling).
[[nodiscard]] std::optional<double> damping_ratio_for(double restitution, ContactExit exit);

// ω times the duration of a contact; nothing where it never ends (gap rule, ζ ≥ 1).
[[nodiscard]] std::optional<double> contact_phase(double damping_ratio, ContactExit exit);

// Largest penetration times ω/v: exp(−ζ arccos ζ/√(1 − ζ²)).
[[nodiscard]] double deepest_penetration(double damping_ratio);

// The phase θ = ωt at which an undamped contact that is pressed by the acceleration f > 0 and entered with speed
// v ends: 2(π − arctan(vω/f)), between π and 2π.
[[nodiscard]] double pressed_contact_phase(double speed_times_frequency, double pressing);

// Speed v at zero gap of the one-sided oscillator q̈ = −f − ω² min(q, 0) with the given action per unit mass
// j = J/μ: 2πj = 2v³/(3f) + ω a² (π − arccos(d/a)) + f v/ω², d = f/ω², a² = v²/ω² + d². Zero where the
// oscillation does not reach the gap.
[[nodiscard]] double exit_speed(double action, double pressing, double frequency);

// The restitution that backward Euler with step h invents at an undamped contact of frequency ω, z = hω:
//   ζ/√(1 − ζ²) = ln(1 + z²)/(2 arctan z),   e = exp(−π ln(1 + z²)/(2 arctan z)).
[[nodiscard]] double implicit_restitution(double z);

} // namespace liaison::laws
