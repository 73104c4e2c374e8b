// SPDX-License-Identifier: Apache-2.0
// A stepper among singular positions: measures how far away they are, and steps over them.
#include "liaison/motion/singular_passage.hpp"

#include "liaison/compile/taylor_step.hpp"
#include "liaison/motion/flow_plan.hpp"
#include "liaison/motion/held_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace liaison::motion {
namespace {

constexpr double k_epsilon = std::numeric_limits<double>::epsilon();
// Shares of the independence the rows have had. Below the first a singular position may be ahead; steps that end above the
// second are sure of their directions; below the third a state is no place to expand at, below the fourth nothing is
// known about directions.
constexpr double k_near = 0.2;
constexpr double k_sure = 0.05;
constexpr double k_deep = 1e-4;
constexpr double k_lost = 1e-7;

class SingularPassage final : public Stepper {
  public:
    SingularPassage(const flow::Flow& flow, HeldRows rows, std::unique_ptr<Stepper> stepper,
                    double tolerance)
        : inner_(std::move(stepper)), rows_(std::move(rows)), tolerance_(tolerance),
          order_(compile::order_for(tolerance)),
          taylor_(compile::interpret_taylor(plan_of(flow), order_)),
          workspace_(taylor_->workspace()), n_positions_(flow.n_positions),
          n_controlled_(flow.n_controlled), n_moving_(n_moving(flow)) {}

    Step advance(const flow::Instant& now, double h_max) override {
        passing_ = ends_singular_ = false;
        const double here = rows_.independence(now);
        usual_ = std::max(usual_, here);
        if (here > k_near * usual_) return approach(inner_->advance(now, h_max), now, here);
        if (here < k_deep * usual_ || usual_ == 0.0) {
            if (auto step = leave(now, h_max)) return std::move(*step);
        }
        double most = h_max;
        if (const auto ahead = distance(now, here, h_max)) {
            if (pass(*ahead, here, h_max)) return {StepStatus::ok, length_, {}};
            most = std::min(most, 0.5 * *ahead);
        }
        if (here < k_lost * usual_) return lost();
        return inner_->advance(now, most);
    }

    void forget() override {
        inner_->forget();
        bound_ = false;
    }
    void watch(std::span<const char> watched) override {
        inner_->watch(watched);
        watched_.assign(watched.begin(), watched.end());
    }
    [[nodiscard]] bool expands() const override { return inner_->expands(); }
    void leave_branch_point() override { inner_->leave_branch_point(); }
    [[nodiscard]] bool confirms(const flow::Instant& now, double tau) override {
        return passing_ || inner_->confirms(now, tau);
    }
    [[nodiscard]] std::span<const double> state(std::size_t i) const override {
        return passing_ ? std::span(passage_).subspan(i * (degree_ + 1), degree_ + 1)
                        : inner_->state(i);
    }
    [[nodiscard]] std::span<const double> guard(std::size_t k) const override {
        return passing_ ? std::span(passage_).subspan((n_states() + k) * (degree_ + 1), degree_ + 1)
                        : inner_->guard(k);
    }
    [[nodiscard]] double guard_remainder(std::size_t k, double h) const override {
        return passing_ ? compile::truncation(guard(k), h) : inner_->guard_remainder(k, h);
    }
    [[nodiscard]] bool passes_singular() const override { return passing_; }
    [[nodiscard]] bool ends_singular() const override { return ends_singular_; }
    [[nodiscard]] int order() const override { return inner_->order(); }
    [[nodiscard]] int degree() const override {
        return passing_ ? static_cast<int>(degree_) : inner_->degree();
    }
    [[nodiscard]] int remainder_order() const override {
        return passing_ ? static_cast<int>(degree_) + 1 : inner_->remainder_order();
    }
    [[nodiscard]] std::size_t evaluations() const override {
        return inner_->evaluations() + evaluations_;
    }
    [[nodiscard]] std::vector<std::string> warnings() const override { return inner_->warnings(); }

  private:
    [[nodiscard]] std::size_t n_states() const { return taylor_->n_states(); }

    static Step lost() {
        return {StepStatus::singular, 0.0,
                "the constraints depend on each other in this singular position, and no motion "
                "through it was found"};
    }

