// SPDX-License-Identifier: Apache-2.0
// The polynomials of one lane, as the stepper of its motion.
#pragma once

#include "liaison/base/assert.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_step.hpp"
#include "liaison/motion/guard_fit.hpp"
#include "liaison/motion/stepper.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace liaison::motion {

// Steps are expanded for all lanes together; a motion that asks for its own polynomials gets a copy of its lane.
class LaneView final : public Stepper {
  public:
    LaneView(const compile::TaylorBatch& batch, std::size_t lane)
        : lane_(lane), n_states_(batch.plan().states.size()),
          n_guards_(batch.plan().outputs.size()), order_(batch.order()),
          size_(std::max(order_ + std::size_t{1}, k_least)),
          coefficients_((n_states_ + n_guards_) * size_), remainders_(n_guards_) {}

    // Copies the step of the lane out of the last expansion.
    void show(const compile::TaylorBatch& batch, const compile::TaylorWorkspace& workspace) {
        for (std::size_t i = 0; i < n_states_ + n_guards_; ++i) {
            const auto rows =
                i < n_states_ ? batch.state(workspace, i) : batch.output(workspace, i - n_states_);
            for (std::size_t k = 0; k <= order_; ++k)
                coefficients_[i * size_ + k] = rows[k * batch.lanes() + lane_];
        }
        size_now_ = order_ + 1;
        fitted_ = false;
    }
    // Or the step that another stepper of the same order has made, or one whose polynomials are fitted.
    void show(const Stepper& other) {
        fitted_ = other.remainder_order() == 0;
        size_now_ = fitted_ ? size_ : order_ + 1;
        for (std::size_t i = 0; i < n_states_ + n_guards_; ++i) {
            const auto c = i < n_states_ ? other.state(i) : other.guard(i - n_states_);
            LIAISON_ASSERT(c.size() <= size_now_, "a lane has room for every step");
            const auto row = std::span(coefficients_).subspan(i * size_, size_);
            std::fill(std::copy(c.begin(), c.end(), row.begin()), row.end(), 0.0);
        }
        for (std::size_t k = 0; k < n_guards_ && fitted_; ++k)
            remainders_[k] = other.guard_remainder(k, 0.0);
    }
    void count() { ++evaluations_; }
    void restart() {
        evaluations_ = 0;
        leaves_branch_point_ = false;
    }
    [[nodiscard]] std::span<const char> watched() const { return watched_; }

    Step advance(const flow::Instant&, double) override {
        throw base::InternalError("advance", "lanes are advanced together");
    }
    void watch(std::span<const char> watched) override {
        watched_.assign(watched.begin(), watched.end());
    }
    [[nodiscard]] bool expands() const override { return true; }
    void leave_branch_point() override { leaves_branch_point_ = true; }
    [[nodiscard]] bool leaves_branch_point() const { return leaves_branch_point_; }
    void left_branch_point() { leaves_branch_point_ = false; }
    [[nodiscard]] std::span<const double> state(std::size_t i) const override { return series(i); }
    [[nodiscard]] std::span<const double> guard(std::size_t k) const override {
        return series(n_states_ + k);
    }
    [[nodiscard]] double guard_remainder(std::size_t k, double h) const override {
        return fitted_ ? remainders_[k] : compile::truncation(guard(k), h);
    }
    [[nodiscard]] int order() const override { return static_cast<int>(order_); }
    [[nodiscard]] int degree() const override { return static_cast<int>(size_now_) - 1; }
    [[nodiscard]] int remainder_order() const override { return fitted_ ? 0 : order() + 1; }
    [[nodiscard]] std::size_t evaluations() const override { return evaluations_; }

  private:
    [[nodiscard]] std::span<const double> series(std::size_t i) const {
        return std::span(coefficients_).subspan(i * size_, size_now_);
    }

    static constexpr std::size_t k_least = GuardFit::k_max_degree + 1; // of a fitted step
    std::size_t lane_;
    std::size_t n_states_;
    std::size_t n_guards_;
    std::size_t order_;
    std::size_t size_; // room for a row
    std::size_t size_now_ = order_ + 1;
    bool fitted_ = false;
    std::vector<double> coefficients_;
    std::vector<double> remainders_; // of fitted guards
    std::vector<char> watched_;
    std::size_t evaluations_ = 0;
    bool leaves_branch_point_ = false;
};

} // namespace liaison::motion
