// SPDX-License-Identifier: Apache-2.0
// The default method: adaptive Taylor steps compiled from the expressions of the flow.
#include "liaison/base/assert.hpp"
#include "liaison/compile/step_rule.hpp"
#include "liaison/compile/taylor_step.hpp"
#include "liaison/flow/root_guard.hpp"
#include "liaison/flow/step_work.hpp"
#include "liaison/motion/branch_departure.hpp"
#include "liaison/motion/flow_plan.hpp"
#include "liaison/motion/measured_stepper.hpp"
#include "liaison/motion/order_study.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/singular_passage.hpp"
#include "liaison/motion/surface_departure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace liaison::motion {
namespace {

// Short runs are interpreted; machine code, the same numbers to the last bit, takes over once interpreting would have cost
// as much as making it (milliseconds to open LLVM, then by the size of the code), and much earlier where the code was
// made before: first loops over the order, which are made soon, then straight code where there is little enough of it.
// Counts decide, never the clock.
struct Tier {
    compile::CodeForm form{};
    double look = 0.0; // expansions after which code made before is taken
    double make = 0.0; // and after which it is made
};

// Slow ones first.
std::vector<Tier> tiers_of(const compile::TaylorPlan& plan, unsigned order) {
    constexpr double k_loading = 0.03; // share of making
    const double once = compile::interpreting_time(plan, order);
    const auto tier = [&](compile::CodeForm form) {
        const double make = compile::making_time(plan, order, form) / once;
        return Tier{form, k_loading * make, make};
    };
    const Tier loops = tier(compile::CodeForm::loops);
    const Tier straight = tier(compile::CodeForm::unrolled);
    // Small expansions are as soon made straight.
    constexpr double k_worth = 2.0;
    if (!std::isfinite(straight.make)) return {loops};
    if (straight.make < k_worth * loops.make) return {straight};
    return {loops, straight};
}

// The proof of the number of roots of a guard grows with the square of the order; in products per order².
constexpr double k_proof = 0.5;

class TaylorStepper final : public Stepper {
  public:
    // Order 0: by the tolerance. `measured`: errors are told by the sizes the states have had.
    TaylorStepper(const flow::Flow& flow, double tolerance, double expected_steps, unsigned order,
                  bool measured = false)
        : tolerance_{tolerance, tolerance} {
        compile::TaylorPlan plan = plan_of(flow);
        const double proof = flow.guards.empty() ? 0.0 : k_proof;
        order_ = order != 0 ? order : compile::order_for(tolerance, plan, proof);
        // A number of steps is expected over several motions: they all take one order, so that none depends on those before it.
        const bool one_motion = expected_steps == 0.0;
        if (order == 0 && one_motion && !flow.guards.empty())
            study_.emplace(order_, tolerance, proof);
        tiers_ = tiers_of(plan, order_);
        // What is sure to be made is made at once.
        for (Tier& tier : tiers_)
            if (expected_steps >= tier.make) tier.make = tier.look = 0.0;
        taylor_ = compile::interpret_taylor(std::move(plan), order_);
        workspace_ = taylor_->workspace();
        end_.resize(flow.states.size());
        n_moving_ = n_moving(flow);
        for (const auto& owner : flow.transitions) {
            if (dynamic_cast<const flow::StepWork*>(owner.get()) != nullptr)
                step_work_.push_back(owner);
        }
        departure_ = surface_departure(flow, tolerance);
        beyond_ = branch_departure(flow, tolerance);
        for (const flow::Guard& g : flow.guards) {
            root_.push_back(flow::is_root(g) ? 1 : 0);
            root_names_.push_back(flow::is_root(g) ? g.name : std::string());
        }
        if (!measured) return;
        sizes_.assign(flow.states.size(), 0.0);
        guard_sizes_.assign(flow.guards.size(), 0.0);
        tolerance_.sizes = sizes_;
    }
    // The tolerance looks at the sizes in here.
    TaylorStepper(const TaylorStepper&) = delete;
    TaylorStepper& operator=(const TaylorStepper&) = delete;

    Step advance(const flow::Instant& now, double h_max) override {
        by_ = nullptr;
        const bool at_branch_point = std::exchange(leaves_branch_point_, false);
        if (at_branch_point && take_over(beyond_.get(), now, h_max)) return *taken_;
        Step step = expanded(now, h_max);
        if (step.status == StepStatus::not_finite || step.status == StepStatus::too_small) {
            // On a surface where a fractional power begins there is a field but no series; so it is where a root turns.
            if (take_over(departure_.get(), now, h_max) ||
                (!at_branch_point && take_over(beyond_.get(), now, h_max)))
                step = *taken_;
        }
        if (step.status != StepStatus::ok) {
            if (const auto k = ending_root()) step.reason = comes_to_end(*k, step.reason);
            return step;
        }
        if (by_ == nullptr) usual_ = std::max(step.h, 0.5 * usual_);
        for (std::size_t i = 0; i < sizes_.size(); ++i) sizes_[i] = size_over(i, step.h);
        return step;
    }

