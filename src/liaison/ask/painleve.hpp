// SPDX-License-Identifier: Apache-2.0
// Where is sliding paradoxical? Intervals, maps, critical friction, and the contact problem of the start.
#pragma once

#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/range.hpp"
#include "liaison/ask/setting.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

// Over a parameter or a coordinate. `degrees`: how the user thinks of it, for the report.
struct SlipRange {
    Range range = {};
    bool degrees = false;
};

struct PainleveQuestion {
    std::vector<Setting> set = {};
    std::string contact = {}; // the first with friction where it is not given
    std::vector<SlipRange> over = {}; // one: intervals; two: a map; none: the start
    bool positive = true; // slips of this sign are looked at
    bool negative = true;
    std::optional<SlipRange> reach =
        {}; // friction from which on slip runs into its paradox; with a map
    bool bolotov = false; // Bolotov's plane of the start, for slips with two components
};

struct PainleveAnswer {
    nlohmann::ordered_json json;
    std::string text;
    std::optional<record::Figure> figure; // of a map or a plane
};

[[nodiscard]] Answer<PainleveAnswer> painleve(const model::Model& model,
                                              const PainleveQuestion& question,
                                              const Control& control = {},
                                              base::Diagnostics diagnostics = {});

} // namespace liaison::ask
