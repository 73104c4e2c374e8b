// SPDX-License-Identifier: Apache-2.0
// The layout of result files: named dimensions, units, words, and everything needed to repeat or continue the run.
#include "liaison/record/hdf5_run.hpp"

#include "liaison/record/hdf5_writer.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/table.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace liaison::record {
namespace {

using flow::OutputGroup;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

std::string column_name(const Column& column) {
    if (column.group == OutputGroup::sensitivity) return column.label();
    return column.part.empty() ? column.name : column.name + "." + column.part;
}

// A block time × names with the names as coordinate and a unit for each.
void write_block(const Hdf5Writer& file, const Table& table, OutputGroup group,
                 const std::string& name, const std::string& meaning) {
    std::vector<const Column*> columns;
    std::vector<std::string> names, units;
    for (const Column& c : table.columns) {
        if (c.group != group) continue;
        columns.push_back(&c);
        names.push_back(column_name(c));
        units.push_back(c.unit);
    }
    if (columns.empty()) return;
    std::vector<double> values;
    values.reserve(table.time.size() * columns.size());
    for (std::size_t i = 0; i < table.time.size(); ++i) {
        for (const Column* c : columns) values.push_back(c->values[i]);
    }
    const std::string dimension = name + "_name";
    file.words(dimension, names);
    file.dimension(dimension);
    file.numbers(name, {table.time.size(), columns.size()}, values);
    file.axis(name, 0, "time");
    file.axis(name, 1, dimension);
    file.attribute_of(name, "long_name", meaning);
    const bool same = std::all_of(units.begin(), units.end(),
                                  [&](const std::string& u) { return u == units.front(); });
    if (same && !units.front().empty()) file.attribute_of(name, "units", units.front());
    if (!same) {
        file.words(name + "_unit", units);
        file.axis(name + "_unit", 0, dimension);
    }
}

// Which contact is closed, which relay slides: numbers, and the words they stand for.
void write_modes(const Hdf5Writer& file, const Table& table) {
    if (table.modes.empty()) return;
    std::vector<std::string> names;
    nlohmann::ordered_json words = nlohmann::ordered_json::object();
    std::vector<double> values;
    for (const ModeColumn& m : table.modes) {
        names.push_back(m.name);
        for (const auto& w : m.words) words[m.name][fmt::format("{:g}", w.value)] = w.word;
    }
    for (std::size_t i = 0; i < table.time.size(); ++i) {
        for (const ModeColumn& m : table.modes) values.push_back(m.values[i]);
    }
    file.words("mode_name", names);
    file.dimension("mode_name");
    file.numbers("mode", {table.time.size(), names.size()}, values);
    file.axis("mode", 0, "time");
    file.axis("mode", 1, "mode_name");
    file.attribute_of("mode", "long_name", "mode of every contact and relay");
    file.attribute_of("mode", "words", json_line(words));
}

void write_events(const Hdf5Writer& file, const flow::Flow& flow,
                  const std::vector<flow::Event>& events, const std::string& time_unit) {
    const Handle handle = file.group("events");
    const Hdf5Writer group(handle, file, "events");
    struct Numbers {
        const char* name;
        double (*value)(const flow::Event&);
        const char* meaning;
    };
    static constexpr Numbers k_numbers[] = {
        {"time", [](const flow::Event& e) { return e.time.rounded(); }, "time of the event"},
        {"time_low", [](const flow::Event& e) { return e.time.low(); },
         "low part of the time in double length"},
        {"impulse", [](const flow::Event& e) { return e.impulse.value_or(k_nan); },
         "normal impulse"},
        {"energy", [](const flow::Event& e) { return e.energy.value_or(k_nan); },
         "change of energy"},
        {"gap_rate", [](const flow::Event& e) { return e.gap_rate.value_or(k_nan); },
         "rate of the gap before"},
        {"closes", [](const flow::Event& e) { return e.closes ? 1.0 : 0.0; },
         "1: the contact stays closed"},
        {"accuracy", [](const flow::Event& e) { return e.accuracy; },
         "how far the located time may be off"}};
    for (const Numbers& n : k_numbers) {
        std::vector<double> values;
        values.reserve(events.size());
        for (const flow::Event& e : events) values.push_back(n.value(e));
        group.numbers(n.name, {events.size()}, values);
        group.attribute_of(n.name, "long_name", n.meaning);
    }
    group.dimension("time");
    if (!time_unit.empty()) group.attribute_of("time", "units", time_unit);
    for (const Numbers& n : k_numbers) {
        if (std::string_view(n.name) != "time") group.axis(n.name, 0, "time");
    }
    std::vector<std::string> kind, where, side;
    for (const flow::Event& e : events) {
        kind.emplace_back(flow::name(e.kind));
        where.push_back(e.where);
        side.push_back(e.side);
    }
    group.words("kind", kind);
    group.words("where", where);
    group.words("side", side);
    for (const char* name : {"kind", "where", "side"}) group.axis(name, 0, "time");

    // States of the flow on both sides; NaN where an event does not change any.
    group.words("state_name", flow.state_names);
    group.dimension("state_name");
    const std::size_t n = flow.states.size();
    for (const bool after : {false, true}) {
        std::vector<double> values;
        values.reserve(events.size() * n);
        for (const flow::Event& e : events) {
            const auto& state = after ? e.state_plus : e.state_minus;
            for (std::size_t i = 0; i < n; ++i)
                values.push_back(i < state.size() ? state[i] : k_nan);
        }
        const char* name = after ? "state_plus" : "state_minus";
        group.numbers(name, {events.size(), n}, values);
        group.axis(name, 0, "time");
        group.axis(name, 1, "state_name");
    }
}

void write_constraints(const Hdf5Writer& file, const Run& run) {
    if (run.constraints.empty()) return;
    const Handle handle = file.group("constraints");
    const Hdf5Writer group(handle, file, "constraints");
    std::vector<std::string> names, certificate;
    std::vector<double> grid, between, bound, proven, rate, least, most, alpha, defect, limit;
    for (const auto& [name, c] : run.constraints) {
        names.push_back(name);
        certificate.push_back(c.certificate);
        grid.push_back(c.max_violation);
        between.push_back(c.max_violation_between);
        bound.push_back(c.bound.value_or(k_nan));
        proven.push_back(c.proven.value_or(k_nan));
        rate.push_back(c.p.value_or(k_nan));
        least.push_back(c.p_range ? c.p_range->first : k_nan);
        most.push_back(c.p_range ? c.p_range->second : k_nan);
        alpha.push_back(c.monitor ? c.monitor->alpha : k_nan);
        defect.push_back(c.monitor ? c.monitor->defect : k_nan);
        limit.push_back(c.monitor ? c.monitor->bound : k_nan);
    }
    group.words("name", names);
    group.dimension("name");
    group.words("certificate", certificate);
    group.axis("certificate", 0, "name");
    for (const auto& [key, values] :
         {std::pair{"max_violation", &grid}, std::pair{"max_violation_between", &between},
          std::pair{"bound", &bound}, std::pair{"proven", &proven}, std::pair{"p", &rate},
          std::pair{"p_least", &least}, std::pair{"p_most", &most}, std::pair{"alpha", &alpha},
          std::pair{"defect", &defect}, std::pair{"monitored_bound", &limit}}) {
        group.numbers(key, {names.size()}, *values);
        group.axis(key, 0, "name");
    }
}

// NaN: there was nothing to measure.
void write_contacts(const Hdf5Writer& file, const Run& run) {
    if (!run.contacts) return;
    const ContactReport& c = *run.contacts;
    const Handle handle = file.group("contacts");
    const Hdf5Writer group(handle, file, "contacts");
    const bool any = c.decisions + c.impacts > 0;
    group.attribute("complementarity", c.decisions > 0 ? c.complementarity : k_nan);
    group.attribute("impact_complementarity", c.impacts > 0 ? c.impact_complementarity : k_nan);
    group.attribute("cone", c.friction && any ? c.cone : k_nan);
    group.attribute("direction", c.friction && c.decisions > 0 ? c.direction : k_nan);
    group.attribute("natural", c.decisions > 0 ? c.natural : k_nan);
    group.attribute("momentum", c.impacts > 0 ? c.momentum : k_nan);
    std::vector<std::string> kinds;
    std::vector<double> counts;
    for (std::size_t i = 0; i < flow::k_certificates; ++i) {
        kinds.emplace_back(flow::name(static_cast<flow::Certificate>(i)));
        counts.push_back(static_cast<double>(c.resolved.count[i]));
    }
    group.words("certificate", kinds);
    group.dimension("certificate");
    group.numbers("resolved", {counts.size()}, counts);
    group.axis("resolved", 0, "certificate");
}

// The whole state and mode at every sample, and in double length at the end.
void write_states(const Hdf5Writer& file, const Run& run, const flow::Flow& flow) {
    const Handle handle = file.group("continue");
    const Hdf5Writer group(handle, file, "continue");
    std::vector<double> states, modes;
    for (const motion::Sample& s : run.trajectory.samples) {
        states.insert(states.end(), s.state.begin(), s.state.end());
        modes.insert(modes.end(), s.mode.begin(), s.mode.end());
    }
    const std::size_t n = run.trajectory.samples.size();
    group.words("state_name", flow.state_names);
    group.dimension("state_name");
    group.numbers("state", {n, flow.states.size()}, states);
    group.axis("state", 0, file, "time");
    group.axis("state", 1, "state_name");
    if (!flow.modes.empty()) {
        std::vector<std::string> names;
        for (const flow::ModeSlot& m : flow.modes) names.push_back(m.name);
        group.words("slot_name", names);
        group.dimension("slot_name");
        group.numbers("slot", {n, flow.modes.size()}, modes);
        group.axis("slot", 0, file, "time");
        group.axis("slot", 1, "slot_name");
    }
    group.text("end", json_line(to_json(standing_at_end(run))));
}

// x(t) = Σ_k coefficient[k] (t − start)^k on every piece.
void write_pieces(const Hdf5Writer& file, const Run& run, const flow::Flow& flow) {
    if (run.pieces.empty()) return;
    const Handle handle = file.group("pieces");
    const Hdf5Writer group(handle, file, "pieces");
    std::size_t powers = 1;
    for (const motion::Piece& p : run.pieces)
        powers = std::max(powers, static_cast<std::size_t>(p.order) + 1);
    std::vector<double> start, low, field, length, coefficients, modes, power;
    for (std::size_t k = 0; k < powers; ++k) power.push_back(static_cast<double>(k));
    for (const motion::Piece& p : run.pieces) {
        start.push_back(p.start.high());
        low.push_back(p.start.low());
        field.push_back(p.field_time);
        length.push_back(p.length);
        modes.insert(modes.end(), p.mode.begin(), p.mode.end());
        const auto stride = static_cast<std::size_t>(p.order) + 1;
        for (std::size_t i = 0; i < p.n; ++i) {
            for (std::size_t k = 0; k < powers; ++k)
                coefficients.push_back(k < stride ? p.coefficients[i * stride + k] : 0.0);
        }
    }
    const std::size_t n = run.pieces.size();
    group.numbers("start", {n}, start);
    group.dimension("start");
    group.words("state_name", flow.state_names);
    group.dimension("state_name");
    group.numbers("power", {powers}, power);
    group.dimension("power");
    for (const auto& [name, values] :
         {std::pair{"start_low", &low}, std::pair{"field_time", &field},
          std::pair{"length", &length}}) {
        group.numbers(name, {n}, *values);
        group.axis(name, 0, "start");
    }
    group.numbers("coefficient", {n, flow.states.size(), powers}, coefficients);
    group.axis("coefficient", 0, "start");
    group.axis("coefficient", 1, "state_name");
    group.axis("coefficient", 2, "power");
    if (!flow.modes.empty()) {
        std::vector<std::string> names;
        for (const flow::ModeSlot& m : flow.modes) names.push_back(m.name);
        group.words("slot_name", names);
        group.dimension("slot_name");
        group.numbers("slot", {n, flow.modes.size()}, modes);
        group.axis("slot", 0, "start");
        group.axis("slot", 1, "slot_name");
    }
}

void write_origin(const Hdf5Writer& file, const Run& run, const flow::Flow& flow) {
    const Provenance& p = run.provenance;
    file.attribute("Conventions", "CF-1.8");
    file.attribute("title", run.model);
    file.attribute("source", "liaison " + p.version);
    file.attribute("history", p.command);
    file.attribute("realisation", run.realisation);
    file.attribute("status", status_word(run.trajectory.status));
    file.attribute("reason", run.trajectory.reason);
    file.attribute("tolerance", p.tolerance);
    file.attribute("method", p.method);
    file.attribute("step", p.step);

    const Handle model_handle = file.group("model");
    const Hdf5Writer model(model_handle, file, "model");
    model.attribute("name", run.model);
    model.attribute("file", p.model_file);
    model.attribute("hash", p.model_hash);
    model.text("text", p.model_text);
    std::vector<double> values(flow.parameter_values.begin(), flow.parameter_values.end());
    if (!values.empty()) {
        model.words("parameter_name", flow.parameter_names);
        model.dimension("parameter_name");
        model.numbers("parameter", {values.size()}, values);
        model.axis("parameter", 0, "parameter_name");
    }

    const Handle origin_handle = file.group("provenance");
    const Hdf5Writer origin(origin_handle, file, "provenance");
    origin.attribute("liaison", p.version);
    origin.attribute("command", p.command);
    origin.attribute("compiler", p.compiler);
    origin.attribute("target", p.target);
    origin.attribute("build", p.build);
    origin.attribute("cpu", p.cpu);
    origin.text("json", json_line(to_json(p, flow)));
    origin.words("warnings", run.warnings);
    // All names and words of the file once more, for liaison itself.
    origin.text("words", json_line(nlohmann::ordered_json(file.book())));
}

void write_all(const Hdf5Writer& file, const Run& run, const flow::Flow& flow) {
    const Table table = tabulate(run, flow, run.samples);
    file.numbers("time", {table.time.size()}, table.time);
    file.dimension("time");
    file.attribute_of("time", "long_name", "time");
    if (!run.time_unit.empty()) file.attribute_of("time", "units", run.time_unit);
    write_block(file, table, OutputGroup::q, "q", "coordinates");
    write_block(file, table, OutputGroup::v, "v", "velocities");
    write_block(file, table, OutputGroup::a, "a", "accelerations");
    write_block(file, table, OutputGroup::reaction, "lambda", "reactions");
    write_block(file, table, OutputGroup::gap, "gap", "gaps of the contacts");
    write_block(file, table, OutputGroup::relay, "relays", "values of the relays");
    write_block(file, table, OutputGroup::observe, "observables", "observed quantities");
    write_block(file, table, OutputGroup::integral, "integrals", "first integrals");
    write_block(file, table, OutputGroup::violation, "violation", "violation of the constraints");
    write_block(file, table, OutputGroup::energy, "energy", "energy");
    write_block(file, table, OutputGroup::sensitivity, "sensitivity", "derivatives by parameters");
    write_modes(file, table);
    write_events(file, flow, run.trajectory.events, run.time_unit);
    write_constraints(file, run);
    write_contacts(file, run);
    write_states(file, run, flow);
    write_pieces(file, run, flow);
    write_origin(file, run, flow);
}

} // namespace

std::string write_hdf5(const std::string& path, const Run& run, const flow::Flow& flow) {
    try {
        return write_file(path,
                          hdf5_image([&](const Hdf5Writer& file) { write_all(file, run, flow); }));
    } catch (const std::runtime_error& problem) {
        return fmt::format("cannot write {}: {}", path, problem.what());
    }
}

} // namespace liaison::record
