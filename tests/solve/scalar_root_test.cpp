// SPDX-License-Identifier: Apache-2.0
// Truths about bracketed roots of functions.
#include "liaison/solve/scalar_root.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace liaison::solve;

TEST_CASE("roots with known values, to the last bits and in few calls") {
    const auto cosine = find_scalar_root([](double x) { return std::cos(x); }, 0, 3);
    CHECK(cosine.status == ScalarRootStatus::found);
    CHECK(std::fabs(cosine.root - std::acos(0.0)) <= 4e-16);
    CHECK(cosine.calls < 15);
    // Kepler's equation E − e sin E = M; M computed from E = 2 by the definition.
    const double e = 0.9;
    const double M = 2 - e * std::sin(2.0);
    const auto kepler = find_scalar_root([&](double E) { return E - e * std::sin(E) - M; }, 0, 4);
    CHECK(std::fabs(kepler.root - 2) <= 1e-15);
    // A ninefold root defeats interpolation; the bracket still shrinks to where x⁹ underflows or ulp.
    const auto flat =
        find_scalar_root([](double x) { return std::pow(x - 1, 9); }, 0, 3, {.tolerance = 1e-10});
    CHECK(flat.status == ScalarRootStatus::found);
    CHECK(std::fabs(flat.root - 1) <= 1e-10);
}

TEST_CASE("ends, orders and refusals") {
    const auto line = [](double x) { return x - 1; };
    CHECK(find_scalar_root(line, 1, 2).root == 1);
    CHECK(find_scalar_root(line, 0, 1).root == 1);
    CHECK(find_scalar_root(line, 5, -5).root == doctest::Approx(1).epsilon(1e-15));
    CHECK(find_scalar_root(line, 2, 3).status == ScalarRootStatus::no_sign_change);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(find_scalar_root(line, nan, 3).status == ScalarRootStatus::not_finite);
    CHECK(find_scalar_root([&](double x) { return x > 0.5 && x < 0.9 ? nan : x - 0.7; }, 0, 1)
              .status == ScalarRootStatus::not_finite);
    CHECK(find_scalar_root([](double x) { return std::pow(x - 1, 9); }, 0, 3, {.max_calls = 5})
              .status == ScalarRootStatus::too_many_calls);
    // A jump through zero is bracketed to neighbouring numbers.
    const auto jump = find_scalar_root([](double x) { return x < 0.3 ? -1.0 : 1.0; }, 0, 1);
    CHECK(jump.status == ScalarRootStatus::found);
    CHECK(jump.lower < 0.3);
    CHECK(jump.upper >= 0.3);
    CHECK(jump.upper - jump.lower < 2e-16);
}
