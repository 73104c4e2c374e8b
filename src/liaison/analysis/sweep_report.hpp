// SPDX-License-Identifier: Apache-2.0
// Sections and sweeps told to people, to programs, in tables and in pictures.
#pragma once

#include "liaison/analysis/sweep.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::analysis {

// A finished sweep with what its files say about its making. Nothing in it depends on threads or interruptions.
struct SweepTable {
    const SweepPlan* plan = nullptr;
    const std::vector<SectionResult>* results = nullptr;
    std::vector<std::size_t> attractor; // by point; empty: not looked for
    std::string model;
    std::string realisation;
    std::string model_hash;
    std::vector<std::string> settings; // "e = 0.8": parameters that are the same everywhere
    std::string options; // how the motions are looked at
};

// Names of the axes beside those of the observed values and of what is told of every motion, no two alike: a start value
// is "start x", for x itself may be observed.
[[nodiscard]] std::vector<std::string> axis_columns(const SweepPlan& plan);

[[nodiscard]] nlohmann::ordered_json to_json(const SweepTable& table);
[[nodiscard]] std::string to_text(const SweepTable& table);
// One row per section kept: values of the axes, observed values, label, period, attractor.
[[nodiscard]] std::string to_csv(const SweepTable& table);
// One axis: the observed values over it. Two: a map of labels or attractors.
[[nodiscard]] record::Figure figure(const SweepTable& table);
[[nodiscard]] std::string to_hdf5(const SweepTable& table); // the bytes of the file

// The sections of one motion: a sweep without axes.
[[nodiscard]] nlohmann::ordered_json section_json(const SweepTable& table);
[[nodiscard]] std::string section_text(const SweepTable& table);
[[nodiscard]] record::Figure section_figure(const SweepTable& table);

} // namespace liaison::analysis
