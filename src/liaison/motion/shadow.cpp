// SPDX-License-Identifier: Apache-2.0
// Shadows as states of the flow, compared and reset when a step is accepted.
#include "liaison/motion/shadow.hpp"

#include "liaison/flow/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::motion {
namespace {

using expr::Expr;

// Where the shadows of one constraint are among the states, and its values among those of the probe.
struct Place {
    std::size_t state = 0;
    bool second = false; // a rate follows
};

class Monitor final : public flow::Transition {
  public:
    Monitor(std::vector<Place> places, flow::Probe probe, std::shared_ptr<ShadowRecord> record)
        : places_(std::move(places)), probe_(std::move(probe)), record_(std::move(record)) {}

    flow::Outcome start(flow::Instant& now) const override {
        see(now, false);
        return {};
    }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }
    void settle(flow::Instant& now) const override {
        ++record_->steps;
        see(now, true);
    }
    flow::Outcome refresh(flow::Instant& now) const override {
        see(now, false);
        return {};
    }

  private:
    void see(flow::Instant& now, bool after_step) const {
        const auto values = probe_(now);
        std::size_t at = 0;
        for (std::size_t k = 0; k < places_.size(); ++k) {
            ShadowRecord::Constraint& seen = record_->constraints[k];
            const Place& place = places_[k];
            const double f = values[at++];
            if (after_step)
                seen.defect = std::max(seen.defect, std::abs(f - now.state[place.state]));
            if (std::abs(f) > seen.largest) {
                seen.largest = std::abs(f);
                seen.worst_step = record_->steps;
            }
            now.state[place.state] = f;
            if (!place.second) continue;
            const double rate = values[at++];
            double& shadow = now.state[place.state + 1];
            if (after_step) seen.rate_defect = std::max(seen.rate_defect, std::abs(rate - shadow));
            seen.largest_rate = std::max(seen.largest_rate, std::abs(rate));
            shadow = rate;
        }
    }

    std::vector<Place> places_;
    flow::Probe probe_;
    std::shared_ptr<ShadowRecord> record_;
};

} // namespace

Shadowed with_shadow(const flow::Flow& flow) {
    Shadowed result{flow, std::make_shared<ShadowRecord>()};
    flow::Flow& f = result.flow;
    std::vector<Place> places;
    std::vector<Expr> values;
    for (const flow::HeldConstraint& held : flow.constraints) {
        if (held.law.empty()) continue;
        result.record->constraints.push_back({held.name});
        Place place{f.states.size(), static_cast<bool>(held.rate)};
        const Expr y = f.pool->symbol(fmt::format("shadow#{}", held.name));
        f.states.push_back(y);
        f.state_names.push_back(fmt::format("shadow#{}", held.name));
        f.start_state.push_back(0.0);
        values.push_back(held.f);
        if (place.second) {
            const Expr w = f.pool->symbol(fmt::format("shadow#{}'", held.name));
            f.states.push_back(w);
            f.state_names.push_back(fmt::format("shadow#{}'", held.name));
            f.start_state.push_back(0.0);
            f.rates.push_back(w);
            f.rates.push_back(held.law[0] * y + held.law[1] * w);
            values.push_back(held.rate);
        } else {
            f.rates.push_back(held.law[0] * y);
        }
        places.push_back(place);
    }
    // The last to settle: after projections.
    f.transitions.push_back(std::make_shared<Monitor>(
        std::move(places), flow::Probe(f, std::move(values)), result.record));
    return result;
}

} // namespace liaison::motion
