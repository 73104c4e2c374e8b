// SPDX-License-Identifier: Apache-2.0
// A run read back from its JSON.
#include "liaison/record/bounded_json.hpp"
#include "liaison/record/json_place.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/saved.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

namespace liaison::record {
namespace {

using Json = JsonPlace::Json;
using flow::OutputGroup;

double number(const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

// Columns appear in the order of the first sample.
class Columns {
  public:
    explicit Columns(Table& table) : table_(table) {}

    void put_all(OutputGroup group, const JsonPlace& values) {
        for (const auto& [name, value] : values.object().items()) {
            if (!value.is_object()) {
                put(group, name, "", number(value));
                continue;
            }
            for (const auto& [part, inner] : value.items()) {
                if (inner.is_string() || part == "side" || part == "case")
                    continue; // words, or none
                if (!inner.is_array()) put(group, name, part, number(inner));
                for (std::size_t i = 0; inner.is_array() && i < inner.size(); ++i)
                    put(group, name, part + (i == 0 ? "" : std::to_string(i + 1)),
                        number(inner[i]));
            }
        }
    }
    void put_modes(const JsonPlace& modes) {
        for (const auto& [name, word] : modes.object().items()) {
            if (!word.is_string()) modes.at(name).refuse("it must be a text");
            const auto [at, fresh] = modes_.try_emplace(name, Mode{table_.modes.size(), {}});
            if (fresh) table_.modes.push_back({name, {}, {}});
            ModeColumn& column = table_.modes[at->second.column];
            const auto& text = word.get_ref<const std::string&>();
            const auto [found, unknown] =
                at->second.values.try_emplace(text, static_cast<double>(at->second.values.size()));
            if (unknown) column.words.push_back({found->second, text});
            column.values.push_back(found->second);
        }
    }

    // Every column has a value for every time.
    void demand_whole() const {
        for (const Column& c : table_.columns) demand(c.values, c.name);
        for (const ModeColumn& m : table_.modes) demand(m.values, m.name);
    }

  private:
    using Key = std::tuple<OutputGroup, std::string, std::string>;
    struct Mode {
        std::size_t column;
        std::unordered_map<std::string, double> values;
    };

    void put(OutputGroup group, const std::string& name, const std::string& part, double value) {
        const auto [at, fresh] = places_.try_emplace({group, name, part}, table_.columns.size());
        if (fresh) table_.columns.push_back({group, name, part, {}, {}});
        table_.columns[at->second].values.push_back(value);
    }
    void demand(const std::vector<double>& values, const std::string& name) const {
        if (values.size() != table_.time.size())
            throw std::runtime_error(fmt::format("samples have {} values of {} at {} times",
                                                 values.size(), name, table_.time.size()));
    }

    Table& table_;
    std::map<Key, std::size_t> places_;
    std::unordered_map<std::string, Mode> modes_;
};

} // namespace

Saved saved_from_json(const std::string& text) {
    const Json document = parse_result(text);
    const JsonPlace json(document);
    Saved saved;
    saved.kind = FileKind::json;
    saved.model = json.at("model").text();
    saved.provenance = provenance_from_json(json.at("provenance"));
    saved.provenance_text = json_line(json.at("provenance").object());
    saved.interrupted = json.at("status").text() == "interrupted";
    saved.end = standing_from_json(json.at("continue"));

    saved.table.model = saved.model;
    saved.table.caption = caption(saved.provenance, json.at("realisation").text());
    Columns columns(saved.table);
    for (const JsonPlace& s : json.at("samples").items()) {
        saved.table.time.push_back(s.at("t").number());
        columns.put_all(OutputGroup::q, s.at("q"));
        columns.put_all(OutputGroup::v, s.at("v"));
        columns.put_all(OutputGroup::a, s.at("a"));
        columns.put_all(OutputGroup::reaction, s.at("reactions"));
        columns.put_all(OutputGroup::relay, s.at("relays"));
        columns.put_all(OutputGroup::observe, s.at("observe"));
        columns.put_modes(s.at("mode"));
    }
    columns.demand_whole();
    mark_quasi_velocities(saved.table);
    for (const JsonPlace& e : json.at("events").items())
        saved.table.events.push_back(
            {e.at("time").number(), e.at("kind").text(), e.at("where").text()});
    return saved;
}

} // namespace liaison::record
