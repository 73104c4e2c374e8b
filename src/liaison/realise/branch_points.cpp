// SPDX-License-Identifier: Apache-2.0
// Finds the functions with branch points in the rates and guards of a flow and watches their roots.
#include "liaison/realise/branch_points.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/expr/node_map.hpp"
#include "liaison/expr/one_sided_power.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/flow/bystander.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/root_guard.hpp"
#include "liaison/flow/usual_reset.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Number;
using expr::Op;

// Nothing changes at a branch point but the series: the kink is told.
class BranchTransition final : public flow::Transition,
                               public flow::Bystander,
                               public flow::LaneOwner {
  public:
    BranchTransition(std::size_t first, std::vector<std::string> names)
        : first_(first), names_(std::move(names)) {}

    [[nodiscard]] bool settles(const flow::Instant&) const override { return false; }
    [[nodiscard]] bool listens(const flow::Instant&) const override { return false; }
    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override {
        flow::Outcome outcome;
        for (const flow::Firing& f : fired) {
            outcome.armed.push_back({f.guard, 1, true});
            flow::Event event;
            event.time = now.time;
            event.kind = flow::EventKind::crossing;
            event.where = names_[f.guard - first_];
            event.accuracy = f.accuracy;
            event.state_minus = now.state;
            event.state_plus = now.state;
            outcome.events.push_back(std::move(event));
        }
        return outcome;
    }
    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const Expr> atoms) const override {
        return flow::no_reset(flow, atoms);
    }

  private:
    std::size_t first_;
    std::vector<std::string> names_;
};

class BranchPoints {
  public:
    BranchPoints(flow::Flow& flow, std::span<const Expr> watched) : flow_(flow), pool_(*flow.pool) {
        for (const Expr s : flow.states) moving_.insert(s.node());
        moving_.insert(flow.time.node());
        for (const Expr r : watched) left_alone_.insert(r.node());
    }

    void install() {
        std::vector<Expr> all = flow_.rates;
        for (const flow::Guard& g : flow_.guards) all.push_back(g.value);
        const auto nodes = expr::reachable(all);
        // Powers that begin at a switching surface are continued beyond it (one_sided_powers.hpp).
        for (const expr::Node* node : nodes) {
            if (node->op != Op::less_equal || !expr::is_below_zero(Expr(node))) continue;
            left_alone_.insert(node->args[0]);
            left_alone_.insert((-Expr(node->args[0])).node());
        }
        for (const expr::Node* node : nodes) find(Expr(node));
        if (values_.empty()) return;
        const std::size_t owner = flow_.transitions.size();
        const std::size_t first = flow_.guards.size();
        std::vector<std::string> names;
        for (const Expr value : values_) {
            names.push_back(expr::print(value));
            flow::Guard guard{names.back(), value, flow::Direction::down, owner, {}, true, true};
            LIAISON_ASSERT(flow::is_root(guard), "guards of roots are told from others");
            flow_.guards.push_back(std::move(guard));
        }
        flow_.transitions.push_back(std::make_shared<BranchTransition>(first, std::move(names)));
    }

  private:
    bool moves(Expr e) {
        const auto known = motion_.find(e.node());
        if (known != motion_.end()) return known->second;
        const auto below = expr::reachable(std::span(&e, 1));
        const bool any =
            std::ranges::any_of(below, [&](const expr::Node* n) { return moving_.contains(n); });
        motion_[e.node()] = any;
        return any;
    }

    void find(Expr node) {
        switch (node.op()) {
        case Op::mul:
            for (std::size_t i = 0; i < node.size(); ++i) {
                const Number& exponent = node.numbers()[i + 1];
                if (exponent.is_integer()) continue;
                const bool ratio = exponent.exact();
                watch(node.arg(i), Number::rational(1, ratio ? exponent.den() : 2));
            }
            return;
        case Op::power: return watch(node.arg(0), Number::rational(1, 2));
        case Op::asin:
        case Op::acos: return watch(1 - node.arg(0) * node.arg(0), Number::rational(1, 2));
        case Op::atan2: {
            const Expr x = node.arg(1);
            if (x.is_number() && x.number().value() > 0.0) return;
            return watch(x * x + node.arg(0) * node.arg(0), Number::rational(1, 2));
        }
        default: return;
        }
    }

    void watch(Expr radicand, const Number& exponent) {
        if (left_alone_.contains(radicand.node()) || !moves(radicand)) return;
        const Expr value = pool_.power(radicand, exponent);
        if (known_.insert(value.node())) values_.push_back(value);
    }

    flow::Flow& flow_;
    expr::Pool& pool_;
    expr::NodeSet moving_, left_alone_, known_;
    expr::NodeMap<bool> motion_;
    std::vector<Expr> values_; // of the roots
};

} // namespace

void install_branch_points(flow::Flow& flow, std::span<const Expr> watched) {
    BranchPoints(flow, watched).install();
}

} // namespace liaison::realise
