// SPDX-License-Identifier: Apache-2.0
// The books of a run: a balance of energy that does not close is told.
#include "liaison/record/execute.hpp"

#include <doctest/doctest.h>

using namespace liaison;

namespace {

// x' = −x with the energy x² and a quadrature of the power that is −2x² in truth, `share` of it in the books.
record::Run decay(double share) {
    flow::Flow flow;
    flow.pool = std::make_shared<expr::Pool>();
    flow.time = flow.pool->symbol("t");
    const auto x = flow.pool->symbol("x");
    const auto work = flow.pool->symbol("work");
    flow.states = {x, work};
    flow.state_names = {"x", "work"};
    flow.rates = {-x, expr::Number(-2.0 * share) * x * x};
    flow.n_controlled = 1;
    flow.start_state = {1.0, 0.0};
    flow.outputs = {{flow::OutputGroup::energy, "total", "", x * x}};
    record::ExecuteOptions options;
    options.until = 1.0;
    options.tolerance = 1e-10;
    return record::execute(flow, options);
}

} // namespace

TEST_CASE("energy that the work explains is no news") {
    const auto run = decay(1.0);
    REQUIRE(run.energy);
    CHECK(std::abs(run.energy->unexplained) < 1e-10);
    CHECK(run.trajectory.status == motion::Status::done);
    CHECK(run.warnings.empty());
}

TEST_CASE("energy that nothing explains is told") {
    const auto run = decay(1.0 - 1e-6);
    REQUIRE(run.energy);
    CHECK(run.energy->unexplained == doctest::Approx(1e-6 * std::expm1(-2.0)).epsilon(1e-4));
    CHECK(run.trajectory.status == motion::Status::unbalanced);
    CHECK(run.trajectory.reason.find("does not close") != std::string::npos);
    CHECK(run.warnings.empty());
}
