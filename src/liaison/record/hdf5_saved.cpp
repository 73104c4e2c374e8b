// SPDX-License-Identifier: Apache-2.0
// A run read back from its HDF5 file.
#include "liaison/record/bounded_json.hpp"
#include "liaison/record/hdf5_reader.hpp"
#include "liaison/record/json_place.hpp"
#include "liaison/record/saved.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace liaison::record {
namespace {

using flow::OutputGroup;

[[noreturn]] void refuse_shape(const std::string& name) {
    throw std::runtime_error(fmt::format("the shape of {} does not fit the others", name));
}

// Splits a block time × names into columns; shapes that do not fit are a damaged file.
std::vector<std::vector<double>> columns_of(const Hdf5Reader& file, const std::string& name,
                                            std::size_t rows, std::size_t columns) {
    const Hdf5Reader::Numbers block = file.numbers(name);
    if (block.shape != std::vector<std::size_t>{rows, columns}) refuse_shape(name);
    std::vector<std::vector<double>> result(columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j)
            result[j].push_back(block.values[i * columns + j]);
    }
    return result;
}

void read_block(const Hdf5Reader& file, const JsonPlace& book, OutputGroup group,
                const std::string& name, Table& table) {
    if (!file.has(name)) return;
    const auto names = book.at(name + "_name").texts();
    std::vector<std::string> units(names.size(), file.attribute_of(name, "units"));
    if (file.has(name + "_unit")) units = book.at(name + "_unit").texts();
    auto columns = columns_of(file, name, table.time.size(), names.size());
    for (std::size_t j = 0; j < names.size(); ++j) {
        Column column{group, names[j], "", j < units.size() ? units[j] : "", std::move(columns[j])};
        // "tip.normal": a part of a reaction
        const std::size_t dot = names[j].rfind('.');
        const std::string part = dot == std::string::npos ? "" : names[j].substr(dot + 1);
        if (group == OutputGroup::reaction &&
            (part == "normal" || part.starts_with("tangential") || part == "A1" || part == "B1")) {
            column.name = names[j].substr(0, dot);
            column.part = part;
        }
        // "d(x)/d(p)": the derivative of x by p
        const std::size_t by = names[j].find(")/d(");
        if (group == OutputGroup::sensitivity && by != std::string::npos &&
            names[j].size() > by + 5) {
            column.name = names[j].substr(2, by - 2);
            column.part = names[j].substr(by + 4, names[j].size() - by - 5);
        }
        table.columns.push_back(std::move(column));
    }
}

// The number of a mode, written as a key.
double mode_value(const std::string& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::runtime_error(fmt::format("{} is no number of a mode", text));
    return value;
}

void read_modes(const Hdf5Reader& file, const JsonPlace& book, Table& table) {
    if (!file.has("mode")) return;
    const auto names = book.at("mode_name").texts();
    const auto vocabulary = parse_result(file.attribute_of("mode", "words"));
    const JsonPlace all_words(vocabulary);
    auto columns = columns_of(file, "mode", table.time.size(), names.size());
    for (std::size_t j = 0; j < names.size(); ++j) {
        ModeColumn column{names[j], {}, std::move(columns[j])};
        const JsonPlace words = all_words.at(names[j]);
        for (const auto& [value, word] : words.object().items())
            column.words.push_back({mode_value(value), words.at(value).text()});
        table.modes.push_back(std::move(column));
    }
}

void read_events(const Hdf5Reader& file, const JsonPlace& book, Table& table) {
    const Hdf5Reader group = file.group("events");
    const auto time = group.numbers("time").values;
    const auto kind = book.at("events/kind").texts();
    const auto where = book.at("events/where").texts();
    if (kind.size() != time.size() || where.size() != time.size()) refuse_shape("events");
    for (std::size_t i = 0; i < time.size(); ++i)
        table.events.push_back({time[i], kind[i], where[i]});
}

