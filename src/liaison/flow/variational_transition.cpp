// SPDX-License-Identifier: Apache-2.0
// Splits the extended state, lets the base flow act, and carries the tangent vectors over.
#include "liaison/flow/variational_transition.hpp"

#include "liaison/flow/yielding.hpp"

#include <algorithm>

namespace liaison::flow {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class VariationalTransition final : public Transition, public Yielding {
  public:
    VariationalTransition(std::shared_ptr<const SaltationRule> rule, TangentPlan plan)
        : rule_(std::move(rule)), plan_(std::move(plan)) {}

    Outcome start(Instant& now) const override {
        Instant inner = base(now);
        SaltationRule::Event event = rule_->start(inner);
        carry(event.reset, now);
        // What the mode keeps binds the variations too: those given at the start are projected.
        Instant copy = inner;
        if (const auto kept = rule_->settle(copy)) carry(*kept, now);
        put_base(inner, now);
        return std::move(event.outcome);
    }

    Outcome transit(std::span<const Firing> fired, Instant& now) const override {
        const Instant before = base(now);
        Instant after = before;
        SaltationRule::Event event = rule_->transit(fired, after);
        if (!event.outcome.fail) {
            auto passed = rule_->passed(fired, before, after, event);
            pass_all(passed, now);
            const auto shared = std::make_shared<const Saltation>(std::move(passed.saltation));
            for (Event& e : event.outcome.events) {
                if (e.time == now.time) e.saltation = shared;
            }
        }
        put_base(after, now);
        return std::move(event.outcome);
    }

    void settle(Instant& now) const override {
        Instant inner = base(now);
        const auto reset = rule_->settle(inner);
        if (!reset) return;
        carry(*reset, now);
        put_base(inner, now);
    }

    [[nodiscard]] std::vector<YieldingGap> yielding() const override {
        return yielding_gaps(rule_->flow());
    }

  private:
    [[nodiscard]] Instant base(const Instant& now) const {
        Instant inner = now;
        inner.state.resize(plan_.first);
        inner.mode.resize(plan_.lost);
        return inner;
    }
    void put_base(const Instant& inner, Instant& now) const {
        std::copy(inner.state.begin(), inner.state.end(), now.state.begin());
        std::copy(inner.mode.begin(), inner.mode.end(), now.mode.begin());
    }

    [[nodiscard]] Index rows() const { return static_cast<Index>(rule_->atoms().rows()); }
    [[nodiscard]] Eigen::Map<VectorXd> tangent(Instant& now, std::size_t j) const {
        return {now.state.data() + plan_.first + j * rule_->atoms().rows(), rows()};
    }
    // δz = (δw, δt, δp)
    [[nodiscard]] VectorXd variation(Instant& now, std::size_t j) const {
        VectorXd z = VectorXd::Zero(static_cast<Index>(rule_->atoms().size()));
        z.head(rows()) = tangent(now, j);
        z(rows()) = plan_.tangents[j].time;
        if (const auto p = plan_.tangents[j].parameter)
            z(rows() + 1 + static_cast<Index>(*p)) = 1.0;
        return z;
    }

    [[nodiscard]] bool allowed(const MatrixXd& bound, Instant& now) const {
        constexpr double k_along = 1e-10;
        for (std::size_t j = 0; bound.rows() > 0 && j < plan_.tangents.size(); ++j) {
            const VectorXd z = variation(now, j);
            if ((bound * z).cwiseAbs().maxCoeff() > k_along * z.norm()) return false;
        }
        return true;
    }

    // A reset at a given instant: nothing shifts.
    void carry(const ResetJacobian& reset, Instant& now) const {
        if (!reset.obstacle.empty() || !allowed(reset.bound, now)) {
            lose(now);
            return;
        }
        for (std::size_t j = 0; j < plan_.tangents.size(); ++j)
            tangent(now, j) = (reset.matrix * variation(now, j)).eval();
    }

    void pass_all(SaltationRule::Passed& passed, Instant& now) const {
        if (!passed.saltation.obstacle.empty()) {
            lose(now);
            return;
        }
        if (now.mode[plan_.lost] != 0.0) return;
        passed.saltation.shifts.resize(static_cast<Index>(plan_.tangents.size()));
        for (std::size_t j = 0; j < plan_.tangents.size(); ++j) {
            const VectorXd z = variation(now, j);
            passed.saltation.shifts(static_cast<Index>(j)) = passed.saltation.instant.dot(z);
            tangent(now, j) = flow::pass(passed.input, passed.saltation, z);
        }
    }

    void lose(Instant& now) const {
        std::fill(now.state.begin() + static_cast<std::ptrdiff_t>(plan_.first), now.state.end(),
                  0.0);
        now.mode[plan_.lost] = 1.0;
    }

    std::shared_ptr<const SaltationRule> rule_;
    TangentPlan plan_;
};

} // namespace

std::shared_ptr<const Transition>
make_variational_transition(std::shared_ptr<const SaltationRule> rule, TangentPlan plan) {
    return std::make_shared<VariationalTransition>(std::move(rule), std::move(plan));
}

} // namespace liaison::flow