    // Why there is no step: the field itself, or only its high derivatives. A frequency ω makes the coefficients grow
    // like ωᵏ/k!, and the order k follows from the tolerance.
    [[nodiscard]] std::string overflow() const {
        for (std::size_t i = 0; i < end_.size(); ++i) {
            if (!std::isfinite(state(i)[1])) return "the field is not finite";
        }
        return fmt::format("the motion is too fast for the tolerance {:g}: its derivatives up to "
                           "order {} exceed the range of numbers; lower the stiffness, or raise "
                           "the tolerance, which takes a lower order",
                           tolerance_.relative, order_);
    }

    void forget() override {
        bound_ = false;
        usual_ = 0.0;
        if (departure_) departure_->forget();
        if (beyond_) beyond_->forget();
    }
    [[nodiscard]] bool expands() const override { return true; }
    void leave_branch_point() override { leaves_branch_point_ = beyond_ != nullptr; }
    [[nodiscard]] bool confirms(const flow::Instant& now, double tau) override {
        constexpr double k_coarse = 1e3; // what a series leaves at the end of a step, and more
        if (!beyond_ || by_ != nullptr || !nears_branch_point(tau)) return true;
        return beyond_->mismatch(*this, now, tau) <= k_coarse;
    }

    void watch(std::span<const char> watched) override {
        watched_.assign(watched.begin(), watched.end());
        if (departure_) departure_->watch(watched);
        if (beyond_) beyond_->watch(watched);
    }

    [[nodiscard]] std::span<const double> state(std::size_t i) const override {
        if (by_ != nullptr) return by_->state(i);
        return taylor_->state(workspace_, i, order_);
    }
    [[nodiscard]] std::span<const double> guard(std::size_t k) const override {
        if (by_ != nullptr) return by_->guard(k);
        return taylor_->output(workspace_, k, order_);
    }

    [[nodiscard]] double guard_remainder(std::size_t k, double h) const override {
        if (by_ != nullptr) return by_->guard_remainder(k, h);
        return compile::truncation(guard(k), h);
    }

    [[nodiscard]] int order() const override { return static_cast<int>(order_); }
    [[nodiscard]] int degree() const override { return by_ != nullptr ? by_->degree() : order(); }
    [[nodiscard]] int remainder_order() const override {
        return by_ != nullptr ? by_->remainder_order() : order() + 1;
    }
    [[nodiscard]] std::size_t evaluations() const override {
        return evaluations_ + (departure_ ? departure_->evaluations() : 0) +
               (beyond_ ? beyond_->evaluations() : 0);
    }

  private:
    // Whether a root came nearer to zero by the end of the step; far from it a series is that of its function.
    [[nodiscard]] bool nears_branch_point(double tau) const {
        constexpr double k_near = 0.5;
        for (std::size_t k = 0; k < watched_.size(); ++k) {
            if (root_[k] == 0 || watched_[k] == 0) continue;
            const auto c = guard(k);
            if (!(compile::evaluate(c, tau) > k_near * c[0])) return true;
        }
        return false;
    }

    // A step by a method that needs values only, if there is one and it can be made.
    bool take_over(Stepper* other, const flow::Instant& now, double h_max) {
        if (other == nullptr) return false;
        if (other == beyond_.get()) beyond_->begin_with(usual_);
        taken_ = other->advance(now, h_max);
        if (taken_->status != StepStatus::ok) return false;
        by_ = other;
        study_.reset(); // it learns from series only
        return true;
    }

    // The root whose function ends here: one that is nearly zero where no step leads on.
    [[nodiscard]] std::optional<std::size_t> ending_root() const {
        constexpr double k_nearly = 1e-3;
        std::optional<std::size_t> smallest;
        double least = k_nearly;
        for (std::size_t k = 0; k < watched_.size(); ++k) {
            if (watched_[k] == 0 || root_[k] == 0) continue;
            const double value = taylor_->output(workspace_, k, 0)[0];
            if (value > least) continue; // one that is not a number has just passed zero
            smallest = k;
            least = std::isfinite(value) ? value : 0.0;
        }
        return smallest;
    }
    [[nodiscard]] std::string comes_to_end(std::size_t root, const std::string& reason) const {
        return fmt::format(
            "the motion comes to the end of {}: beyond it the function has no value, or "
            "none that the motion decides ({})",
            root_names_[root], reason);
    }

