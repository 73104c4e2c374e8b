// SPDX-License-Identifier: Apache-2.0
// Explicit Runge–Kutta steps on the grid t_k = t_0 + k·h, with the stages open to inspection.
#pragma once

#include "liaison/motion/field_stepper.hpp"
#include "liaison/motion/runge_kutta.hpp"

#include <limits>
#include <optional>

namespace liaison::motion {

// Steps end on the grid. An event inside a step cuts it; the next step goes from there to the next point of
// the grid, so that the grid stays where it was. The last step ends at the end of the motion.
class FixedStepper final : public FieldStepper {
  public:
    FixedStepper(std::unique_ptr<Field> field, const Tableau& tableau, double start, double step,
                 double tolerance);

    Step advance(const flow::Instant& now, double h_max) override;
    [[nodiscard]] int order() const override { return tableau_.order; }

    [[nodiscard]] std::vector<std::string> warnings() const override;

    [[nodiscard]] const Tableau& tableau() const { return tableau_; }
    // Of the last step, before an event cut it: its length, X_i and V_i.
    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] std::span<const double> stage_state(std::size_t i) const {
        return {states_.data() + i * n_states_, n_states_};
    }
    [[nodiscard]] std::span<const double> stage_rate(std::size_t i) const {
        return {rates_.data() + i * n_states_, n_states_};
    }

  private:
    void look_back(const flow::Instant& now);
    [[nodiscard]] double to_grid(const flow::Instant& now, double h_max) const;

    const Tableau& tableau_;
    double start_;
    double step_;
    double length_ = 0.0;
    std::size_t n_states_;
    std::vector<double> states_;
    std::vector<double> rates_;
    // The step before this one, and the time from which on steps did not resolve the motion.
    solve::DoubleLength expected_{std::numeric_limits<double>::infinity()};
    std::vector<double> first_rate_;
    std::optional<double> unresolved_;
};

} // namespace liaison::motion