    // Steps of the method itself end before a singular position, near enough to see it and far enough to be sure of it.
    Step approach(Step step, const flow::Instant& now, double here) {
        constexpr int k_halvings = 16;
        constexpr double k_suspect = 0.5; // of the usual independence
        if (step.status != StepStatus::ok) return step;
        for (int i = 0; i < k_halvings; ++i, step.h *= 0.5) {
            const double end = independence_after(now, step.h);
            if (std::min(here, end) > k_suspect * usual_) break;
            double least = end;
            for (const double share : {0.25, 0.5, 0.75})
                least = std::min(least, independence_after(now, share * step.h));
            if (least > k_near * usual_ || (least == end && end > k_sure * usual_)) break;
        }
        return step;
    }
    double independence_after(const flow::Instant& now, double h) {
        there_ = now;
        for (std::size_t k = 0; k < n_controlled_; ++k)
            there_.state[k] = compile::evaluate(inner_->state(k), h);
        there_.field_time = now.field_time + h;
        return rows_.independence(there_);
    }

    // The motion from here, brought onto the constraints, as series.
    bool expand(const flow::Instant& now) {
        if (!bound_ || now.mode != mode_) {
            mode_ = now.mode;
            bound_ = taylor_->bind(now.parameters, mode_, workspace_);
            if (!bound_) return false;
        }
        ++evaluations_;
        return taylor_->expand(now.field_time, now.state, order_, workspace_);
    }
    [[nodiscard]] std::span<const double> series(std::size_t i, unsigned order) const {
        return taylor_->state(workspace_, i, order);
    }

    // Independence of the rows on the series, τ from where they were expanded.
    double independence_at(double tau, unsigned order) {
        flow::Instant& there = there_;
        there.field_time = base_.field_time + tau;
        there.state = base_.state;
        there.mode = mode_;
        there.parameters = base_.parameters;
        for (std::size_t i = 0; i < n_controlled_; ++i)
            there.state[i] = compile::evaluate(series(i, order), tau);
        return rows_.independence(there);
    }

    // How far ahead the rows become dependent; nothing where they do not.
    std::optional<double> distance(const flow::Instant& now, double here, double h_max) {
        base_ = now;
        if (!rows_.keep(base_) || !expand(base_)) return std::nullopt;
        const compile::Tolerance tolerance{tolerance_, tolerance_};
        const auto choice =
            compile::choose_step(*taylor_, workspace_, order_, tolerance, n_moving_);
        if (!(choice.size > 0.0)) return std::nullopt;
        const double sure = std::min(choice.size, h_max);
        const double slope = (here - independence_at(sure / 8.0, order_)) / (sure / 8.0);
        constexpr double k_reach = 16.0; // steps that are sure
        if (!(slope > 0.0) || here > k_reach * sure * slope) return std::nullopt;
        return nearest(here / slope, here);
    }

    // The place of least independence about τ, golden section; nothing where it is not small.
    std::optional<double> nearest(double tau, double here) {
        constexpr double k_golden = 0.6180339887498949;
        constexpr int k_cuts = 30;
        constexpr double k_vanishes = 0.1;
        const unsigned order = best_order(tau).order;
        double a = 0.5 * tau;
        double b = 1.5 * tau;
        double c = b - k_golden * (b - a);
        double d = a + k_golden * (b - a);
        double at_c = independence_at(c, order);
        double at_d = independence_at(d, order);
        for (int i = 0; i < k_cuts; ++i) {
            if (at_c < at_d) {
                b = std::exchange(d, c);
                at_d = at_c;
                c = b - k_golden * (b - a);
                at_c = independence_at(c, order);
            } else {
                a = std::exchange(c, d);
                at_c = at_d;
                d = a + k_golden * (b - a);
                at_d = independence_at(d, order);
            }
        }
        if (std::min(at_c, at_d) > k_vanishes * here) return std::nullopt;
        return 0.5 * (a + b);
    }

    struct Truncated {
        unsigned order = 0;
        double error = 0.0; // its last two terms, in units of the tolerance
    };
    // The order whose last terms at ±h are smallest.
    [[nodiscard]] Truncated best_order(double h) const {
        constexpr unsigned k_least = 3;
        Truncated best{order_, std::numeric_limits<double>::infinity()};
        double before = term(k_least - 1, h);
        for (unsigned k = k_least; k <= order_; ++k) {
            const double last = term(k, h);
            const double error = std::max(before, last);
            if (error < best.error) best = {k, error};
            before = last;
        }
        return best;
    }
    // The largest term of this order among the states and the guards that are watched.
    [[nodiscard]] double term(unsigned k, double h) const {
        double largest = 0.0;
        const double power = std::pow(h, static_cast<double>(k));
        const auto see = [&](std::span<const double> c) {
            const double size = std::abs(c[k]) * power / (tolerance_ * (1.0 + std::abs(c[0])));
            largest = std::isfinite(size) ? std::max(largest, size)
                                          : std::numeric_limits<double>::infinity();
        };
        for (std::size_t i = 0; i < n_moving_; ++i) see(series(i, order_));
        for (std::size_t g = 0; g < watched_.size(); ++g)
            if (watched_[g] != 0) see(taylor_->output(workspace_, g, order_));
        return largest;
    }

