// SPDX-License-Identifier: Apache-2.0
// The averaged equations of an oscillator with stops near a resonance n ω ≈ k Ω(u).
//
// Variation of constants on the generating motions y = Y(Φ; u), Φ the phase since the stop, W the Wronskian:
//   u' = a₁ Y_s/W − loss at the impacts,   Φ' = Ω(u) − Ω a₁ Z/W,   Z = ∂Y/∂u at constant Φ.
// With the slow phase θ = nψ − k(Φ − π) (Zhuravlev: nψ − mφ, φ counted from the turn) the mean over n turns is
//   u' = ⟨a₁ Y_s/W⟩ − ((1 − e₁) u + (1 − e₂) u₂²/W)/T,   θ' = nω − kΩ + kΩ ⟨a₁ Z/W⟩,
// correct to first order in the small terms, 1 − e among them.
#pragma once

#include "liaison/analysis/generating_motion.hpp"
#include "liaison/compile/evaluator.hpp"

#include <memory>
#include <span>
#include <vector>

namespace liaison::analysis {

struct AveragedRates {
    bool exist = false; // the generating motion returns
    double speed = 0.0; // u'
    double phase = 0.0; // θ'
    double size = 0.0; // of the terms whose mean u' is: below rounding of it u' is zero
    double strength = 0.0; // size·T/u: what the small terms change in one period
};

class AveragedSystem {
  public:
    AveragedSystem(const ImpactOscillator& oscillator, std::shared_ptr<expr::Pool> pool,
                   std::vector<expr::Expr> parameters, int n, int k, int refinement = 1);

    [[nodiscard]] AveragedRates rates(double u, double theta, std::span<const double> parameters);
    [[nodiscard]] const Swing& swing(double u, std::span<const double> parameters) {
        return motion_.swing(u, parameters);
    }
    [[nodiscard]] double frequency(std::span<const double> parameters) const; // ω
    [[nodiscard]] double restitution(std::size_t stop, std::span<const double> parameters) const;
    [[nodiscard]] const std::vector<ImpactOscillator::Stop>& stops() const {
        return oscillator_.stops;
    }

    // The coordinate and its rate at a time, on the generating motion with this impact speed and slow phase.
    [[nodiscard]] SwingState coordinate(double u, double theta, double time,
                                        std::span<const double> parameters);

    [[nodiscard]] int n() const { return n_; }
    [[nodiscard]] int k() const { return k_; }

  private:
    ImpactOscillator oscillator_;
    std::vector<expr::Expr> parameters_;
    GeneratingMotion motion_;
    compile::Evaluator small_;
    compile::Evaluator::Workspace work_;
    std::vector<double> inputs_;
    int n_;
    int k_;
};

} // namespace liaison::analysis
