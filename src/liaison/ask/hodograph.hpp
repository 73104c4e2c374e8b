// SPDX-License-Identifier: Apache-2.0
// Which angular velocities can this body have? The hodograph of a motion in the surface that encloses it.
#pragma once

#include "liaison/analysis/hodograph.hpp"
#include "liaison/ask/run.hpp"

#include <optional>
#include <string>

namespace liaison::ask {

struct HodographQuestion {
    RunQuestion run = {};
    std::string body = {}; // may be left out where only one has a fixed point
};

struct HodographAnswer {
    Motion motion; // with its pieces
    std::string words; // the case of the body: "Kovalevskaya"
    std::optional<analysis::GyrostatLevels> levels;
    std::string no_levels; // why
    analysis::Hodograph hodograph;
};

[[nodiscard]] Answer<HodographAnswer> hodograph(const model::Model& model,
                                                const HodographQuestion& question = {},
                                                const Control& control = {},
                                                base::Diagnostics diagnostics = {});

} // namespace liaison::ask
