// SPDX-License-Identifier: Apache-2.0
// A run read back from its JSON.
#include "liaison/record/bounded_json.hpp"
#include "liaison/record/saved.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <stdexcept>

namespace liaison::record {
namespace {

using Json = nlohmann::ordered_json;
using flow::OutputGroup;

double number(const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

// Columns appear in the order of the first sample.
class Columns {
  public:
    explicit Columns(Table& table) : table_(table) {}

    void put(OutputGroup group, const std::string& name, const std::string& part, double value) {
        // Every sample has the same columns in the same order, so the next one is the one wanted.
        const std::size_t n = table_.columns.size();
        for (std::size_t tried = 0; tried < n; ++tried) {
            Column& c = table_.columns[next_ < n ? next_ : 0];
            next_ = next_ < n ? next_ + 1 : 1;
            if (c.group == group && c.name == name && c.part == part) {
                c.values.push_back(value);
                return;
            }
        }
        table_.columns.push_back({group, name, part, {}, {value}});
    }
    void put_all(OutputGroup group, const Json& values) {
        for (const auto& [name, value] : values.items()) {
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
    void put_modes(const Json& modes) {
        for (const auto& [name, word] : modes.items()) {
            ModeColumn* column = nullptr;
            for (ModeColumn& m : table_.modes) {
                if (m.name == name) column = &m;
            }
            if (column == nullptr) column = &table_.modes.emplace_back(ModeColumn{name, {}, {}});
            double value = -1.0;
            for (const auto& w : column->words) {
                if (w.word == word.get<std::string>()) value = w.value;
            }
            if (value < 0.0) {
                value = static_cast<double>(column->words.size());
                column->words.push_back({value, word.get<std::string>()});
            }
            column->values.push_back(value);
        }
    }

    // Every column has a value for every time.
    void demand_whole() const {
        for (const Column& c : table_.columns) demand(c.values);
        for (const ModeColumn& m : table_.modes) demand(m.values);
    }

  private:
    void demand(const std::vector<double>& values) const {
        if (values.size() != table_.time.size())
            throw std::runtime_error("its samples do not fit together");
    }

    Table& table_;
    std::size_t next_ = 0;
};

} // namespace

Saved saved_from_json(const std::string& text) {
    const Json json = parse_result<Json>(text);
    Saved saved;
    saved.kind = FileKind::json;
    json.at("model").get_to(saved.model);
    saved.provenance = provenance_from_json(json.at("provenance"));
    saved.provenance_text = json.at("provenance").dump();
    saved.interrupted = json.at("status") == "interrupted";
    saved.end = standing_from_json(json.at("continue"));

    saved.table.model = saved.model;
    saved.table.caption = caption(saved.provenance, json.at("realisation").get<std::string>());
    Columns columns(saved.table);
    for (const Json& s : json.at("samples")) {
        saved.table.time.push_back(s.at("t"));
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
    for (const Json& e : json.at("events"))
        saved.table.events.push_back({e.at("time"), e.at("kind"), e.at("where")});
    return saved;
}

} // namespace liaison::record
