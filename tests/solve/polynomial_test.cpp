// SPDX-License-Identifier: Apache-2.0
// Truths about the certified root search: none missed, none invented, dips and grazes told apart.
#include "liaison/solve/polynomial.hpp"

#include "solve/polynomial_draw.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace liaison::solve;
using oracle::Draw;
using oracle::Wide;
using oracle::widen;

namespace {

// Compares a search with ρ = 0 with the judge.
void compare_with_judge(const std::vector<double>& c, double h, int& unsimple) {
    RootWorkspace workspace;
    const RootSearch found = all_roots({.coefficients = c, .h = h}, workspace);
    RC_ASSERT(found.status == RootStatus::none || found.status == RootStatus::found);
    const oracle::Roots truth = oracle::roots(widen(c), 0, Wide(h));
    const auto covered = [&](Wide t) {
        for (const Root& root : found.roots)
            if (Wide(root.lower) <= t && t <= Wide(root.upper)) return true;
        for (const Graze& graze : found.grazes)
            if (Wide(graze.lower) <= t && t <= Wide(graze.upper)) return true;
        return false;
    };
    // None missed.
    for (const Wide t : truth.times) RC_ASSERT(covered(t));
    // None invented; a simple root holds exactly one true root, to the last bit.
    for (const Root& root : found.roots) {
        const auto inside = std::count_if(truth.times.begin(), truth.times.end(), [&](Wide t) {
            return Wide(root.lower) <= t && t <= Wide(root.upper);
        });
        if (!root.simple) ++unsimple;
        if (truth.doubtful) continue;
        RC_ASSERT(inside % 2 == 1);
        if (!root.simple) continue;
        RC_ASSERT(inside == 1);
        const auto nearest =
            std::min_element(truth.times.begin(), truth.times.end(), [&](Wide a, Wide b) {
                return oracle::magnitude(a - Wide(root.time)) <
                       oracle::magnitude(b - Wide(root.time));
            });
        const double ulp = std::nextafter(root.time, 2 * h) - root.time;
        const double slope = std::fabs(root.derivative);
        const double fuzz =
            slope > 0 ? static_cast<double>(oracle::rounding(widen(c), *nearest)) * 1e3 / slope : h;
        const double error = static_cast<double>(oracle::magnitude(Wide(root.time) - *nearest));
        RC_ASSERT(error <= ulp + fuzz);
    }
    for (std::size_t i = 0; i + 1 < found.roots.size(); ++i) {
        RC_ASSERT(found.roots[i].time <= found.roots[i + 1].time);
        RC_ASSERT(found.roots[i].direction != found.roots[i + 1].direction);
    }
    // The first root of the other entry point is the same: both enclose it.
    if (!found.roots.empty()) {
        const Root first = found.roots[0];
        const RootSearch again = first_root({.coefficients = c, .h = h}, workspace);
        RC_ASSERT(again.roots.size() == 1u);
        RC_ASSERT(again.roots[0].lower <= first.upper);
        RC_ASSERT(first.lower <= again.roots[0].upper);
    }
}

}  // namespace

TEST_CASE("roots of polynomials built from clusters, double roots and roots at the ends") {
    int roots_not_simple = 0;
    int cases = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        for (int i = 0; i < 20; ++i, ++cases)
            compare_with_judge(draw.polynomial(draw.integer(1, 12)), draw.coin() ? 1.0 : 0.83,
                               roots_not_simple);
    }));
    MESSAGE("clusters: " << cases
                         << " polynomials, roots reported as clusters: " << roots_not_simple);
    CHECK(roots_not_simple < cases / 10);
}

TEST_CASE("roots of Taylor-like polynomials of orders up to 40") {
    int roots_not_simple = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        for (int i = 0; i < 10; ++i)
            compare_with_judge(draw.taylor(draw.integer(1, 40)), draw.uniform(0.1, 1),
                               roots_not_simple);
    }));
    CHECK(roots_not_simple == 0);
}

// ---------------------------------------------------------------- remainder band

namespace {

// What the rule "same side: graze, other side: root" gives, from the roots of P − ρ and P + ρ.
struct Passages {
    std::vector<Crossing> roots;
    int grazes = 0;
    bool ends_in_band = false;
    bool doubtful = false;
    bool operator==(const Passages&) const = default;
};

Passages judge_passages(const std::vector<double>& c, double h, Wide rho) {
    Passages result;
    std::vector<Wide> nodes{0, Wide(h)};
    for (const int side : {-1, 1}) {
        oracle::Coefficients shifted = widen(c);
        shifted[0] += side * rho;
        const oracle::Roots roots = oracle::roots(shifted, 0, Wide(h));
        result.doubtful |= roots.doubtful;
        nodes.insert(nodes.end(), roots.times.begin(), roots.times.end());
    }
    std::sort(nodes.begin(), nodes.end());
    int side = c[0] > 0 ? 1 : -1;
    bool in_band = false;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const Wide v = oracle::value(widen(c), (nodes[i] + nodes[i + 1]) / 2);
        const int sign = oracle::magnitude(v) <= rho ? 0 : v > 0 ? 1 : -1;
        if (sign == 0) {
            in_band = true;
            continue;
        }
        if (sign != side)
            result.roots.push_back(sign > 0 ? Crossing::up : Crossing::down);
        else if (in_band)
            ++result.grazes;
        side = sign;
        in_band = false;
    }
    result.ends_in_band = in_band;
    return result;
}

}  // namespace

