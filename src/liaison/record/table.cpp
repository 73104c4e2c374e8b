// SPDX-License-Identifier: Apache-2.0
// A run as columns over time.
#include "liaison/record/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace liaison::record {

std::string Column::label() const {
    switch (group) {
    case flow::OutputGroup::v: return quasi ? name : name + "'";
    case flow::OutputGroup::a: return name + (quasi ? "'" : "''");
    case flow::OutputGroup::reaction: return name + "." + (part.empty() ? "reaction" : part);
    case flow::OutputGroup::gap: return name + ".gap";
    case flow::OutputGroup::violation: return name + ".violation";
    case flow::OutputGroup::relay: return "u." + name;
    case flow::OutputGroup::sensitivity: return "d(" + name + ")/d(" + part + ")";
    default: return name;
    }
}

std::string plain_words(std::string_view name) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string caption(const Provenance& provenance, const std::string& realisation) {
    return fmt::format("liaison {} · {} · tolerance {:g} · model {}", provenance.version,
                       realisation, provenance.tolerance, provenance.model_hash.substr(0, 12));
}

std::vector<std::string> column_labels(const flow::Flow& flow) {
    std::unordered_set<std::string> coordinates;
    for (const flow::Output& o : flow.outputs)
        if (o.group == flow::OutputGroup::q) coordinates.insert(o.name);
    std::vector<std::string> labels;
    for (const flow::Output& o : flow.outputs)
        labels.push_back(
            Column{o.group, o.name, o.part, {}, {}, !coordinates.contains(o.name)}.label());
    return labels;
}

void mark_quasi_velocities(Table& table) {
    std::unordered_set<std::string> coordinates;
    for (const Column& c : table.columns)
        if (c.group == flow::OutputGroup::q) coordinates.insert(c.name);
    for (Column& c : table.columns) {
        if (c.group == flow::OutputGroup::v || c.group == flow::OutputGroup::a)
            c.quasi = !coordinates.contains(c.name);
    }
}

Table tabulate(const Run& run, const flow::Flow& flow, const Block& samples) {
    Table table{run.model, caption(run.provenance, run.realisation), run.time_unit, {}, {}, {}, {}};
    for (const Block::Row s : samples) table.time.push_back(s.time);
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
        const flow::Output& o = flow.outputs[i];
        Column column{o.group, o.name, o.part, i < run.units.size() ? run.units[i] : "", {}};
        column.values.reserve(samples.size());
        for (const Block::Row s : samples) column.values.push_back(s.values[i]);
        table.columns.push_back(std::move(column));
    }
    for (std::size_t slot = 0; slot < flow.modes.size(); ++slot) {
        if (flow.modes[slot].words.empty()) continue;
        ModeColumn column{flow.modes[slot].name, flow.modes[slot].words, {}};
        for (const Block::Row s : samples) column.values.push_back(s.mode[slot]);
        table.modes.push_back(std::move(column));
    }
    for (const flow::Event& e : run.trajectory.events)
        table.events.push_back({e.time.rounded(), std::string(flow::name(e.kind)), e.where});
    mark_quasi_velocities(table);
    return table;
}

} // namespace liaison::record
