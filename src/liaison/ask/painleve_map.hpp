// SPDX-License-Identifier: Apache-2.0
// The map of a slipping contact over two variables: four regions, their boundaries by root finding.
#pragma once

#include "liaison/analysis/painleve.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace liaison::ask {

// Over a parameter or a coordinate. Whether the user thinks in degrees is remembered for the report.
struct Scanned {
    analysis::Variable variable;
    bool degrees = false;
};

struct Slip {
    std::string word;
    double sign;
};

struct SlipMap {
    record::Figure figure;
    nlohmann::ordered_json boundaries; // places with B₁' = 0 and with A₁ = 0
};
// Not complete where the interrupt was raised.
SlipMap slip_map(const analysis::SlipScan& scan, const Scanned& x, const Scanned& y,
                 const Slip& slip, const std::string& contact, base::Interrupt interrupt = nullptr);

} // namespace liaison::ask