TEST_CASE("with a remainder bound: leaving the band decides between root and graze") {
    int compared = 0;
    int grazes = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        Draw draw{std::mt19937_64(seed)};
        RootWorkspace workspace;
        for (int i = 0; i < 20; ++i) {
            const auto c = draw.coin() ? draw.polynomial(draw.integer(2, 9)) : draw.taylor(20);
            const double rho = std::pow(10, draw.uniform(-6, -2));
            const Passages truth = judge_passages(c, 1, rho);
            const bool borderline = truth.doubtful || truth.ends_in_band ||
                                    judge_passages(c, 1, Wide(rho) * Wide(1 + 1e-6)) != truth ||
                                    judge_passages(c, 1, Wide(rho) * Wide(1 - 1e-6)) != truth;
            if (borderline) continue;
            const RootSearch found = all_roots({.coefficients = c, .h = 1, .rho = rho}, workspace);
            ++compared;
            grazes += truth.grazes;
            RC_ASSERT(found.roots.size() == truth.roots.size());
            for (std::size_t k = 0; k < found.roots.size(); ++k) {
                const Root& root = found.roots[k];
                RC_ASSERT(root.direction == truth.roots[k]);
                RC_ASSERT(root.certain || (k == 0 && std::fabs(c[0]) <= rho));
            }
            RC_ASSERT(static_cast<int>(found.grazes.size()) == truth.grazes);
            for (const Graze& graze : found.grazes) {
                RC_ASSERT(std::fabs(graze.value) <= rho * (1 + 1e-9));
                const Wide exact = oracle::value(widen(c), Wide(graze.time));
                RC_ASSERT(oracle::magnitude(exact - Wide(graze.value)) <=
                          Wide(1e-15 * rho + 1e-13));
            }
        }
    }));
    MESSAGE("compared " << compared << " searches with " << grazes << " grazes");
    CHECK(compared > 1000);
    CHECK(grazes > 50);
}

TEST_CASE("a dip of known depth: missed, touching, crossing twice") {
    // (t − 1/2)² + δ with exactly representable coefficients.
    RootWorkspace workspace;
    const auto search = [&](double delta, double rho = 0) {
        const std::vector<double> c{0.25 + delta, -1, 1};
        REQUIRE(c[0] - 0.25 == delta);
        return all_roots({.coefficients = c, .h = 1, .rho = rho}, workspace);
    };
    CHECK(search(0x1p-52).status == RootStatus::none);
    CHECK(search(0x1p-52).grazes.empty());

    const RootSearch touch = search(0);
    CHECK(touch.status == RootStatus::none);
    REQUIRE(touch.grazes.size() == 1);
    CHECK(touch.grazes[0].time == 0.5);
    CHECK(touch.grazes[0].value == 0);
    CHECK(touch.grazes[0].side == 1);

    const RootSearch twice = search(-0x1p-54);  // roots 1/2 ∓ 2⁻²⁷, 1.5e-8 apart
    REQUIRE(twice.roots.size() == 2);
    CHECK(twice.roots[0].time == 0.5 - 0x1p-27);
    CHECK(twice.roots[1].time == 0.5 + 0x1p-27);
    CHECK(twice.roots[0].direction == Crossing::down);
    CHECK(twice.roots[1].direction == Crossing::up);
    CHECK(twice.roots[0].simple);
    CHECK(twice.roots[0].certain);
    CHECK(twice.roots[0].derivative == doctest::Approx(-0x1p-26).epsilon(1e-7));

    // The same dip inside the remainder is a graze with its depth.
    const RootSearch hidden = search(-0x1p-54, 1e-15);
    CHECK(hidden.status == RootStatus::none);
    REQUIRE(hidden.grazes.size() == 1);
    CHECK(hidden.grazes[0].time == doctest::Approx(0.5).epsilon(1e-7));
    CHECK(hidden.grazes[0].value == doctest::Approx(-0x1p-54).epsilon(1e-6));
}

TEST_CASE("two roots 1e-9 apart are two certified roots") {
    RootWorkspace workspace;
    // ((t − 1/2)² − ε²/4)(2 + t): the coefficients are rounded, so the judge tells the roots.
    const double eps = 1e-9;
    const oracle::Coefficients exact{Wide(0.5) - Wide(eps) * eps / 2,
                                     Wide(-1.75) - Wide(eps) * eps / 4, 1, 1};
    std::vector<double> c;
    for (const Wide x : exact) c.push_back(static_cast<double>(x));
    c[0] = std::nextafter(c[0], 0);  // make the dip survive the rounding of c_0
    const auto truth = oracle::roots(widen(c), 0, 1);
    REQUIRE(truth.times.size() == 2);
    const RootSearch found = all_roots({.coefficients = c, .h = 1}, workspace);
    REQUIRE(found.roots.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(found.roots[i].simple);
        CHECK(Wide(found.roots[i].lower) <= truth.times[i]);
        CHECK(truth.times[i] <= Wide(found.roots[i].upper));
    }
    CHECK(first_root({.coefficients = c, .h = 1, .direction = Crossing::up}, workspace)
              .roots[0]
              .time == found.roots[1].time);
}
