// SPDX-License-Identifier: Apache-2.0
// The norm in which a Runge–Kutta step shrinks the deviation of a constraint, and the bound that follows.
//
// A step makes g^{k+1} = R(τA) g^k + δ of the deviation g = (f) or (f, ḟ), ġ = A g. In a norm with ‖R‖ = α < 1
//   ‖g‖ ≤ sup ‖δ‖/(1 − α)   from ‖g⁰‖ below that on,
// and |f| follows. The max norm serves laws of first order. For f̈ = A₁₀ f + A₁₁ ḟ it cannot (its first row alone has
// ‖E + τA‖ ≥ 1 + τ): two real rates β₁ ≠ β₂ give the modes
//   ζ₁ = (β₂ f + ḟ)/(β₂ − β₁),   ζ₂ = −(β₁ f + ḟ)/(β₂ − β₁),   f = ζ₁ + ζ₂,
// each with its own α; any other stable law has ‖g‖² = gᵀ L g with the discrete Lyapunov equation
//   RᵀL R − α² L = −I,   α between the spectral radius of R and 1
// (theory of program constraints, §8).
#pragma once

#include "liaison/motion/runge_kutta.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace liaison::motion {

class ViolationNorm {
  public:
    enum class Kind { max, modal, lyapunov };

    // For ḟ = law₀ f; nothing where the step does not shrink f.
    [[nodiscard]] static std::optional<ViolationNorm> first(const Tableau& method, double step,
                                                            double law);
    // For f̈ = law₀ f + law₁ ḟ; nothing where R has no spectral radius below 1.
    [[nodiscard]] static std::optional<ViolationNorm> second(const Tableau& method, double step,
                                                             double position, double velocity);

    [[nodiscard]] Kind kind() const { return kind_; }
    // The parts that are bounded apart: both modes, or one norm.
    [[nodiscard]] std::size_t parts() const { return kind_ == Kind::modal ? 2 : 1; }
    [[nodiscard]] double alpha(std::size_t part) const { return alpha_[part]; }
    [[nodiscard]] double alpha() const;
    // Sizes of the parts of a deviation.
    [[nodiscard]] std::array<double, 2> sizes(double f, double rate) const;
    // What is left of a deviation after a step without defect: R g.
    [[nodiscard]] std::array<double, 2> step(double f, double rate) const;
    // The bound on |f| where the parts of the defect have these suprema.
    [[nodiscard]] double bound(const std::array<double, 2>& defects) const;

  private:
    ViolationNorm() = default;

    Kind kind_ = Kind::max;
    std::array<double, 2> alpha_{};
    std::array<double, 2> beta_{}; // of the modes
    std::array<double, 4> R_{}; // by rows
    std::array<double, 3> L_{}; // L₁₁, L₁₂, L₂₂
};

[[nodiscard]] std::string_view name(ViolationNorm::Kind kind);

} // namespace liaison::motion
