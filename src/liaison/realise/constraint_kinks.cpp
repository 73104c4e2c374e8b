// SPDX-License-Identifier: Apache-2.0
// Constraints compared before and after a change of mode, at one and the same state.
#include "liaison/realise/constraint_kinks.hpp"

#include "liaison/flow/bystander.hpp"
#include "liaison/flow/probe.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace liaison::realise {
namespace {

using expr::Expr;

class Kinks final : public flow::Transition, public flow::Bystander {
  public:
    Kinks(std::vector<ConstraintKinks::Item> items, flow::Probe values)
        : items_(std::move(items)), values_(std::move(values)) {}

    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }
    flow::Outcome jump(const flow::Instant& before, flow::Instant& now) const override {
        flow::Outcome outcome;
        if (before.mode == now.mode) return outcome;
        flow::Instant earlier = now;
        earlier.mode = before.mode;
        const auto old = values_(earlier);
        const auto fresh = values_(now);
        std::size_t at = 0;
        for (const ConstraintKinks::Item& item : items_) {
            bool turns = jumps(old[at], fresh[at]);
            std::size_t shown = at++;
            if (item.rate) {
                if (!turns) shown = at;
                turns = turns || jumps(old[at], fresh[at]);
                ++at;
            }
            if (!turns) continue;
            outcome.fail = true;
            outcome.reason = fmt::format(
                "constraint {} has a kink at t = {:.15g}: with the motion as it arrives its {} jumps "
                "from {:.6g} to {:.6g}. To go on takes an impact, for which a bilateral constraint "
                "has no law: round the kink, or write each side as a [contact]",
                item.name, now.time.rounded(),
                item.rate && shown + 1 == at ? "rate" : "left − right", old[shown], fresh[shown]);
            return outcome;
        }
        return outcome;
    }

  private:
    static bool jumps(double old, double fresh) {
        return !(std::abs(old - fresh) <= 1e-7 * (1.0 + std::abs(old) + std::abs(fresh)));
    }

    std::vector<ConstraintKinks::Item> items_;
    flow::Probe values_;
};

} // namespace

ConstraintKinks find_kinks(const flow::Flow& flow, Switching& switching) {
    ConstraintKinks result;
    for (const flow::HeldConstraint& held : flow.constraints) {
        const auto f = switching.smooth(std::vector<Expr>{held.f})[0];
        if (f == held.f) continue;
        result.items.push_back(
            {held.name, f, held.rate ? switching.smooth(std::vector<Expr>{held.rate})[0] : Expr()});
    }
    return result;
}

void install(const ConstraintKinks& kinks, flow::Flow& flow) {
    if (kinks.items.empty()) return;
    std::vector<Expr> values;
    for (const ConstraintKinks::Item& item : kinks.items) {
        values.push_back(item.f);
        if (item.rate) values.push_back(item.rate);
    }
    flow.transitions.push_back(
        std::make_shared<Kinks>(kinks.items, flow::Probe(flow, std::move(values))));
}

} // namespace liaison::realise
