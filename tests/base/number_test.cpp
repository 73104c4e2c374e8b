// SPDX-License-Identifier: Apache-2.0
// Numbers survive printing and reading; what is beyond doubles is told apart.
#include "liaison/base/number.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>

using namespace liaison::base;

TEST_CASE("the shortest text of well-known numbers") {
    CHECK(shortest(0.1) == "0.1");
    CHECK(shortest(1.0) == "1");
    CHECK(shortest(-2.5e-300) == "-2.5e-300");
    CHECK(digits17(0.1) == "0.10000000000000001");
    CHECK(digits17(1.0) == "1");
}

TEST_CASE("both texts of any finite double read back to its bits") {
    CHECK(rc::check([](std::uint64_t bits) {
        const double value = std::bit_cast<double>(bits);
        RC_PRE(std::isfinite(value));
        RC_ASSERT(std::bit_cast<std::uint64_t>(*parse_number(shortest(value))) == bits);
        RC_ASSERT(std::bit_cast<std::uint64_t>(*parse_number(digits17(value))) == bits);
    }));
}

TEST_CASE("JSON has no infinite numbers") {
    CHECK(json_number(0.25) == "0.25");
    CHECK(json_number(std::numeric_limits<double>::infinity()) == "null");
    CHECK(json_number(std::numeric_limits<double>::quiet_NaN()) == "null");
}

TEST_CASE("numbers beyond the range of doubles") {
    CHECK(parse_number("1e400") == std::nullopt);
    CHECK(parse_number("0.5e400") == std::nullopt);
    CHECK(parse_number("1" + std::string(400, '0')) == std::nullopt);
    CHECK(parse_number("1" + std::string(800, '0') + "e-10") == std::nullopt);
    CHECK(parse_number("1e-400") == 0.0);
    CHECK(parse_number("0." + std::string(400, '0') + "1") == 0.0);
    CHECK(parse_number("0." + std::string(800, '0') + "1e10") == 0.0);
    CHECK(parse_number("1e99999999999999999999") == std::nullopt);
    CHECK(parse_number("1e-99999999999999999999") == 0.0);
}

TEST_CASE("what is no number") {
    for (const char* text : {"", "x", "1x", "1 ", " 1", "--1", "1e", "inf", "nan", "0x10"}) {
        INFO(text);
        CHECK(parse_number(text) == std::nullopt);
    }
}
