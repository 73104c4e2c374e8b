// SPDX-License-Identifier: Apache-2.0
// The start of a motion: owners that depend on each other decide it twice, one who decides alone does so once.
#include "liaison/flow/bystander.hpp"
#include "liaison/motion/simulate.hpp"

#include <doctest/doctest.h>

using namespace liaison;
using expr::Expr;

namespace {

// Its mode is one more than the other's, and it counts how often it is asked.
class Decides final : public flow::Transition {
  public:
    Decides(std::size_t own, std::size_t other) : own_(own), other_(other) {}
    flow::Outcome start(flow::Instant& now) const override {
        ++asked;
        now.mode[own_] = now.mode[other_] + 1.0;
        return {};
    }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }
    mutable int asked = 0;

  private:
    std::size_t own_, other_;
};

class Watches final : public flow::Transition, public flow::Bystander {
  public:
    flow::Outcome start(flow::Instant&) const override {
        ++asked;
        return {};
    }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }
    mutable int asked = 0;
};

// x' = a + b with the modes a and b.
flow::Flow drift() {
    flow::Flow flow;
    flow.pool = std::make_shared<expr::Pool>();
    const Expr x = flow.pool->symbol("x");
    const Expr a = flow.pool->symbol("a");
    const Expr b = flow.pool->symbol("b");
    flow.time = flow.pool->symbol("t");
    flow.states = {x};
    flow.state_names = {"x"};
    flow.rates = {a + b};
    flow.n_controlled = flow.n_positions = 1;
    flow.modes.push_back({"a", a, 0.0, {}});
    flow.modes.push_back({"b", b, 0.0, {}});
    flow.start_state = {0.0};
    return flow;
}

motion::Trajectory run(const flow::Flow& flow) {
    const auto stepper = motion::make_taylor_stepper(flow, 1e-9);
    return motion::simulate(flow, *stepper, {.until = 2.0, .tolerance = 1e-9});
}

} // namespace

TEST_CASE("an owner that decides alone beside bystanders is asked once") {
    flow::Flow flow = drift();
    const auto decides = std::make_shared<Decides>(0, 1);
    const auto watches = std::make_shared<Watches>();
    flow.transitions = {watches, decides};
    const auto motion = run(flow);
    CHECK(decides->asked == 1);
    CHECK(watches->asked == 1);
    CHECK(motion.start_mode == std::vector{1.0, 0.0});
    CHECK(motion.state[0] == doctest::Approx(2.0));
}

// Rehearsed: a = 1, b = 2; then a = 2 + 1 knows the other, and b = 3 + 1.
TEST_CASE("owners that decide beside each other rehearse the start") {
    flow::Flow flow = drift();
    const auto first = std::make_shared<Decides>(0, 1);
    const auto second = std::make_shared<Decides>(1, 0);
    flow.transitions = {first, std::make_shared<Watches>(), second};
    const auto motion = run(flow);
    CHECK(first->asked == 2);
    CHECK(second->asked == 2);
    CHECK(motion.start_mode == std::vector{3.0, 4.0});
    CHECK(motion.state[0] == doctest::Approx(14.0));
}