void read_states(const Hdf5Reader& file, Saved& saved) {
    const Hdf5Reader group = file.group("continue");
    const auto end = parse_result(group.text("end"));
    saved.end = standing_from_json(JsonPlace(end));
    const Hdf5Reader::Numbers states = group.numbers("state");
    const std::size_t rows = saved.table.time.size();
    const std::size_t n = saved.end->state.size();
    const std::size_t slots = saved.end->mode.size();
    if (states.shape != std::vector<std::size_t>{rows, n}) refuse_shape("continue/state");
    Hdf5Reader::Numbers modes;
    if (slots > 0) modes = group.numbers("slot");
    if (modes.values.size() != rows * slots) refuse_shape("continue/slot");
    for (std::size_t i = 0; i < rows; ++i) {
        motion::Standing s;
        s.time = solve::DoubleLength(saved.table.time[i]);
        const auto at = states.values.begin() + static_cast<std::ptrdiff_t>(i * n);
        s.state.assign(at, at + static_cast<std::ptrdiff_t>(n));
        s.state_low.assign(n, 0.0);
        const auto mode = modes.values.begin() + static_cast<std::ptrdiff_t>(i * slots);
        s.mode.assign(mode, mode + static_cast<std::ptrdiff_t>(slots));
        saved.at_samples.push_back(std::move(s));
    }
}

void read_pieces(const Hdf5Reader& file, Saved& saved) {
    if (!file.has("pieces")) return;
    const Hdf5Reader group = file.group("pieces");
    const auto start = group.numbers("start").values;
    const auto low = group.numbers("start_low").values;
    const auto field = group.numbers("field_time").values;
    const auto length = group.numbers("length").values;
    const Hdf5Reader::Numbers c = group.numbers("coefficient");
    const std::size_t n = saved.end->state.size();
    const std::size_t slots = saved.end->mode.size();
    Hdf5Reader::Numbers modes;
    if (slots > 0) modes = group.numbers("slot");
    const std::size_t pieces = start.size();
    constexpr std::size_t k_most_powers = 1000; // of a piece
    if (c.shape.size() != 3 || c.shape[0] != pieces || c.shape[1] != n || c.shape[2] == 0 ||
        low.size() != pieces || field.size() != pieces || length.size() != pieces ||
        modes.values.size() != pieces * slots || c.shape[2] > k_most_powers)
        refuse_shape("pieces");
    const std::size_t block = n * c.shape[2];
    for (std::size_t i = 0; i < pieces; ++i) {
        motion::Piece p;
        p.start = solve::DoubleLength::sum(start[i], low[i]);
        p.field_time = field[i];
        p.length = length[i];
        p.order = static_cast<int>(c.shape[2]) - 1;
        p.n = n;
        const auto at = c.values.begin() + static_cast<std::ptrdiff_t>(i * block);
        p.coefficients.assign(at, at + static_cast<std::ptrdiff_t>(block));
        const auto mode = modes.values.begin() + static_cast<std::ptrdiff_t>(i * slots);
        p.mode.assign(mode, mode + static_cast<std::ptrdiff_t>(slots));
        saved.pieces.push_back(std::move(p));
    }
}

} // namespace

Saved read_hdf5(const std::string& path) {
    const Hdf5Reader file(path);
    Saved saved;
    saved.kind = FileKind::hdf5;
    if (!file.has("provenance")) throw std::runtime_error("it is not a result of liaison");
    const Hdf5Reader origin = file.group("provenance");
    saved.provenance_text = origin.text("json");
    const auto provenance = parse_result(saved.provenance_text);
    saved.provenance = provenance_from_json(JsonPlace(provenance));
    const auto words = parse_result(origin.text("words"));
    const JsonPlace book(words);
    saved.model = file.attribute("title");
    saved.interrupted = file.attribute("status") == "interrupted";
    Table& table = saved.table;
    table.model = saved.model;
    table.caption = caption(saved.provenance, file.attribute("realisation"));
    table.time = file.numbers("time").values;
    table.time_unit = file.attribute_of("time", "units");
    read_block(file, book, OutputGroup::q, "q", table);
    read_block(file, book, OutputGroup::v, "v", table);
    read_block(file, book, OutputGroup::a, "a", table);
    read_block(file, book, OutputGroup::reaction, "lambda", table);
    read_block(file, book, OutputGroup::gap, "gap", table);
    read_block(file, book, OutputGroup::relay, "relays", table);
    read_block(file, book, OutputGroup::observe, "observables", table);
    read_block(file, book, OutputGroup::integral, "integrals", table);
    read_block(file, book, OutputGroup::violation, "violation", table);
    read_block(file, book, OutputGroup::energy, "energy", table);
    read_block(file, book, OutputGroup::sensitivity, "sensitivity", table);
    mark_quasi_velocities(table);
    read_modes(file, book, table);
    read_events(file, book, table);
    read_states(file, saved);
    read_pieces(file, saved);
    return saved;
}

} // namespace liaison::record
