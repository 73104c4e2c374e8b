// SPDX-License-Identifier: Apache-2.0
// How does a periodic motion change with a parameter, and where does it become another one?
#pragma once

#include "liaison/analysis/branch.hpp"
#include "liaison/analysis/special_curve.hpp"
#include "liaison/ask/orbit.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct FollowQuestion {
    OrbitQuestion orbit = {};
    Range over = {};                       // the parameter
    std::optional<Range> second = {};      // special points are followed as curves over both
    std::optional<double> step = {};       // largest, as a share of the range
    std::optional<std::size_t> points = {}; // at most, in each direction
    int doublings = 0;   // generations of orbits of twice the period, or of less symmetry
    bool beyond = false; // where the events change, the orbit that the motion settles on too
};

struct FollowAnswer {
    std::shared_ptr<const flow::Flow> flow;
    std::size_t parameter = 0;
    analysis::Branch branch;
    std::optional<std::size_t> second; // the parameter of the curves
    std::vector<analysis::SpecialCurve> curves;
};

[[nodiscard]] Answer<FollowAnswer> follow(const model::Model& model, const FollowQuestion& question,
                                          const Control& control = {},
                                          base::Diagnostics diagnostics = {});

[[nodiscard]] nlohmann::ordered_json to_json(const FollowAnswer& answer);
[[nodiscard]] std::string to_text(const FollowAnswer& answer);
[[nodiscard]] std::string to_csv(const FollowAnswer& answer);
[[nodiscard]] record::Figure figure(const FollowAnswer& answer);

} // namespace liaison::ask
