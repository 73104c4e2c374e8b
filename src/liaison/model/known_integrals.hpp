// SPDX-License-Identifier: Apache-2.0
// First integrals that follow from what a rigid body is: its case is recognised from its data.
//
//   norm           |γ|², |e|²                       every body
//   energy         ½ ω·Jω + P c·γ                   fixed point; weight and gyrostatic momentum constant
//   area           m·γ, m = Jω + λ                  fixed point
//   momentum       |m|²                             Euler and Zhukovskii: no torque, P c = 0
//   spin           ω·s                              Lagrange: symmetric about s, with c and λ along s
//   kovalevskaya   |ξ|² + 2 l (ω₃ − l)(ω₁² + ω₂²) − 4 μ l ω₁ γ₃,  ξ = (ω₁ + iω₂)² − μ (γ₁ + iγ₂)
//                                                   J = C (2, 2, 1), c along the first axis, λ = C l along the third,
//                                                   μ = P |c| / C (λ = 0: Kovalevskaya; λ ≠ 0: Yehia)
// Constraints, contacts and foreign kinetic energy take all but the first. Of other torques Q each integral outlives
// those with f_ω·J⁻¹Q = 0, decided on the expressions: ω·Q, γ·Q, m·Q, s·Q. Another potential of the orientation joins
// the energy.
#pragma once

#include "liaison/model/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace liaison::model {

struct KnownIntegral {
    std::string name; // "area"; "top.area" where there are several bodies
    std::size_t body = 0;
    std::string kind; // "area"
    expr::Expr value;
    bool own = true; // of weight and rotation alone; false: with another potential of the model
};

// Those that hold with these values of the parameters. An integral that the model declares itself, by name or by
// the same function, is left out.
[[nodiscard]] std::vector<KnownIntegral> known_integrals(const Model& model,
                                                         std::span<const double> parameters);

// Those of one body, whether the model declares them or not.
[[nodiscard]] std::vector<KnownIntegral> body_integrals(const Model& model, std::size_t body,
                                                        std::span<const double> parameters);

// All names that a body might give, whether its data do or not.
[[nodiscard]] std::vector<std::string> known_integral_names(const Model& model);

// The words for the case of a body with a fixed point: "Lagrange", "Kovalevskaya", …; "" where it has no name.
[[nodiscard]] std::string case_of_body(const Model& model, std::size_t body,
                                       std::span<const double> parameters);

} // namespace liaison::model
