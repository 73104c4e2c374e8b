// SPDX-License-Identifier: Apache-2.0
// Cases of the reference files by name, and flows started elsewhere.
#pragma once

#include "liaison/flow/flow.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <complex>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace liaison::test {

inline nlohmann::json reference_case(const std::string& file, const std::string& name) {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/" + file);
    const nlohmann::json all = nlohmann::json::parse(in)["cases"];
    for (const nlohmann::json& c : all) {
        if (c["name"] == name) return c;
    }
    FAIL("no case " << name);
    return {};
}

// The same flow, started elsewhere.
inline std::shared_ptr<const flow::Flow> started(const flow::Flow& f, double time,
                                                 const std::vector<double>& state) {
    auto result = std::make_shared<flow::Flow>(f);
    result->start_time = time;
    std::copy(state.begin(), state.end(), result->start_state.begin());
    return result;
}

// The reference gives multipliers as numbers or pairs, in no order.
inline void check_multipliers(const std::vector<std::complex<double>>& have,
                              const nlohmann::json& expected, double within) {
    for (const nlohmann::json& m : expected) {
        const std::complex<double> want =
            m.is_array() ? std::complex<double>(m[0], m[1]) : std::complex<double>(m, 0.0);
        double best = 1e300;
        for (const auto& h : have) best = std::min(best, std::abs(h - want));
        INFO("multiplier " << want.real() << " + " << want.imag() << "i");
        CHECK(best < within);
    }
}

} // namespace liaison::test
