// SPDX-License-Identifier: Apache-2.0
// What do many motions do, over parameters and starts?
#pragma once

#include "liaison/analysis/sweep.hpp"
#include "liaison/analysis/sweep_file.hpp"
#include "liaison/ask/section.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct SweepQuestion {
    SectionQuestion section = {};
    Keep keep = Keep::section;
    std::vector<Range> over =
        {}; // parameters or start values (x, x'); 101 points where none are given
    std::size_t random = 0;       // a sample of this size instead of the grid
    std::uint64_t seed = 1;
    analysis::Carry carry = analysis::Carry::none;
    std::optional<std::size_t> threads = {}; // all that the machine has
    double memory = 1000.0;                  // MB, for the results
    // Finished motions are kept in this file while the sweep lasts; the same question goes on from there. Empty: none.
    std::string partial = {};
    bool replace = false; // a partial file of another sweep
};

struct SweepAnswer : SectionAnswer {
    std::vector<std::size_t> attractor; // by point; empty: not looked for
    std::size_t resumed = 0; // motions that were finished before
    bool complete = true; // false: interrupted
    // The partial file; it goes when `kept->finish()` says that the results are safe elsewhere.
    std::shared_ptr<analysis::SweepFile> kept;

    [[nodiscard]] analysis::SweepTable table() const;
};

[[nodiscard]] Answer<SweepAnswer> sweep(const model::Model& model, const SweepQuestion& question,
                                        const Control& control = {},
                                        base::Diagnostics diagnostics = {});

} // namespace liaison::ask
