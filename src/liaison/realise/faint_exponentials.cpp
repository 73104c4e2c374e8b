// SPDX-License-Identifier: Apache-2.0
// Finds the exponentials of the state or of time in the rates and watches their arguments.
#include "liaison/realise/faint_exponentials.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/flow/bystander.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/usual_reset.hpp"

#include <algorithm>
#include <string>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Op;

class FaintTransition final : public flow::Transition,
                              public flow::Bystander,
                              public flow::LaneOwner {
  public:
    [[nodiscard]] bool settles(const flow::Instant&) const override { return false; }
    [[nodiscard]] bool listens(const flow::Instant&) const override { return false; }
    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant&) const override {
        flow::Outcome outcome;
        for (const flow::Firing& f : fired) outcome.armed.push_back({f.guard, 1, true});
        return outcome;
    }
    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const Expr> atoms) const override {
        return flow::no_reset(flow, atoms);
    }
};

// The logarithm of an exponential; empty for anything else.
Expr exponent(Expr node) {
    if (node.op() == Op::exp) return node.arg(0);
    const bool power = node.op() == Op::power && node.arg(0).is_number();
    return power ? node.arg(1) * expr::log(node.arg(0)) : Expr();
}

} // namespace

void install_faint_exponentials(flow::Flow& flow) {
    std::vector<Expr> moving = flow.states;
    moving.push_back(flow.time);
    std::vector<Expr> arguments;
    for (const expr::Node* node : expr::reachable(flow.rates)) {
        const Expr a = exponent(Expr(node));
        if (!a || std::ranges::find(arguments, a) != arguments.end()) continue;
        if (std::ranges::any_of(moving, [&](Expr s) { return expr::depends_on(a, s); }))
            arguments.push_back(a);
    }
    if (arguments.empty()) return;
    const std::size_t owner = flow.transitions.size();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        flow.guards.push_back({"exp " + std::to_string(i + 1),
                               arguments[i] + k_faint,
                               flow::Direction::up,
                               owner,
                               {},
                               false,
                               false});
    flow.transitions.push_back(std::make_shared<FaintTransition>());
}

} // namespace liaison::realise
