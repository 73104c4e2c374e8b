// SPDX-License-Identifier: Apache-2.0
// Saltation of a flow at its events, whatever its transitions do there.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/saltation.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace liaison::flow {

// Saltation of a flow at its events, for anyone who has the passage: gradients, fields, derivatives of resets.
class SaltationRule {
  public:
    SaltationRule(std::shared_ptr<const Flow> flow, std::vector<std::size_t> parameters);

    [[nodiscard]] const Flow& flow() const { return *flow_; }
    [[nodiscard]] const Atoms& atoms() const { return atoms_; }

    // Lets the owners of the fired guards act in their order, each followed by the refreshing of the others.
    struct Event {
        Outcome outcome;
        ResetJacobian reset; // of all of it together
    };
    [[nodiscard]] Event transit(std::span<const Firing> fired, Instant& now) const;
    // The same without derivatives, which cost many times as much where they are differences.
    [[nodiscard]] Outcome pass(std::span<const Firing> fired, Instant& now) const;
    [[nodiscard]] Event start(Instant& now) const;
    // Brings the state back to what the mode keeps; empty where nothing does that in this flow.
    [[nodiscard]] std::optional<ResetJacobian> settle(Instant& now) const;

    // f by w: zeros for the continuous slots.
    [[nodiscard]] Eigen::VectorXd field(const Instant& now) const;
    [[nodiscard]] double value(std::size_t guard, const Instant& now) const;
    [[nodiscard]] Eigen::RowVectorXd gradient(std::size_t guard, const Instant& now) const;

    struct Passed {
        SaltationInput input;
        Saltation saltation;
    };
    // `before`: the instant as the guards fired; `after`: after `event`.
    [[nodiscard]] Passed passed(std::span<const Firing> fired, const Instant& before,
                                const Instant& after, const Event& event) const;

  private:
    enum class Derive { no, yes };
    [[nodiscard]] Event transit(std::span<const Firing> fired, Instant& now, Derive derive) const;
    void take(std::size_t owner, Passage::Call call, std::span<const Firing> fired, Instant& now,
              Event& event, const Instant* jumped_from = nullptr,
              Derive derive = Derive::yes) const;
    [[nodiscard]] Passed past_branch_point(const Firing& firing, Passed result, const Instant& at,
                                           const Event& event) const;
    [[nodiscard]] bool idle(const Firing& firing, const Instant& before) const;

    std::shared_ptr<const Flow> flow_;
    Atoms atoms_;
    std::vector<std::shared_ptr<const ResetDerivative>> derivatives_;
    Probe field_;
    Probe frequency_; // of the force, where there is one
    std::vector<Probe> values_; // by guard
    std::vector<Probe> gradients_; // by guard
};

} // namespace liaison::flow
