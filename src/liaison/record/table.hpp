// SPDX-License-Identifier: Apache-2.0
// A run as columns over time, with its event marks: what pictures, tables and result files are made of.
#pragma once

#include "liaison/record/run.hpp"

#include <string>
#include <vector>

namespace liaison::record {

struct Column {
    flow::OutputGroup group{};
    std::string name;
    std::string part; // of a reaction: "normal", "tangential"
    std::string unit; // empty where it is not known
    std::vector<double> values;
    bool quasi = false; // a velocity or its rate that belongs to no coordinate

    // How the user names it: x, x', x'', the quasi-velocity p and its rate p', floor.reaction, tip.normal, u.belt, and observed names.
    [[nodiscard]] std::string label() const;
};

struct ModeColumn {
    std::string name;
    std::vector<flow::ModeSlot::Word> words;
    std::vector<double> values;
};

struct EventMark {
    double time = 0.0;
    std::string kind;
    std::string where;
};

struct Table {
    std::string model;
    std::string caption;
    std::string time_unit;
    std::vector<double> time;
    std::vector<Column> columns;
    std::vector<ModeColumn> modes; // those with words
    std::vector<EventMark> events;
};

// How the user names the outputs of a flow: the labels of their columns.
[[nodiscard]] std::vector<std::string> column_labels(const flow::Flow& flow);

// Tells quasi-velocities, which have names of their own, from rates of coordinates.
void mark_quasi_velocities(Table& table);

Table tabulate(const Run& run, const flow::Flow& flow, const Block& samples);

// "liaison 0.1.0 · events · tolerance 1e-10 · model 0123456789ab"
std::string caption(const Provenance& provenance, const std::string& realisation);

// "impact", "enter sliding"
std::string plain_words(std::string_view name);

} // namespace liaison::record
