// SPDX-License-Identifier: Apache-2.0
// Numbers at the start: a consistent initial state, and everything that can be wrong with it.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"
#include "liaison/prepare/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::prepare {

struct Options {
    std::vector<Setting> settings;
    // Replace what [run] says.
    std::optional<double> until;
    std::optional<double> tolerance;
    std::optional<double> step;
};

// The start of a motion and what is known there.
struct Start {
    Point point;
    std::optional<double> until;
    double tolerance = 1e-9;
    std::optional<double> step; // of fixed-step methods

    std::size_t degrees_of_freedom = 0;  // velocities minus independent constraints
    std::size_t rank = 0;                // of the constraints
    // How clearly the constraints are independent: smallest to largest singular value that counts. Small near a
    // singular position.
    std::optional<double> rank_ratio;
    std::vector<std::size_t> redundant; // constraints that follow from the others
    std::vector<double>
        violation; // |f| by constraint: zero up to rounding unless inconsistent = "relax"
    std::vector<std::vector<double>> gaps; // by contact, by side
    std::vector<double> restitution; // by contact
    double kinetic_energy = 0.0;
    double potential_energy = 0.0;
};

// Nothing if there are errors. Checks run on as far as they make sense, so that several are told.
[[nodiscard]] std::optional<Start> prepare(const model::Model& model, const Options& options,
                                           base::Diagnostics& diagnostics);

} // namespace liaison::prepare
