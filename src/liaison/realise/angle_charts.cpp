// SPDX-License-Identifier: Apache-2.0
// Change of charts of angles.
#include "liaison/realise/angle_charts.hpp"

#include "liaison/flow/probe.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/usual_reset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

namespace liaison::realise {
namespace {

using expr::Expr;
using flow::Instant;
using flow::Outcome;

// Guards of an angle, one after the other.
constexpr std::size_t k_axis = 0;  // x, in every chart
constexpr std::size_t k_above = 1; // y while c = 1
constexpr std::size_t k_below = 2; // y while c = −1
constexpr std::size_t k_guards = 3;

class AngleTransition final : public flow::Transition, public flow::LaneOwner {
  public:
    AngleTransition(std::vector<std::size_t> slots, std::size_t first, flow::Probe values,
                    flow::Probe rates)
        : slots_(std::move(slots)), first_(first), values_(std::move(values)),
          rates_(std::move(rates)) {}

    [[nodiscard]] bool settles(const Instant&) const override { return false; }
    [[nodiscard]] bool listens(const Instant&) const override { return true; }

    // On an axis the side is the one the motion goes to; two passes let angles of angles settle.
    Outcome start(Instant& now) const override {
        for (int pass = 0; pass < 2; ++pass) {
            const auto values = values_(now);
            const auto rates = rates_(now);
            for (std::size_t i = 0; i < slots_.size(); ++i) {
                const double y = values[2 * i] != 0.0 ? values[2 * i] : rates[2 * i];
                const double x = values[2 * i + 1] != 0.0 ? values[2 * i + 1] : rates[2 * i + 1];
                now.mode[slots_[i]] = chart(y >= 0.0, x >= 0.0);
            }
        }
        return {};
    }

    Outcome jump(const Instant& before, Instant& now) const override {
        const auto earlier = values_(before);
        const auto values = values_(now);
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const double y = values[2 * i];
            const double x = values[2 * i + 1];
            if ((y == earlier[2 * i] && x == earlier[2 * i + 1]) || y == 0.0 || x == 0.0) continue;
            now.mode[slots_[i]] = chart(y > 0.0, x > 0.0);
        }
        return {};
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Outcome outcome;
        const auto values = values_(now);
        const auto rates = rates_(now);
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const Passing p = passing(fired, i);
            if (!p.x && !p.y) continue;
            const double c = now.mode[slots_[i]];
            const bool right = p.x ? p.x->upwards : c == 0.0;
            // At the centre both pass: y goes where its rate leads.
            const bool centre = p.x && c == 0.0 && values[2 * i] * rates[2 * i] < 0.0 &&
                                std::abs(values[2 * i]) <= p.x->accuracy * std::abs(rates[2 * i]);
            const bool up = p.y        ? p.y->upwards
                            : centre   ? rates[2 * i] > 0.0
                            : c != 0.0 ? c > 0.0
                                       : values[2 * i] >= 0.0;
            const double next = chart(up, right);
            now.mode[slots_[i]] = next;
            if (p.x) outcome.armed.push_back({first_ + k_guards * i + k_axis, 1, true});
            if (p.y && next != 0.0)
                outcome.armed.push_back(
                    {first_ + k_guards * i + (next > 0.0 ? k_above : k_below), 1, true});
            if (!p.y) continue;
            flow::Event event;
            event.time = now.time;
            event.kind = flow::EventKind::crossing;
            event.where = name(i);
            event.accuracy = p.y->accuracy;
            event.state_minus = now.state;
            event.state_plus = now.state;
            outcome.events.push_back(std::move(event));
        }
        refuse_sliding(fired, now, outcome);
        return outcome;
    }

    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const Expr> atoms) const override {
        return flow::no_reset(flow, atoms);
    }

    static std::string name(std::size_t i) { return "atan2 " + std::to_string(i + 1); }

  private:
    struct Passing {
        const flow::Firing* x = nullptr;
        const flow::Firing* y = nullptr;
    };
    [[nodiscard]] Passing passing(std::span<const flow::Firing> fired, std::size_t i) const {
        Passing p;
        for (const flow::Firing& f : fired) {
            if ((f.guard - first_) / k_guards != i) continue;
            ((f.guard - first_) % k_guards == k_axis ? p.x : p.y) = &f;
        }
        return p;
    }
    static double chart(bool above, bool right) { return right ? 0.0 : above ? 1.0 : -1.0; }

    // The jump of the angle may drive the motion back over the cut.
    void refuse_sliding(std::span<const flow::Firing> fired, const Instant& now,
                        Outcome& outcome) const {
        const auto rates = rates_(now);
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const Passing p = passing(fired, i);
            if (!p.y || p.x) continue;
            const double rate = rates[2 * i];
            if (p.y->upwards ? !(rate < 0.0) : !(rate > 0.0)) continue;
            outcome.fail = true;
            outcome.reason = fmt::format(
                "at t = {:.15g} the motion is driven to the cut of {} from both sides (rates {:.6g} "
                "before and {:.6g} after it); sliding along a surface made by a nonsmooth function "
                "needs a [relay] table",
                now.time.rounded(), name(i), p.y->rate, rate);
        }
    }

    std::vector<std::size_t> slots_;
    std::size_t first_;
    flow::Probe values_, rates_; // y, x of each angle
};

} // namespace

Expr plain_part(const Angle& angle) {
    const Expr side = 1 - 2 * angle.chart * angle.chart;
    return expr::atan2(side * angle.y, side * angle.x);
}

Expr in_chart(const Angle& angle) {
    return angle.chart * expr::Number(std::numbers::pi) + plain_part(angle);
}

void install_angles(const std::vector<Angle>& angles, flow::Flow& flow) {
    if (angles.empty()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    std::vector<std::size_t> slots;
    std::vector<Expr> values;
    for (std::size_t i = 0; i < angles.size(); ++i) {
        const Angle& a = angles[i];
        slots.push_back(flow::slot_of(flow, a.chart));
        const std::string name = AngleTransition::name(i);
        const auto guard = [&](Expr value, flow::Direction direction,
                               std::vector<flow::Guard::Condition> when) {
            flow.guards.push_back({name, value, direction, owner, std::move(when), false, false});
        };
        guard(a.x, flow::Direction::both, {});
        guard(a.y, flow::Direction::down, {{slots.back(), 1.0}});
        guard(a.y, flow::Direction::up, {{slots.back(), -1.0}});
        values.push_back(a.y);
        values.push_back(a.x);
    }
    flow::Probe rates(flow, flow::rates_along(flow, values));
    flow.transitions.push_back(std::make_shared<AngleTransition>(
        std::move(slots), first, flow::Probe(flow, values), std::move(rates)));
}

} // namespace liaison::realise