    // The step from the expansion at the present state.
    Step expanded(const flow::Instant& now, double h_max) {
        if (study_) learn(*study_, now);
        if (!bound_ || now.mode != mode_) {
            mode_ = now.mode;
            bound_ = taylor_->bind(now.parameters, mode_, workspace_);
            if (!bound_) return {StepStatus::singular, 0.0, "the accelerations are not determined"};
        }
        if (!tiers_.empty() && !study_) change_tier(now);
        ++evaluations_;
        if (!taylor_->expand(now.field_time, now.state, order_, workspace_)) {
            return {StepStatus::singular, 0.0,
                    "the accelerations are not determined (singular matrix)"};
        }
        const auto choice =
            compile::choose_step(*taylor_, workspace_, order_, tolerance_, n_moving_);
        if (!(choice.size > 0.0)) return {StepStatus::not_finite, 0.0, overflow()};
        double h = std::min(h_max, choice.size);
        if (choice.polynomial) h = checked(now, h);
        const double guards_allow = guard_limit();
        if (study_) note_reach(*study_, now, std::min(choice.size, guards_allow));
        h = std::min(h, guards_allow);
        if (!(h > 0.0)) return {StepStatus::not_finite, 0.0, "a guard is not finite"};
        if (h < h_max && h < k_time_resolution * std::max(std::abs(now.time.rounded()), h_max)) {
            return {StepStatus::too_small, h,
                    "the step that meets the tolerance is below the resolution of time"};
        }
        return {StepStatus::ok, h, {}};
    }

    // What the last step was; perhaps another order from here on.
    void learn(OrderStudy& study, const flow::Instant& now) {
        const auto length = study.elapsed(now.time);
        const double rounding =
            length ? compile::rounding(*taylor_, workspace_, order_, tolerance_, n_moving_, *length)
                   : 0.0;
        const auto order = study.end(now.time, rounding, taylor_->plan());
        if (study.settled()) study_.reset();
        if (!order) return;
        order_ = *order;
        taylor_ = compile::interpret_taylor(taylor_->plan(), order_);
        workspace_ = taylor_->workspace();
        bound_ = false;
    }
    void note_reach(OrderStudy& study, const flow::Instant& now, double reach) {
        const auto other =
            compile::choose_step(*taylor_, workspace_, study.other(), tolerance_, n_moving_);
        study.begin(now.time, reach, other.size);
    }

    // The fastest form whose time has come.
    void change_tier(const flow::Instant& now) {
        const auto done = static_cast<double>(evaluations_);
        for (std::size_t i = tiers_.size(); i-- > 0;) {
            const Tier tier = tiers_[i];
            const bool make = done >= tier.make;
            if (!make && done < tier.look) continue;
            const auto here = tiers_.begin() + static_cast<std::ptrdiff_t>(i);
            if (take(tier.form, !make, now)) {
                tiers_.erase(tiers_.begin(), here + 1);
                return;
            }
            if (make)
                tiers_.erase(here); // no LLVM here
            else
                here->look = tier.make;
        }
    }
    bool take(compile::CodeForm form, bool only_cached, const flow::Instant& now) {
        try {
            auto code = compile::make_taylor(
                taylor_->plan(), order_,
                {.backend = compile::Backend::llvm, .form = form, .only_cached = only_cached});
            workspace_ = code->workspace();
            code->bind(now.parameters, mode_, workspace_);
            taylor_ = std::move(code);
        } catch (const std::runtime_error&) {
            return false; // not made before, or no LLVM here: what there is goes on
        }
        for (const auto& owner : step_work_) {
            const auto& work = dynamic_cast<const flow::StepWork&>(*owner);
            if (!work.compiled()) work.compile(only_cached);
        }
        return true;
    }

    // A guard is a function of the state with singularities of its own (√, 1/r): where the motion alone would
    // allow a long step, the polynomial of the guard may not. Its last two terms must meet the tolerance as well.
    [[nodiscard]] double guard_limit() {
        double h = std::numeric_limits<double>::max();
        for (std::size_t k = 0; k < watched_.size(); ++k) {
            if (watched_[k] == 0) continue;
            const auto c = guard(k);
            // A root without a series is of a function that is not used here, or the function itself has none.
            if (root_[k] != 0 && !std::isfinite(c.back())) continue;
            double size = 1.0;
            if (!guard_sizes_.empty()) {
                guard_sizes_[k] = std::max(guard_sizes_[k], std::abs(c[0]));
                // One that has been zero so far is bounded by the motion alone.
                if (guard_sizes_[k] > 0.0) size = std::min(size, guard_sizes_[k]);
            }
            const double allowed =
                compile::k_guard_share * tolerance_.absolute * (size + std::abs(c[0]));
            h = std::min(h, compile::step_limit(c, allowed));
        }
        return h;
    }

