// SPDX-License-Identifier: Apache-2.0
// Saltation matrices against reference numbers, and the identities they obey.
#include "liaison/flow/saltation.hpp"

#include "liaison/flow/saltation_rule.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace liaison;
using nlohmann::json;

namespace {

json reference(const std::string& name) {
    std::ifstream file(std::string(LIAISON_TEST_DATA) + "/reference/06-saltation.json");
    const json all = json::parse(file);
    for (const json& c : all["cases"]) {
        if (c["name"] == name) return c;
    }
    FAIL("no case " << name);
    return {};
}

Eigen::MatrixXd matrix(const json& rows) {
    Eigen::MatrixXd m(static_cast<Eigen::Index>(rows.size()),
                      static_cast<Eigen::Index>(rows[0].size()));
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
        for (Eigen::Index j = 0; j < m.cols(); ++j)
            m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
    return m;
}

// The saltation when a guard fires at a given time and state, in the mode of the start.
flow::Saltation at(const std::shared_ptr<const flow::Flow>& f, const std::string& guard,
                   double time, std::vector<double> state, Eigen::VectorXd* after_state = nullptr) {
    const flow::SaltationRule rule(f, {});
    flow::Instant now;
    now.time = time;
    now.field_time = time;
    now.state = f->start_state;
    for (const auto& slot : f->modes) now.mode.push_back(slot.initial);
    now.parameters = f->parameter_values;
    now.tolerance = 1e-12;
    static_cast<void>(rule.start(now));
    std::copy(state.begin(), state.end(), now.state.begin());
    flow::Firing firing;
    for (std::size_t k = 0; k < f->guards.size(); ++k) {
        if (f->guards[k].name == guard) firing.guard = k;
    }
    const flow::Instant before = now;
    const auto event = rule.transit(std::span(&firing, 1), now);
    REQUIRE_FALSE(event.outcome.fail);
    if (after_state != nullptr)
        *after_state = Eigen::Map<const Eigen::VectorXd>(
            now.state.data(), static_cast<Eigen::Index>(f->n_controlled));
    return rule.passed(std::span(&firing, 1), before, now, event).saltation;
}

const char* const k_stop = R"model(
format = 1
coordinates = ["x"]
[parameters]
zeta = 0.05
F = 1.0
omega = 2.0
sigma = 0.1
r = 0.8
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-2*zeta*x' + F*cos(omega*t)"
)model";

} // namespace

TEST_CASE("fixed wall, as a contact and as an event of the user") {
    const json c = reference("fixed wall");
    const Eigen::MatrixXd expected = matrix(c["saltation"]);
    const auto as_contact = test::load(std::string(k_stop) + R"model(
[contact.stop]
gap = "sigma - x"
restitution = "r"
)model");
    const auto as_event = test::load(std::string(k_stop) + R"model(
[event.stop]
when = "x - sigma"
direction = "up"
set.velocity.x = "-r*x'"
)model");
    for (const auto& loaded : {as_contact, as_event}) {
        const auto s = at(loaded.flow, "stop", c["parameters"]["t"],
                          {0.1, c["parameters"]["v_before"].get<double>()});
        REQUIRE(s.obstacle.empty());
        CHECK((s.matrix - expected).cwiseAbs().maxCoeff() < 1e-12);
        CHECK(s.matrix.determinant() == doctest::Approx(0.64).epsilon(1e-12));
        CHECK(s.error == 0.0);
    }
}

TEST_CASE("inclined moving wall; the default by differences agrees with the exact derivative") {
    const json c = reference("inclined moving wall");
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
m1 = 1.0
m2 = 2.0
gravity = 9.81
slope = 0.3
A = 0.1
W = 2.0
e = 0.6
[energy]
T = "m1*x'^2/2 + m2*y'^2/2"
V = "m2*gravity*y"
[contact.wall]
gap = "y - slope*x - A*sin(W*t)"
restitution = "e"
[start]
y = 1.0
)model");
    const std::vector<double> before = c["state_before"];
    Eigen::VectorXd after;
    const auto s = at(loaded.flow, "wall", c["parameters"]["t"], before, &after);
    REQUIRE(s.obstacle.empty());
    for (Eigen::Index i = 0; i < 4; ++i)
        CHECK(after(i) ==
              doctest::Approx(c["state_after"][static_cast<std::size_t>(i)].get<double>())
                  .epsilon(1e-13));
    CHECK((s.matrix - matrix(c["saltation"])).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(s.matrix.determinant() == doctest::Approx(0.36).epsilon(1e-12));
    CHECK(s.speed == doctest::Approx(c["gap_rate_before"].get<double>()).epsilon(1e-13));

    // The same flow whose transitions do not know their derivatives.
    class Forgetful final : public flow::Transition {
      public:
        explicit Forgetful(std::shared_ptr<const flow::Transition> inner)
            : inner_(std::move(inner)) {}
        flow::Outcome start(flow::Instant& now) const override { return inner_->start(now); }
        flow::Outcome transit(std::span<const flow::Firing> f, flow::Instant& now) const override {
            return inner_->transit(f, now);
        }
        void settle(flow::Instant& now) const override { inner_->settle(now); }
        flow::Outcome refresh(flow::Instant& now) const override { return inner_->refresh(now); }

      private:
        std::shared_ptr<const flow::Transition> inner_;
    };
    auto forgetful = std::make_shared<flow::Flow>(*loaded.flow);
    for (auto& t : forgetful->transitions) t = std::make_shared<Forgetful>(t);
    const auto d = at(forgetful, "wall", c["parameters"]["t"], before);
    REQUIRE(d.obstacle.empty());
    CHECK(d.error > 0.0);
    CHECK(d.error < 1e-8);
    CHECK((d.matrix - s.matrix).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("crossing of a discontinuity surface") {
    // u'' + u = sin(ω t) − F sign(u'): at u' = 0 the field jumps by 2F
    const json c = reference("slip crossing");
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
F = 0.4
omega = 0.7
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.all]
x = "sin(omega*t) - F*sign(x')"
[start.velocity]
x = 1.0
)model");
    const auto s = at(loaded.flow, "switch 1", c["parameters"]["t"],
                      {c["parameters"]["u"].get<double>(), 0.0});
    REQUIRE(s.obstacle.empty());
    CHECK((s.matrix - matrix(c["saltation"])).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("landing without restitution forgets the normal direction: n S = 0, det S = 0") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[contact.floor]
gap = "y - 0.2*x^2"
[start]
y = 1.0
)model");
    const double x = 0.7;
    const auto s = at(loaded.flow, "floor", 0.0, {x, 0.2 * x * x, 0.3, -2.0});
    REQUIRE(s.obstacle.empty());
    Eigen::RowVectorXd gap(4);
    gap << -0.4 * x, 1.0, 0.0, 0.0;
    CHECK((gap * s.matrix).cwiseAbs().maxCoeff() < 1e-14);
    const Eigen::VectorXd singular = s.matrix.jacobiSvd().singularValues();
    CHECK(singular(2) < 1e-13 * singular(0)); // gap and gap rate are forgotten
}

TEST_CASE("grazing is named") {
    const auto loaded = test::load(std::string(k_stop) + R"model(
[contact.stop]
gap = "sigma - x"
restitution = "r"
)model");
    const auto s = at(loaded.flow, "stop", 0.7, {0.1, 1e-12});
    CHECK(s.obstacle.find("grazing") == 0);
}
