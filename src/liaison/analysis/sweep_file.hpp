// SPDX-License-Identifier: Apache-2.0
// The finished motions of a sweep, in memory and in a partial file from which a sweep that was cut short goes on.
//
// The partial file is a line with the key of model and options, then one record per motion in the order in which they
// were finished, each with its length and a checksum: what a kill leaves half-written is recognised and dropped.
#pragma once

#include "liaison/analysis/sweep.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace liaison::analysis {

class SweepFile final : public SweepStore {
  public:
    explicit SweepFile(std::size_t points) : results_(points), known_(points, 0) {}
    // As many values as the plan lets a motion have; a record of another number is not taken over.
    explicit SweepFile(const SweepPlan& plan)
        : results_(plan.points()), known_(plan.points(), 0), width_(plan.section.observed.size()),
          most_values_(plan.section.keep * width_) {}
    ~SweepFile() override;
    SweepFile(const SweepFile&) = delete;
    SweepFile& operator=(const SweepFile&) = delete;

    // Reads what an earlier sweep with the same key left in the file and goes on writing there. A file of another
    // sweep is refused unless it may be replaced. Returns what is wrong, or nothing.
    [[nodiscard]] std::string keep_in(const std::string& path, const std::string& key,
                                      bool replace);
    [[nodiscard]] std::size_t resumed() const { return resumed_; }
    [[nodiscard]] const std::string& problem() const { return problem_; } // of writing
    // The sweep is complete: the partial file goes.
    void finish();

    [[nodiscard]] bool has(std::size_t point) const override { return known_[point] != 0; }
    bool put(std::size_t point, const SectionResult& result) override;
    [[nodiscard]] const std::vector<SectionResult>& results() const { return results_; }
    [[nodiscard]] std::vector<SectionResult>& results() { return results_; }

  private:
    std::vector<SectionResult> results_;
    std::vector<char> known_;
    std::size_t width_ = 1;
    std::size_t most_values_ = SIZE_MAX;
    std::string path_;
    std::FILE* file_ = nullptr;
    std::size_t resumed_ = 0;
    std::string problem_;
};

} // namespace liaison::analysis
