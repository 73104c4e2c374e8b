// SPDX-License-Identifier: Apache-2.0
// Turns columns, events and modes into panels.
#include "liaison/record/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::record {
namespace {

using flow::OutputGroup;

constexpr std::size_t k_most_lines = 8;
constexpr std::size_t k_most_panels = 8;
constexpr std::size_t k_most_planes = 4;
constexpr std::size_t k_most_marks = 400;

struct GroupWord {
    OutputGroup group;
    const char* word;
};
// In the order of panels.
constexpr std::array k_groups{GroupWord{OutputGroup::q, "coordinates"},
                              GroupWord{OutputGroup::v, "velocities"},
                              GroupWord{OutputGroup::a, "accelerations"},
                              GroupWord{OutputGroup::reaction, "reactions"},
                              GroupWord{OutputGroup::gap, "gaps"},
                              GroupWord{OutputGroup::relay, "relays"},
                              GroupWord{OutputGroup::observe, "observed"},
                              GroupWord{OutputGroup::integral, "integrals"},
                              GroupWord{OutputGroup::violation, "violation"},
                              GroupWord{OutputGroup::energy, "energy"},
                              GroupWord{OutputGroup::sensitivity, "sensitivities"}};

// "kg*m/s^2" as people write it: N; others with · and raised exponents.
std::string handsome(const std::string& unit, OutputGroup group) {
    if (unit == "kg*m/s^2") return "N";
    if (unit == "kg/s^2") return "N/m"; // of f in m²: λ ∂f/∂q is a force
    if (unit == "kg*m^2/s^2") return group == OutputGroup::reaction ? "N·m" : "J";
    static constexpr std::array k_raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (std::size_t i = 0; i < unit.size(); ++i) {
        if (unit[i] == '*') {
            text += "·";
        } else if (unit[i] == '^' && i + 1 < unit.size() && unit[i + 1] >= '0' &&
                   unit[i + 1] <= '9' && (i + 2 == unit.size() || unit[i + 2] != '.')) {
            text += k_raised[static_cast<std::size_t>(unit[++i] - '0')];
        } else {
            text += unit[i];
        }
    }
    return text;
}

std::string with_unit(const std::string& what, const std::string& unit, OutputGroup group) {
    return unit.empty() || unit == "1" ? what : fmt::format("{} ({})", what, handsome(unit, group));
}

bool always_zero(const Column& column) {
    return std::all_of(column.values.begin(), column.values.end(),
                       [](double v) { return v == 0.0 || !std::isfinite(v); });
}

// Without a choice: what every user wants to see, and what is not zero all the time.
std::vector<const Column*> usual(const Table& table) {
    std::vector<const Column*> columns;
    for (const Column& c : table.columns) {
        // A₁ and B₁' classify a contact; they are no forces.
        if (c.part == "A1" || c.part == "B1") continue;
        const bool always = c.group == OutputGroup::q || c.group == OutputGroup::v;
        const bool if_not_zero = c.group == OutputGroup::reaction ||
                                 c.group == OutputGroup::relay || c.group == OutputGroup::observe ||
                                 c.group == OutputGroup::sensitivity;
        if (always || (if_not_zero && !always_zero(c))) columns.push_back(&c);
    }
    return columns;
}

std::string legend(const Column& column) {
    if (column.group == OutputGroup::reaction && column.part.empty()) return column.name;
    return column.label();
}

Line line_of(const Table& table, const Column& column) {
    Line line;
    line.label = legend(column);
    line.x = table.time;
    line.y = column.values;
    return line;
}

// Stretches of equal words.
std::vector<Strip> strips_of(const Table& table) {
    std::vector<Strip> strips;
    for (const ModeColumn& mode : table.modes) {
        flow::ModeSlot slot;
        slot.words = mode.words;
        Strip strip;
        strip.label = mode.name;
        for (std::size_t i = 0; i < table.time.size(); ++i) {
            const std::string word = mode_word(slot, mode.values[i]);
            if (strip.stretches.empty() || strip.stretches.back().word != word) {
                if (!strip.stretches.empty()) strip.stretches.back().to = table.time[i];
                strip.stretches.push_back({table.time[i], table.time[i], word});
            }
            strip.stretches.back().to = table.time[i];
        }
        strips.push_back(std::move(strip));
        if (strips.size() == k_most_lines) break;
    }
    return strips;
}

} // namespace

