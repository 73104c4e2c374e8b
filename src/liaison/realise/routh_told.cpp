// SPDX-License-Identifier: Apache-2.0
// Events of other owners in unfolded coordinates, told as positions and velocities.
#include "liaison/flow/probe.hpp"
#include "liaison/realise/routh.hpp"

namespace liaison::realise {
namespace {

using flow::Instant;
using flow::Outcome;

// Another owner's transition; its events carry flow states, which are told as positions and velocities.
class Translated final : public flow::Transition {
  public:
    Translated(std::shared_ptr<const flow::Transition> inner, flow::Probe velocities, std::size_t n)
        : inner_(std::move(inner)), velocities_(std::move(velocities)), n_(n) {}

    Outcome start(Instant& now) const override {
        const auto before = told(now);
        return translate(inner_->start(now), before, now);
    }
    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        const auto before = told(now);
        return translate(inner_->transit(fired, now), before, now);
    }
    void settle(Instant& now) const override { inner_->settle(now); }
    Outcome refresh(Instant& now) const override {
        const auto before = told(now);
        return translate(inner_->refresh(now), before, now);
    }
    Outcome jump(const Instant& earlier, Instant& now) const override {
        const auto before = told(now);
        return translate(inner_->jump(earlier, now), before, now);
    }
    void confirm(const Instant& now, std::span<const flow::Armed> earlier,
                 std::vector<flow::Armed>& armed) const override {
        inner_->confirm(now, earlier, armed);
    }

  private:
    [[nodiscard]] std::vector<double> told(const Instant& now) const {
        std::vector<double> state(now.state.begin(),
                                  now.state.begin() + static_cast<std::ptrdiff_t>(n_));
        const auto v = velocities_(now);
        state.insert(state.end(), v.begin(), v.end());
        return state;
    }
    Outcome translate(Outcome outcome, const std::vector<double>& before,
                      const Instant& now) const {
        for (flow::Event& e : outcome.events) {
            if (!e.state_minus.empty()) e.state_minus = before;
            if (!e.state_plus.empty()) e.state_plus = told(now);
        }
        return outcome;
    }

    std::shared_ptr<const flow::Transition> inner_;
    flow::Probe velocities_;
    std::size_t n_;
};

} // namespace

std::shared_ptr<const flow::Transition>
told_in_velocities(std::shared_ptr<const flow::Transition> inner, const Unfolded& unfolded,
                   const flow::Flow& flow) {
    return std::make_shared<Translated>(std::move(inner), flow::Probe(flow, unfolded.velocities),
                                        flow.n_positions);
}

} // namespace liaison::realise