    // A step over the position at the distance T. Errors across the branch are taken away by bringing the end onto the
    // constraints: what counts is how far the ends of two orders differ there.
    bool pass(double T, double here, double h_max) {
        constexpr double k_part = 0.1; // of the tolerance
        for (const double beyond : {1.0, 0.5, 0.25}) {
            const double h = std::min((1.0 + beyond) * T, h_max);
            const Truncated landing = best_landing(h);
            const double sure = std::max(k_part, rounding(here) / tolerance_);
            if (!(landing.error <= sure) || !only_rounding(landing.order, h, T, here)) continue;
            ends_singular_ = h < (1.0 + beyond) * T && h > 0.5 * T;
            take(landing.order, 0.0, h);
            if (!ends_singular_) end_at(land(landing.order, h));
            return true;
        }
        return false;
    }
    // What rounding in the state makes of the motion at this independence.
    [[nodiscard]] double rounding(double here) const {
        const double share = here / usual_;
        return k_epsilon / (share * share);
    }
    // Branches that pass each other at a distance δ have terms δ (h/T)^k as errors of this size have; only rounding is none.
    [[nodiscard]] bool only_rounding(unsigned order, double h, double T, double here) const {
        constexpr double k_room = 1e5;
        const double grown = k_epsilon * std::pow(std::max(1.0, h / T), order) * usual_ / here;
        return std::max(term(order, h), term(order - 1, h)) * tolerance_ <=
               k_room * grown + tolerance_;
    }
    // The end of the step in this order, on the constraints.
    const flow::Instant& land(unsigned order, double h) {
        there_ = base_;
        there_.field_time = base_.field_time + h;
        for (std::size_t i = 0; i < n_moving_; ++i)
            there_.state[i] = compile::evaluate(series(i, order), h);
        rows_.keep(there_);
        return there_;
    }
    // The order from which the ends change least.
    Truncated best_landing(double h) {
        constexpr unsigned k_least = 4;
        Truncated best{order_, std::numeric_limits<double>::infinity()};
        constexpr double k_none = std::numeric_limits<double>::infinity();
        double before = k_none;
        double long_before = k_none;
        end_ = land(k_least - 2, h).state;
        for (unsigned k = k_least - 1; k <= order_; ++k) {
            const auto& state = land(k, h).state;
            double change = 0.0;
            for (std::size_t i = 0; i < n_moving_; ++i)
                change =
                    std::max(change, std::abs(state[i] - end_[i]) / (1.0 + std::abs(state[i])));
            const double error = std::max({long_before, before, change}) / tolerance_;
            if (std::isfinite(error) && error < best.error) best = {k, error};
            long_before = std::exchange(before, change);
            end_ = state;
        }
        return best;
    }
    // Moves the end of the polynomials, not their beginning.
    void end_at(const flow::Instant& end) {
        for (std::size_t i = 0; i < n_moving_; ++i) {
            const auto p = std::span(passage_).subspan(i * (degree_ + 1), degree_ + 1);
            const double missed = end.state[i] - compile::evaluate(p, length_);
            p[degree_] += missed / std::pow(length_, static_cast<double>(degree_));
        }
    }

    // The series of this order, expanded at τ = `at`, as polynomials of a step of length h.
    void take(unsigned order, double at, double h) {
        degree_ = order;
        length_ = h;
        passing_ = true;
        passage_.clear();
        const auto add = [&](std::span<const double> c) {
            const std::size_t first = passage_.size();
            passage_.insert(passage_.end(), c.begin(), c.end());
            if (at == 0.0) return;
            // Horner's scheme for all derivatives at −at.
            const auto p = std::span(passage_).subspan(first);
            for (std::size_t i = 0; i + 1 < p.size(); ++i)
                for (std::size_t k = p.size() - 1; k-- > i;) p[k] -= at * p[k + 1];
        };
        for (std::size_t i = 0; i < n_states(); ++i) add(series(i, order));
        for (std::size_t g = 0; g < taylor_->n_outputs(); ++g)
            add(taylor_->output(workspace_, g, order));
    }