const Column* find_column(const Table& table, std::string_view label) {
    for (const Column& c : table.columns) {
        if (c.label() == label) return &c;
    }
    // "floor" for "floor.reaction", where nothing else has that name
    for (const Column& c : table.columns) {
        if (c.name == label) return &c;
    }
    return nullptr;
}

Figure integral_drift(const Table& table) {
    Figure figure{table.model, table.caption, {}};
    Panel panel;
    panel.x_label = with_unit("t", table.time_unit, OutputGroup::q);
    panel.y_label = "drift of the integrals";
    for (const Column& c : table.columns) {
        if (c.group != OutputGroup::integral || c.values.empty()) continue;
        if (panel.lines.size() == k_most_lines) break;
        Line line = line_of(table, c);
        for (double& y : line.y) y -= c.values.front();
        panel.lines.push_back(std::move(line));
    }
    if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
    return figure;
}

Figure time_series(const Table& table, const std::vector<const Column*>& chosen) {
    Figure figure{table.model, table.caption, {}};
    const auto columns = chosen.empty() ? usual(table) : chosen;
    for (const GroupWord& g : k_groups) {
        std::vector<std::string> units;
        for (const Column* c : columns) {
            if (c->group == g.group &&
                std::find(units.begin(), units.end(), c->unit) == units.end())
                units.push_back(c->unit);
        }
        for (const std::string& unit : units) {
            Panel panel;
            panel.x_label = with_unit("t", table.time_unit, g.group);
            panel.y_label = with_unit(g.word, unit, g.group);
            std::size_t left_out = 0;
            for (const Column* c : columns) {
                if (c->group != g.group || c->unit != unit) continue;
                if (panel.lines.size() < k_most_lines)
                    panel.lines.push_back(line_of(table, *c));
                else
                    ++left_out;
            }
            if (left_out > 0) panel.note = fmt::format("and {} more", left_out);
            if (table.events.size() > k_most_marks) {
                panel.note += fmt::format("{}{} events, not marked", left_out > 0 ? " · " : "",
                                          table.events.size());
            } else {
                for (const EventMark& e : table.events)
                    panel.marks.push_back({e.time, plain_words(e.kind)});
            }
            if (figure.panels.empty()) panel.strips = strips_of(table);
            figure.panels.push_back(std::move(panel));
            if (figure.panels.size() == k_most_panels) return figure;
        }
    }
    return figure;
}

Figure phase_plane(const Table& table, const std::vector<Pair>& chosen) {
    std::vector<Pair> pairs = chosen;
    for (std::size_t i = 0; chosen.empty() && i < table.columns.size(); ++i) {
        const Column& x = table.columns[i];
        if (x.group != OutputGroup::q || pairs.size() == k_most_planes) continue;
        for (const Column& y : table.columns) {
            if (y.group == OutputGroup::v && y.name == x.name) pairs.push_back({&x, &y});
        }
    }
    Figure figure{table.model, table.caption, {}};
    for (const Pair& p : pairs) {
        Panel panel;
        panel.height = 360.0;
        panel.x_label = with_unit(p.x->label(), p.x->unit, p.x->group);
        panel.y_label = with_unit(p.y->label(), p.y->unit, p.y->group);
        // Paths in the plane, by coordinates or observed lengths, in their true shape.
        panel.equal_axes = p.x->unit == p.y->unit && (p.x->group == p.y->group || p.x->unit == "m");
        panel.margin = 0.03;
        Line line;
        line.x = p.x->values;
        line.y = p.y->values;
        panel.lines.push_back(std::move(line));
        figure.panels.push_back(std::move(panel));
    }
    return figure;
}

} // namespace liaison::record
