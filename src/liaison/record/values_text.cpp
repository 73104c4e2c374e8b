// SPDX-License-Identifier: Apache-2.0
// Values of a motion in words: the state at its end, and everything at the times that were asked for.
#include "liaison/record/values_text.hpp"

#include "liaison/record/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::record {
namespace {

using flow::OutputGroup;

constexpr std::size_t k_most = 12;

// Outputs of a group as "x = 1, y = 2", at most k_most of them.
std::string listed(const Table& table, std::span<const OutputGroup> groups, std::size_t row) {
    std::string text;
    std::size_t shown = 0;
    std::size_t left = 0;
    for (const Column& c : table.columns) {
        if (std::ranges::find(groups, c.group) == groups.end()) continue;
        if (shown == k_most) {
            ++left;
            continue;
        }
        text += fmt::format("{}{} = {:.9g}", shown++ == 0 ? "" : ", ", c.label(), c.values[row]);
    }
    if (left > 0) text += fmt::format(", … {} more (--json)", left);
    return text;
}

std::string modes(const Table& table, std::size_t row) {
    std::string text;
    for (const ModeColumn& m : table.modes) {
        for (const auto& w : m.words) {
            if (w.value == m.values[row])
                text += fmt::format("{}{} {}", text.empty() ? "" : ", ", m.name, w.word);
        }
    }
    return text;
}

Table table_of(const Run& run, const flow::Flow& flow, const Block& samples) {
    Table table = tabulate(run, flow, samples);
    mark_quasi_velocities(table);
    return table;
}

} // namespace

std::string end_to_text(const Run& run, const flow::Flow& flow) {
    if (run.end.size() != flow.outputs.size()) return {};
    if (run.trajectory.mode.size() != flow.modes.size()) return {};
    Block end(std::vector<std::string>(run.end.size()), flow.modes.size());
    end.push_back(run.trajectory.time.rounded(), run.end, run.trajectory.mode);
    constexpr OutputGroup k_state[] = {OutputGroup::q, OutputGroup::v};
    const std::string state = listed(table_of(run, flow, end), k_state, 0);
    return state.empty() ? state : fmt::format("      at t = {:.9g}: {}\n", end[0].time, state);
}

std::string samples_to_text(const Run& run, const flow::Flow& flow, std::span<const double> times) {
    Block wanted(run.samples.names(), run.samples.slots());
    for (const Block::Row s : run.samples) {
        if (std::ranges::find(times, s.time) != times.end())
            wanted.push_back(s.time, s.values, s.mode);
    }
    const Table table = table_of(run, flow, wanted);
    constexpr OutputGroup k_state[] = {OutputGroup::q, OutputGroup::v};
    constexpr OutputGroup k_accelerations[] = {OutputGroup::a};
    constexpr OutputGroup k_forces[] = {OutputGroup::reaction, OutputGroup::relay};
    constexpr OutputGroup k_observed[] = {OutputGroup::observe};
    std::string text;
    for (std::size_t row = 0; row < wanted.size(); ++row) {
        text += fmt::format("t = {:.9g}\n", wanted[row].time);
        for (const std::string& line :
             {listed(table, k_state, row), listed(table, k_accelerations, row),
              listed(table, k_forces, row), modes(table, row), listed(table, k_observed, row)}) {
            if (!line.empty()) text += fmt::format("   {}\n", line);
        }
    }
    return text;
}

} // namespace liaison::record