    // The largest value a state has had, this step included.
    [[nodiscard]] double size_over(std::size_t i, double h) const {
        const auto c = state(i);
        return std::max({sizes_[i], std::abs(c[0]), std::abs(c[1]) * h});
    }

    // No high coefficients: a polynomial motion, or one that only starts with a row of zeros. The field at the
    // end of the step decides; the step is halved until the polynomial agrees with it there.
    double checked(const flow::Instant& now, double h) {
        after_ = workspace_;
        compile::Tolerance tolerance = tolerance_;
        over_step_.resize(sizes_.size());
        if (!sizes_.empty()) tolerance.sizes = over_step_;
        for (int halvings = 0; halvings < 60; ++halvings, h /= 2.0) {
            for (std::size_t i = 0; i < end_.size(); ++i) end_[i] = compile::evaluate(state(i), h);
            for (std::size_t i = 0; i < sizes_.size(); ++i) over_step_[i] = size_over(i, h);
            if (taylor_->expand(now.field_time + h, end_, order_, after_) &&
                compile::defect(*taylor_, workspace_, order_, h, after_, tolerance) <= 1.0) {
                break;
            }
        }
        return h;
    }

    compile::Tolerance tolerance_;
    unsigned order_ = 0;
    std::optional<OrderStudy> study_;
    std::vector<Tier> tiers_; // still ahead
    std::unique_ptr<compile::Taylor> taylor_;
    compile::TaylorWorkspace workspace_;
    compile::TaylorWorkspace after_;
    std::vector<double> mode_;
    std::vector<char> watched_;
    std::vector<double> end_;
    std::vector<double> sizes_, guard_sizes_; // the largest values so far; empty: not asked for
    std::vector<double> over_step_; // the same with a step that is tried
    std::size_t n_moving_ = 0;
    std::vector<std::shared_ptr<const flow::Transition>> step_work_; // owners of such work
    bool bound_ = false;
    std::size_t evaluations_ = 0;
    // None where every field has a series.
    std::unique_ptr<Stepper> departure_;
    std::unique_ptr<BranchDeparture> beyond_;
    const Stepper* by_ = nullptr; // which of them made the last step
    std::optional<Step> taken_;
    bool leaves_branch_point_ = false;
    double usual_ = 0.0; // length of steps hereabouts
    std::vector<char> root_; // guards that watch one
    std::vector<std::string> root_names_;
};

} // namespace

std::size_t n_moving(const flow::Flow& flow) {
    std::size_t n = flow.start_state.size();
    // Fields of callbacks have no expressions; algebraic states move without rates.
    if (flow.rates.size() != n || !flow.algebraic.empty()) return n;
    while (n > 0 && flow.rates[n - 1].is_zero()) --n;
    return n;
}

compile::TaylorPlan plan_of(const flow::Flow& flow) {
    compile::TaylorRequest request;
    request.parameters = flow.parameters;
    for (const flow::ModeSlot& slot : flow.modes) request.modes.push_back(slot.symbol);
    request.time = flow.time;
    request.states = flow.states;
    request.rates = flow.rates;
    for (const flow::Guard& g : flow.guards) request.outputs.push_back(g.value);
    return compile::plan_taylor(request);
}

std::unique_ptr<Stepper> make_taylor_stepper(const flow::Flow& flow, double tolerance,
                                             double expected_steps) {
    LIAISON_ASSERT(flow.algebraic.empty(), "algebraic states need the method dae");
    return through_singular_positions(
        flow, std::make_unique<TaylorStepper>(flow, tolerance, expected_steps, 0), tolerance);
}

std::unique_ptr<Stepper> make_measured_stepper(const flow::Flow& flow, double tolerance) {
    LIAISON_ASSERT(flow.algebraic.empty(), "algebraic states need the method dae");
    return through_singular_positions(
        flow, std::make_unique<TaylorStepper>(flow, tolerance, 0.0, 0, true), tolerance);
}

std::unique_ptr<Stepper> make_taylor_stepper_of_order(const flow::Flow& flow, double tolerance,
                                                      unsigned order) {
    return std::make_unique<TaylorStepper>(flow, tolerance, 0.0, order);
}

} // namespace liaison::motion
