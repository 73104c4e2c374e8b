// SPDX-License-Identifier: Apache-2.0
// Numbers to test against, kept in tests/reference.
#pragma once

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace liaison::test {

inline nlohmann::json reference(const std::string& file) {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/" + file);
    REQUIRE(in.good());
    return nlohmann::json::parse(in);
}

} // namespace liaison::test
