// SPDX-License-Identifier: Apache-2.0
// C++ functions as a flow without expressions.
#include "liaison/motion/callback_system.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/flow/event_transition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

using flow::Instant;

bool finite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

class CallbackField final : public Field {
  public:
    explicit CallbackField(const CallbackSystem& system) : system_(system) {}

    [[nodiscard]] std::size_t n_states() const override { return system_.start.size(); }
    [[nodiscard]] std::size_t n_guards() const override { return system_.events.size(); }
    void bind(std::span<const double>, std::span<const double>) override {}

    FieldStatus rates(double time, std::span<const double> state,
                      std::span<double> rates) override {
        system_.field(time, state, rates);
        return finite(rates) ? FieldStatus::ok : FieldStatus::not_finite;
    }
    void guards(double time, std::span<const double> state, std::span<double> values) override {
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = system_.events[k].when(time, state);
    }
    [[nodiscard]] bool has_jacobian() const override { return bool(system_.jacobian); }
    FieldStatus jacobian(double time, std::span<const double> state,
                         std::span<double> columns) override {
        system_.jacobian(time, state, columns);
        return finite(columns) ? FieldStatus::ok : FieldStatus::not_finite;
    }

  private:
    const CallbackSystem& system_;
};

// Derivatives of guards along the motion by differences: only their signs and zeros are asked for.
class CallbackTransition final : public flow::EventTransition {
  public:
    CallbackTransition(const CallbackSystem& system, std::vector<flow::EventRule> rules)
        : EventTransition(std::move(rules), 0), system_(system) {}

  protected:
    void measure(const Instant& now, flow::EventNumbers& numbers) const override {
        const std::size_t n = system_.events.size();
        numbers.n_guards = n;
        numbers.n_sets = 0;
        numbers.values.assign(3 * n, 0.0);
        const double size = scale(now);
        const double d1 = std::cbrt(std::numeric_limits<double>::epsilon()) * size;
        const double d2 = std::pow(std::numeric_limits<double>::epsilon(), 0.25) * size;
        const auto here = at(now, 0.0);
        const auto up = at(now, d1);
        const auto down = at(now, -d1);
        const auto far_up = at(now, d2);
        const auto far_down = at(now, -d2);
        for (std::size_t k = 0; k < n; ++k) {
            numbers.values[k] = here[k];
            numbers.values[n + k] = (up[k] - down[k]) / (2.0 * d1);
            numbers.values[2 * n + k] = (far_up[k] - 2.0 * here[k] + far_down[k]) / (d2 * d2);
        }
    }
    void apply(const std::vector<std::size_t>& due, const flow::EventNumbers&,
               Instant& now) const override {
        // Each event sees the values before; what several set, the later ones in the list decide.
        const std::vector<double> before = now.state;
        for (const std::size_t i : due) {
            if (!system_.events[i].set) continue;
            std::vector<double> after = before;
            system_.events[i].set(now.field_time, after);
            for (std::size_t m = 0; m < after.size(); ++m) {
                if (after[m] != before[m]) now.state[m] = after[m];
            }
        }
    }

  private:
    // A time in which the state changes by its own size.
    [[nodiscard]] double scale(const Instant& now) const {
        std::vector<double> rates(now.state.size());
        system_.field(now.field_time, now.state, rates);
        double size = 1.0;
        double speed = 0.0;
        for (const double x : now.state) size = std::max(size, std::abs(x));
        for (const double v : rates) speed = std::max(speed, std::abs(v));
        return std::isfinite(speed) && speed > size ? size / speed : 1.0;
    }
    // Guards a time d ahead on the motion, to second order.
    [[nodiscard]] std::vector<double> at(const Instant& now, double d) const {
        std::vector<double> state = now.state;
        if (d != 0.0) {
            std::vector<double> first(state.size());
            std::vector<double> middle(state.size());
            system_.field(now.field_time, state, first);
            for (std::size_t m = 0; m < state.size(); ++m) middle[m] = state[m] + d / 2 * first[m];
            // the midpoint rule: x + d f(x + d/2 f)
            system_.field(now.field_time + d / 2, middle, first);
            for (std::size_t m = 0; m < state.size(); ++m) state[m] += d * first[m];
        }
        std::vector<double> values;
        for (const CallbackEvent& e : system_.events)
            values.push_back(e.when(now.field_time + d, state));
        return values;
    }

    const CallbackSystem& system_;
};

} // namespace

Trajectory simulate(const CallbackSystem& system, const SimulateOptions& options, Method method,
                    double step) {
    LIAISON_ASSERT(bool(system.field), "a system has a field");
    flow::Flow flow;
    flow.start_time = system.start_time;
    flow.start_state = system.start;
    flow.n_controlled = flow.n_positions = system.start.size();
    flow.state_names = system.names;
    for (std::size_t i = flow.state_names.size(); i < system.start.size(); ++i)
        flow.state_names.push_back("x" + std::to_string(i));
    std::vector<flow::EventRule> rules;
    for (const CallbackEvent& e : system.events) {
        LIAISON_ASSERT(bool(e.when), "an event has a guard");
        rules.push_back({e.name, e.direction, e.stop});
        flow.guards.push_back({e.name, {}, e.direction, 0, {}, false, false});
    }
    if (!rules.empty()) {
        flow.transitions.push_back(std::make_shared<CallbackTransition>(system, std::move(rules)));
    }
    const auto stepper =
        make_stepper(std::make_unique<CallbackField>(system), system.start_time,
                     {.method = method, .tolerance = options.tolerance, .step = step});
    return simulate(flow, *stepper, options);
}

} // namespace liaison::motion
