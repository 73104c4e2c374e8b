// SPDX-License-Identifier: Apache-2.0
// Decisions about contacts are measured, not believed: right ones are exact to rounding, wrong ones are found out.
#include "liaison/record/contact_watch.hpp"

#include "liaison/record/execute.hpp"

#include "support/column.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace liaison;
using flow::Certificate;

namespace {

// Unit mass over a floor, with a lift F.
std::string ball(double height, double speed, double lift) {
    return fmt::format(R"model(
format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "10*y"
[force.lift]
y = "{}"
[contact.floor]
gap = "y"
restitution = 0.5
[start]
y = {}
[start.velocity]
y = {}
)model",
                       lift, height, speed);
}

record::Run execute(const realise::Realisation& realised, double until) {
    record::ExecuteOptions options;
    options.until = until;
    options.tolerance = 1e-10;
    options.contacts = realised.contacts.get();
    return record::execute(realised.flow, options);
}

// The report on a step that starts at the start of the flow with the only contact closed or open.
record::Run judged(const realise::Realisation& realised, bool closed) {
    record::ContactWatch watch(*realised.contacts, realised.flow);
    const flow::Instant now = support::start_of(realised.flow);
    motion::Piece piece;
    piece.n = now.state.size();
    piece.length = 1.0;
    piece.coefficients = now.state;
    piece.mode = now.mode;
    piece.mode[flow::slot_of(realised.flow, realised.contacts->sides()[0].mask)] =
        closed ? 1.0 : 0.0;
    watch.see(piece);
    record::Run run;
    watch.finish(run);
    REQUIRE(run.contacts);
    return run;
}