    // A motion that is in a singular position: nothing where it is to be left to the method itself.
    std::optional<Step> leave(const flow::Instant& now, double h_max) {
        double size = 0.0;
        double speed = 0.0;
        const auto rates = rates_here(now);
        if (rates.empty()) return std::nullopt;
        for (std::size_t i = 0; i < n_positions_; ++i) {
            size = std::max(size, std::abs(now.state[i]));
            speed = std::max(speed, std::abs(rates[i]));
        }
        // Less than an error of the tolerance over all the time that is left is no motion.
        const double small = tolerance_ * (1.0 + size);
        if (speed * h_max <= small) {
            double acceleration = 0.0;
            for (std::size_t i = n_positions_; i < n_controlled_; ++i)
                acceleration = std::max(acceleration, std::abs(rates[i]));
            if (acceleration * h_max * h_max <= small) return std::nullopt; // it stays
            return Step{StepStatus::singular, 0.0,
                        "the constraints depend on each other in this singular position, and the "
                        "motion is at rest: several may begin here, and no velocity selects one"};
        }
        constexpr int k_tries = 24;
        double T = std::min(0.25 * (1.0 + size) / speed, 0.5 * h_max);
        for (int i = 0; i < k_tries; ++i, T *= 0.5) {
            if (!shoot(now, rates, T)) continue;
            const Truncated series = best_order(T);
            if (series.error > 1.0) continue;
            take(series.order, T, T);
            return Step{StepStatus::ok, length_, {}};
        }
        return std::nullopt;
    }
    std::vector<double> rates_here(const flow::Instant& now) {
        std::vector<double> rates;
        if (!expand(now)) return rates;
        for (std::size_t i = 0; i < n_controlled_; ++i) rates.push_back(series(i, 1)[1]);
        return rates;
    }
    // The state T ahead whose series leads back to the present one, by iteration along the constraints.
    bool shoot(const flow::Instant& now, std::span<const double> rates, double T) {
        constexpr int k_iterations = 30;
        // Tolerances by which the state may be off the branch, where no motion meets it: those of the steps before, of an event too.
        constexpr double k_carried = 10.0;
        base_ = now;
        base_.field_time = now.field_time + T;
        for (std::size_t i = 0; i < n_positions_; ++i) base_.state[i] += T * rates[i];
        double before = std::numeric_limits<double>::infinity();
        for (int k = 0; k < k_iterations; ++k) {
            if (!rows_.keep(base_) || !expand(base_)) return false;
            const unsigned order = best_order(T).order;
            double missed = 0.0;
            for (std::size_t i = 0; i < n_states(); ++i) {
                const double miss = now.state[i] - compile::evaluate(series(i, order), -T);
                missed = std::max(missed, std::abs(miss) / (1.0 + std::abs(now.state[i])));
                base_.state[i] += miss;
            }
            if (!std::isfinite(missed)) return false;
            // As well as it can be met: the tolerance, and no further progress.
            if (missed <= 0.1 * tolerance_) return rows_.keep(base_) && expand(base_);
            if (missed > 0.5 * before) return missed <= k_carried * tolerance_;
            before = missed;
        }
        return false;
    }

    std::unique_ptr<Stepper> inner_;
    HeldRows rows_;
    double tolerance_;
    unsigned order_;
    std::unique_ptr<compile::Taylor> taylor_;
    compile::TaylorWorkspace workspace_;
    std::size_t n_positions_;
    std::size_t n_controlled_;
    std::size_t n_moving_;
    std::vector<double> mode_;
    std::vector<char> watched_;
    bool bound_ = false;
    double usual_ = 0.0; // the largest independence so far
    flow::Instant base_, there_;
    std::vector<double> end_;
    // The last step where it was such a one.
    bool passing_ = false;
    bool ends_singular_ = false;
    std::size_t degree_ = 0;
    double length_ = 0.0;
    std::vector<double> passage_; // states, then guards
    std::size_t evaluations_ = 0;
};

} // namespace

bool may_meet_singular_positions(const flow::Flow& flow) {
    return flow.algebraic.empty() && !flow.constraints.empty() &&
           flow.n_controlled > flow.n_positions;
}

std::unique_ptr<Stepper> through_singular_positions(const flow::Flow& flow,
                                                    std::unique_ptr<Stepper> stepper,
                                                    double tolerance) {
    if (!may_meet_singular_positions(flow)) return stepper;
    HeldRows rows(flow);
    if (rows.empty()) return stepper;
    return std::make_unique<SingularPassage>(flow, std::move(rows), std::move(stepper), tolerance);
}

} // namespace liaison::motion
