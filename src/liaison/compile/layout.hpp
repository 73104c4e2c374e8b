// SPDX-License-Identifier: Apache-2.0
// How a program is cut into machine functions, and where the values that pass between them are kept.
#pragma once

#include "liaison/compile/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace liaison::compile {

struct LayoutOptions {
    // One function per stage; otherwise time, position and velocity share one, which is faster for those
    // who always change all three.
    bool every_stage = false;
    // Longest function, in weighted instructions: beyond it code is split so that compile time stays linear.
    std::uint32_t longest = 4000;
};

// The workspace of a batch of `lanes` evaluations is an array of doubles: first n_slots rows of `lanes`
// neighbouring values (row k of lane l at [k·lanes + l]), then the memory of the numeric systems.
struct Layout {
    static constexpr std::uint32_t k_none = ~std::uint32_t{0};

    struct Segment {
        std::uint32_t begin = 0; // instructions
        std::uint32_t end = 0;
    };
    // Where a numeric system and its solutions live, in rows.
    struct Place {
        std::uint32_t operands = 0;
        std::uint32_t result = 0;
    };

    std::vector<Segment> segments;
    std::array<std::uint32_t, k_stage_count> first{}; // the segment to begin with, by stage
    std::vector<std::uint32_t> slot; // row of a value that leaves its segment, or k_none
    std::vector<std::uint32_t> segment_of; // by instruction
    std::array<std::uint32_t, k_stage_count>
        guard{}; // row of the largest angle of a stage, or k_none
    std::uint32_t status = 0; // row of the two status words
    std::vector<Place> factors; // by system
    std::vector<Place> solutions; // by solution
    std::vector<std::size_t> memory; // by system: offset behind the rows, per lane
    std::uint32_t n_slots = 0;
    std::size_t memory_size = 0; // of all systems, per lane

    [[nodiscard]] std::size_t workspace_size(std::size_t lanes) const {
        return (n_slots + memory_size) * lanes;
    }
    // Outputs made before this segment are written by the last one, so that every run writes them all.
    [[nodiscard]] std::uint32_t last_entry() const {
        return first[static_cast<std::size_t>(Stage::velocity)];
    }
};

Layout lay_out(const Program& program, const LayoutOptions& options = {});

// Static cost of an instruction in units of one multiplication.
std::uint32_t weight(Code code);
std::uint64_t weight(const Plan& plan);

} // namespace liaison::compile
