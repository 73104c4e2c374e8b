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
    const auto residual = [&](double after, double impulse) {
        record::ContactWatch watch(*realised.contacts, realised.flow);
        e.state_plus[1] = after;
        e.impulse = impulse;
        watch.see(e);
        record::Run run;
        watch.finish(run);
        REQUIRE(run.contacts->impacts == 1);
        return run.contacts->impact_complementarity;
    };
    // γ⁻ = −2, e = 1/2: γ⁺ = 1, Λ = 3.
    CHECK(residual(1.0, 3.0) == 0.0);
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
    flow::tell(Certificate::found);
    {
        const flow::Listening listening(&outer);
        flow::tell(Certificate::found);
        {
            const flow::Listening silent(nullptr);
            CHECK_FALSE(flow::heard());
            flow::tell(Certificate::found);
        }
        CHECK(flow::heard());
    }
    flow::tell(Certificate::found);
    CHECK(outer.of(Certificate::found) == 1);
}
