// SPDX-License-Identifier: Apache-2.0
// Values of expressions at one instant of a flow, for the decisions made at events.
#pragma once

#include "liaison/compile/evaluator.hpp"
#include "liaison/flow/flow.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace liaison::flow {

// Bound to the symbols of a flow: parameters, modes, time, states. Copies share nothing mutable.
class Probe {
  public:
    Probe() = default;
    Probe(const Flow& flow, std::vector<Expr> expressions);

    [[nodiscard]] std::vector<double> operator()(const Instant& now) const;
    // The same into `values`, without allocating once the thread has come by.
    void evaluate(const Instant& now, std::span<double> values) const;
    [[nodiscard]] std::size_t size() const { return n_outputs_; }

  private:
    std::optional<compile::Evaluator> evaluator_;
    std::size_t n_outputs_ = 0;
    std::size_t n_parameters_ = 0;
    std::size_t n_modes_ = 0;
    std::size_t n_states_ = 0;
    std::uint64_t id_ = 0; // tells whose numbers a thread's workspace holds
};

// dg/dt along the flow in the current mode: ∂g/∂t + Σ ∂g/∂x_i f_i.
std::vector<Expr> rates_along(const Flow& flow, std::span<const Expr> expressions);

} // namespace liaison::flow
