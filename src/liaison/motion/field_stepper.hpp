// SPDX-License-Identifier: Apache-2.0
// What all methods share that know a field by its values: polynomials of a step and the guards fitted along them.
#pragma once

#include "liaison/motion/guard_fit.hpp"
#include "liaison/motion/stepper.hpp"

#include <memory>
#include <vector>

namespace liaison::motion {

// A method derived from this computes a step, writes its polynomials and calls `finish`.
class FieldStepper : public Stepper {
  public:
    FieldStepper(std::unique_ptr<Field> field, std::size_t degree, double tolerance);

    void forget() override { bound_ = false; }
    void watch(std::span<const char> watched) override {
        watched_.assign(watched.begin(), watched.end());
    }
    [[nodiscard]] std::span<const double> state(std::size_t i) const override {
        return {polynomials_.data() + i * (degree_ + 1), degree_ + 1};
    }
    [[nodiscard]] std::span<const double> guard(std::size_t k) const override {
        return fit_.coefficients(k);
    }
    [[nodiscard]] double guard_remainder(std::size_t k, double h) const override {
        (void)h;
        return fit_.remainder(k);
    }
    [[nodiscard]] int degree() const override { return static_cast<int>(degree_); }
    [[nodiscard]] int remainder_order() const override { return 0; }
    [[nodiscard]] std::size_t evaluations() const override { return evaluations_; }

  protected:
    // Takes parameters and mode of the instant; true when they changed since the last step.
    bool bind(const flow::Instant& now);
    // Called when they did.
    virtual void bound(const flow::Instant& now) { (void)now; }
    void count_evaluation() { ++evaluations_; }
    FieldStatus rates(double time, std::span<const double> state, std::span<double> out) {
        ++evaluations_;
        return field_->rates(time, state, out);
    }
    // Fits the guards over the step and shortens it where one of them cannot be followed that far. `error`: estimated
    // error of the state at the end of the step, or empty. `may_shorten`: also to make the fit better.
    Step finish(const flow::Instant& now, double h, double h_max, std::span<const double> error,
                bool may_shorten);

    [[nodiscard]] double* polynomial(std::size_t i) {
        return polynomials_.data() + i * (degree_ + 1);
    }
    [[nodiscard]] std::size_t n() const { return n_; }
    [[nodiscard]] Field& field() { return *field_; }
    [[nodiscard]] double tolerance() const { return tolerance_; }

    // Whether time cannot resolve a step of this length.
    static bool too_small(const flow::Instant& now, double h, double h_max);
    static Step refuse(FieldStatus status);

  private:
    std::unique_ptr<Field> field_;
    std::size_t n_;
    std::size_t degree_;
    double tolerance_;
    std::vector<double> polynomials_;
    GuardFit fit_;
    std::vector<char> watched_;
    std::vector<double> mode_;
    bool bound_ = false;
    std::size_t evaluations_ = 0;
};

} // namespace liaison::motion
