// SPDX-License-Identifier: Apache-2.0
// What is seen of a motion once per period, or where it crosses a surface?
#pragma once

#include "liaison/analysis/section.hpp"
#include "liaison/analysis/sweep_report.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/subject.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::ask {

// What is kept of each motion.
enum class Keep {
    section, // the sections
    final,   // its end
    extrema, // where the rate of the first observed coordinate vanishes
};

struct SectionQuestion {
    std::vector<Setting> set = {};
    std::optional<double> tolerance = {};
    std::string section =
        {}; // "period", "event:NAME" or an expression that crosses zero; empty: period
    std::string direction = "up"; // in which the expression crosses: up, down, both
    bool before = false;          // at events: the state just before
    std::optional<double> phase = {};
    std::optional<std::size_t> drop = {};   // sections before the first that is kept
    std::optional<std::size_t> points = {}; // sections kept
    std::optional<double> until = {};
    std::vector<std::string> observe = {}; // x, x', observed names, t, phase; empty: all x and x'
};

// The flow with the surface of the question, and how its motions are looked at.
struct SectionSubject : Subject {
    analysis::SectionOptions look;
    std::string model_hash; // of the text as the user wrote it
};
[[nodiscard]] std::optional<SectionSubject> section_subject(const model::Model& model,
                                                            const SectionQuestion& question,
                                                            Keep keep, Findings& findings);

// The period of the force for these values of the parameters; 0: none.
[[nodiscard]] double forcing_period(const Subject& subject, std::span<const double> parameters);

// Values of all parameters, for files: "e = 0.8"; those named are left out.
[[nodiscard]] std::vector<std::string> settings_of(const Subject& subject,
                                                   const std::vector<std::string>& varied);

// How the motions are looked at, in words that decide the numbers.
[[nodiscard]] std::string words_of(const SectionQuestion& question, const SectionSubject& subject,
                                   Keep keep);

struct SectionAnswer {
    std::shared_ptr<const flow::Flow> flow;
    analysis::SweepPlan plan; // without axes
    std::vector<analysis::SectionResult> results; // one
    std::string model_hash;
    std::vector<std::string> settings;
    std::string options;

    [[nodiscard]] analysis::SweepTable table() const;
    [[nodiscard]] const analysis::SectionResult& result() const { return results.front(); }
};

[[nodiscard]] Answer<SectionAnswer> section(const model::Model& model,
                                            const SectionQuestion& question = {},
                                            const Control& control = {},
                                            base::Diagnostics diagnostics = {});

} // namespace liaison::ask
