// SPDX-License-Identifier: Apache-2.0
// Do the realisations of a model agree, at what cost, and if not, why?
#pragma once

#include "liaison/analysis/comparison.hpp"
#include "liaison/analysis/sliding_agreement.hpp"
#include "liaison/ask/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct CompareQuestion {
    RunQuestion run = {}; // of every realisation
    std::vector<std::string> with = {}; // two or more: "filippov", "utkin"; "contact=routh"
};

// Accelerations and relay values where a relay first slides (or at the start): the same state under every definition.
struct FirstSliding {
    double time = 0.0;
    std::vector<analysis::Variant> there; // runs of no length from that state
};

struct Comparison {
    std::vector<analysis::Variant> variants;
    std::vector<analysis::Difference> differences;
    bool agree = true;
    std::optional<analysis::SlidingAgreement> sliding; // of models with relays
    std::optional<FirstSliding> first_sliding;
    std::vector<std::string> explanations;
};

[[nodiscard]] Answer<Comparison> compare(const model::Model& model, const CompareQuestion& question,
                                         const Control& control = {},
                                         base::Diagnostics diagnostics = {});

} // namespace liaison::ask
