// SPDX-License-Identifier: Apache-2.0
// The default method: adaptive Taylor steps compiled from the expressions of the flow.
#include "liaison/compile/taylor_step.hpp"
#include "liaison/motion/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

class TaylorStepper final : public Stepper {
  public:
    TaylorStepper(const flow::Flow& flow, double tolerance)
        : tolerance_{tolerance, tolerance}, order_(compile::order_for(tolerance)) {
        compile::TaylorRequest request;
        request.parameters = flow.parameters;
        for (const flow::ModeSlot& slot : flow.modes) request.modes.push_back(slot.symbol);
        request.time = flow.time;
        request.states = flow.states;
        request.rates = flow.rates;
        for (const flow::Guard& g : flow.guards) request.outputs.push_back(g.value);
        taylor_ = compile::interpret_taylor(compile::plan_taylor(request), order_);
        workspace_ = taylor_->workspace();
    }

    Step advance(const flow::Instant& now, double h_max) override {
        if (!bound_ || now.mode != mode_) {
            mode_ = now.mode;
            bound_ = taylor_->bind(now.parameters, mode_, workspace_);
            if (!bound_) return {StepStatus::singular, 0.0, "the accelerations are not determined"};
        }
        ++evaluations_;
        if (!taylor_->expand(now.field_time, now.state, order_, workspace_)) {
            return {StepStatus::singular, 0.0,
                    "the accelerations are not determined (singular matrix)"};
        }
        const auto choice = compile::choose_step(*taylor_, workspace_, order_, tolerance_);
        if (!(choice.size > 0.0)) return {StepStatus::not_finite, 0.0, "the field is not finite"};
        double h = std::min(h_max, choice.size);
        if (choice.polynomial) h = checked(now, h);
        h = std::min(h, guard_limit());
        if (!(h > 0.0)) return {StepStatus::not_finite, 0.0, "a guard is not finite"};
        constexpr double k_resolution = 1e-15;
        if (h < h_max && h < k_resolution * std::max(std::abs(now.time.rounded()), h_max)) {
            return {StepStatus::too_small, h,
                    "the step that meets the tolerance is below the resolution of time"};
        }
        return {StepStatus::ok, h, {}};
    }

    void watch(std::span<const char> watched) override {
        watched_.assign(watched.begin(), watched.end());
    }

    [[nodiscard]] std::span<const double> state(std::size_t i) const override {
        return taylor_->state(workspace_, i, order_);
    }
    [[nodiscard]] std::span<const double> guard(std::size_t k) const override {
        return taylor_->output(workspace_, k, order_);
    }

    [[nodiscard]] double guard_remainder(std::size_t k, double h) const override {
        return compile::truncation(guard(k), h);
    }

    [[nodiscard]] int order() const override { return static_cast<int>(order_); }
    [[nodiscard]] std::size_t evaluations() const override { return evaluations_; }

  private:
    // A guard is a function of the state with singularities of its own (√, 1/r): where the motion alone would
    // allow a long step, the polynomial of the guard may not. Its last two terms must meet the tolerance as well.
    [[nodiscard]] double guard_limit() const {
        constexpr double k_safety = 1.0 / 15.0;
        double h = std::numeric_limits<double>::max();
        for (std::size_t k = 0; k < watched_.size(); ++k) {
            if (watched_[k] == 0) continue;
            const auto c = guard(k);
            const double allowed = k_safety * tolerance_.absolute * (1.0 + std::abs(c[0]));
            for (const unsigned j : {order_ - 1, order_}) {
                if (!std::isfinite(c[j])) return 0.0;
                if (c[j] != 0.0) h = std::min(h, std::pow(allowed / std::abs(c[j]), 1.0 / j));
            }
        }
        return h;
    }

    // No high coefficients: a polynomial motion, or one that only starts with a row of zeros. The field at the
    // end of the step decides; the step is halved until the polynomial agrees with it there.
    double checked(const flow::Instant& now, double h) {
        after_ = workspace_;
        std::vector<double> end(now.state.size());
        for (int halvings = 0; halvings < 60; ++halvings, h /= 2.0) {
            for (std::size_t i = 0; i < end.size(); ++i) end[i] = compile::evaluate(state(i), h);
            if (taylor_->expand(now.field_time + h, end, order_, after_) &&
                compile::defect(*taylor_, workspace_, order_, h, after_, tolerance_) <= 1.0) {
                break;
            }
        }
        return h;
    }

    compile::Tolerance tolerance_;
    unsigned order_;
    std::unique_ptr<compile::Taylor> taylor_;
    compile::TaylorWorkspace workspace_;
    compile::TaylorWorkspace after_;
    std::vector<double> mode_;
    std::vector<char> watched_;
    bool bound_ = false;
    std::size_t evaluations_ = 0;
};

} // namespace

std::unique_ptr<Stepper> make_taylor_stepper(const flow::Flow& flow, double tolerance) {
    return std::make_unique<TaylorStepper>(flow, tolerance);
}

} // namespace liaison::motion
