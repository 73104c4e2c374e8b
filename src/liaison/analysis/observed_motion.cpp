// SPDX-License-Identifier: Apache-2.0
// One transition around all those of a flow writes down what they do.
#include "liaison/analysis/observed_motion.hpp"

#include "liaison/motion/measured_stepper.hpp"

namespace liaison::analysis {
namespace {

class Recorder final : public flow::Transition {
  public:
    Recorder(std::shared_ptr<const flow::SaltationRule> rule, const Observation& options,
             std::vector<PassedInstant>& instants)
        : rule_(std::move(rule)), options_(options), instants_(instants) {}

    flow::Outcome start(flow::Instant& now) const override {
        flow::Outcome all;
        for (const auto& t : rule_->flow().transitions) {
            flow::Outcome one = t->start(now);
            all.armed.insert(all.armed.end(), one.armed.begin(), one.armed.end());
            for (auto& e : one.events) all.events.push_back(std::move(e));
            if (one.fail || one.stop) {
                all.fail = one.fail;
                all.stop = one.stop;
                all.reason = std::move(one.reason);
                return all;
            }
        }
        return all;
    }
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override {
        PassedInstant passed;
        passed.before = now;
        flow::Outcome outcome = rule_->pass(fired, now);
        const bool kept =
            now.time.rounded() >= options_.keep_from && instants_.size() < options_.keep_most;
        if (kept) {
            passed.after = now;
            // The flow that is watched does not outlive the observation.
            passed.before.parameters = passed.after.parameters = rule_->flow().parameter_values;
            passed.fired.assign(fired.begin(), fired.end());
            passed.events = outcome.events;
            passed.idle = passed.before.state == now.state && passed.before.mode == now.mode;
            instants_.push_back(std::move(passed));
        }
        return outcome;
    }
    void settle(flow::Instant& now) const override {
        for (const auto& t : rule_->flow().transitions) t->settle(now);
    }

  private:
    std::shared_ptr<const flow::SaltationRule> rule_;
    const Observation& options_;
    std::vector<PassedInstant>& instants_;
};

} // namespace

std::optional<flow::EventKind> telling_kind(const std::vector<flow::Event>& events) {
    if (events.empty()) return std::nullopt;
    for (const flow::Event& e : events) {
        if (e.kind != flow::EventKind::crossing) return e.kind;
    }
    return events.front().kind;
}

ObservedMotion observe(const std::shared_ptr<const flow::SaltationRule>& rule,
                       const flow::Flow& flow, const Observation& options) {
    ObservedMotion result;
    flow::Flow watched = flow;
    for (flow::Guard& g : watched.guards) g.owner = 0;
    watched.transitions = {std::make_shared<Recorder>(rule, options, result.instants)};
    const auto stepper = motion::make_measured_stepper(watched, options.tolerance);
    motion::SimulateOptions simulate;
    simulate.until = options.until;
    simulate.tolerance = options.tolerance;
    simulate.sample_at = options.sample_at;
    simulate.on_piece = options.on_piece;
    simulate.interrupt = options.interrupt;
    result.trajectory = motion::simulate(watched, *stepper, simulate);
    result.start_mode = result.trajectory.start_mode;
    return result;
}

} // namespace liaison::analysis