bool warned(const record::Run& run, const char* words) {
    return std::ranges::any_of(
        run.warnings, [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

} // namespace

TEST_CASE("a weight on the floor: closed is right, open lets it fall through") {
    const auto realised = support::load_text(ball(0.0, 0.0, 0.0));
    const auto right = judged(realised, true);
    CHECK(right.contacts->decisions == 1);
    CHECK(right.contacts->complementarity < 1e-15);
    CHECK(right.warnings.empty());
    // λ = 0, g̈ = −10 against |b| = 10.
    const auto wrong = judged(realised, false);
    CHECK(wrong.contacts->complementarity == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(warned(wrong, "complementarity"));
}

TEST_CASE("a weight that is lifted: open is right, closed pulls") {
    // b = 15 − 10; closed λ = −5, D = 1.
    const auto realised = support::load_text(ball(0.0, 0.0, 15.0));
    CHECK(judged(realised, false).contacts->complementarity < 1e-15);
    CHECK(judged(realised, true).contacts->complementarity == doctest::Approx(1.0).epsilon(1e-14));
}

TEST_CASE("an impact is held against the states before and after it") {
    const auto realised = support::load_text(ball(0.0, -2.0, 0.0));
    flow::Event e;
    e.kind = flow::EventKind::impact;
    e.where = "floor";
    e.state_minus = e.state_plus = realised.flow.start_state;
    double momentum = 0.0;
    const auto residual = [&](double after, double impulse) {
        record::ContactWatch watch(*realised.contacts, realised.flow);
        e.state_plus[1] = after;
        e.impulse = impulse;
        watch.see(e);
        record::Run run;
        watch.finish(run);
        REQUIRE(run.contacts->impacts == 1);
        momentum = run.contacts->momentum;
        CHECK(warned(run, "momentum") == (momentum > 1e-6));
        return run.contacts->impact_complementarity;
    };
    // γ⁻ = −2, e = 1/2: γ⁺ = 1, Λ = 3.
    CHECK(residual(1.0, 3.0) == 0.0);
    CHECK(momentum == 0.0);
    // The state jumps by 3, the impulse says 3.3: 0.3 of 3.3.
    CHECK(residual(1.0, 3.3) == 0.0);
    CHECK(momentum == doctest::Approx(0.3 / 3.3).epsilon(1e-14));
    CHECK(residual(1.5, 3.5) == doctest::Approx(0.25).epsilon(1e-14)); // 0.5 of 2
    CHECK(residual(0.0, 2.0) == doctest::Approx(0.5).epsilon(1e-14)); // −1 of 2
    CHECK(residual(1.0, -3.0) == doctest::Approx(1.5).epsilon(1e-14)); // it pulls: −3 of 2
}

TEST_CASE("bounces, rest and a column meet their conditions to rounding, with certificates") {
    const auto bounces = execute(support::load_text(ball(1.0, 0.0, 0.0)), 3.0);
    REQUIRE(bounces.contacts);
    CHECK(bounces.contacts->impacts > 10);
    CHECK(bounces.contacts->decisions == 1); // it comes to rest
    CHECK(bounces.contacts->complementarity < 1e-14);
    CHECK(bounces.contacts->impact_complementarity < 1e-14);
    CHECK(bounces.contacts->resolved.of(Certificate::unique_p_matrix) == 1);

    // D of a column is tridiagonal and definite, by the dense method and by the sparse one.
    for (const int n : {10, 100}) {
        const auto column = execute(support::load_column(n), 1.0);
        REQUIRE(column.contacts);
        CHECK(column.contacts->complementarity < 1e-11);
        CHECK(column.contacts->resolved.of(Certificate::unique_p_matrix) == 1);
        CHECK(column.warnings.empty());
    }
}

namespace {

// A block on a rough floor, pushed by F; friction 0.3 at slip and 0.5 at rest, N = 10.
std::string block(double push, double speed) {
    return fmt::format(R"model(
format = 1
name = "block"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[force.push]
x = "{}"
[contact.floor]
gap = "y"
slip = "x'"
friction = {{ static = 0.5, dynamic = 0.3 }}
[start.velocity]
x = {}
)model",
                       push, speed);
}

// The report on the block in a state of its contact: 1 stick, 2 slip forwards, 3 backwards.
record::ContactReport rubbed(double push, double speed, double state) {
    const auto realised = support::load_text(block(push, speed));
    const realise::FrictionModes modes(realised.contacts->sides(), realised.flow);
    record::ContactWatch watch(*realised.contacts, realised.flow);
    flow::Instant now = support::start_of(realised.flow);
    modes.set(now, 0, static_cast<realise::Touch>(static_cast<int>(state)), true, true);
    motion::Piece piece;
    piece.n = now.state.size();
    piece.length = 1.0;
    piece.coefficients = now.state;
    piece.mode = now.mode;
    watch.see(piece);
    record::Run run;
    watch.finish(run);
    REQUIRE(run.contacts);
    CHECK(warned(run, "contacts do not meet") == (run.contacts->natural > 1e-6));
    return *run.contacts;
}

} // namespace

TEST_CASE("the natural map vanishes for the right mode of a rough contact and for no other") {
    // Held up to 5; beyond, slip with 3 against it.
    CHECK(rubbed(4.0, 0.0, 1).natural < 1e-14);
    CHECK(rubbed(6.0, 0.0, 2).natural < 1e-14);
    CHECK(rubbed(1.0, 1.0, 2).natural < 1e-14);
    CHECK(rubbed(1.0, -1.0, 3).natural < 1e-14);
    // Sticking outside its cone: 6 of a bound of 5, nearest point of the cone (N, T) = (13, 6.5)/1.25.
    CHECK(rubbed(6.0, 0.0, 1).natural ==
          doctest::Approx(std::hypot(10.0 - 13.0 / 1.25, 6.0 - 6.5 / 1.25) / 10.0).epsilon(1e-12));
    // Friction along the slip instead of against it: twice 3 of 10, at rest and in motion.
    CHECK(rubbed(1.0, 1.0, 3).natural == doctest::Approx(0.6).epsilon(1e-12));
    CHECK(rubbed(6.0, 0.0, 3).natural > 0.1);
    // A push that friction holds does not start a slip: v̇ = 4 − 3 is one all the same, its law has another solution.
    CHECK(rubbed(2.0, 0.0, 2).natural > 0.1);
}

TEST_CASE("three feet on a line: the motion is unique, the reactions are not") {
    const auto run = execute(support::load_text(R"model(
format = 1
name = "bench"
coordinates = ["y", "a"]
[energy]
T = "y'^2/2 + a'^2/6"
V = "10*y"
[contact.left]
gap = "y - a"
[contact.middle]
gap = "y"
[contact.right]
gap = "y + a"
[start]
)model"),
                             1.0);
    REQUIRE(run.contacts);
    CHECK(run.contacts->complementarity < 1e-14);
    CHECK(run.contacts->resolved.of(Certificate::unique_accelerations) == 1);
    CHECK(run.contacts->resolved.of(Certificate::unique_p_matrix) == 0);
}

TEST_CASE("who does not listen hears nothing, and listeners take turns") {
    flow::Decisions outer;
    flow::tell(Certificate::found, 2.5);
    {
        const flow::Listening listening(&outer);
        flow::tell(Certificate::found, 2.5);
        {
            const flow::Listening silent(nullptr);
            CHECK_FALSE(flow::heard());
            flow::tell(Certificate::found, 2.5);
        }
        CHECK(flow::heard());
    }
    flow::tell(Certificate::found, 2.5);
    CHECK(outer.of(Certificate::found) == 1);
    CHECK(outer.first_found == 2.5);
}
