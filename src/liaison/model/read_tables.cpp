// SPDX-License-Identifier: Apache-2.0
// The tables of a model file, each handed to the builder: the list of them, and how values are read.
#include "liaison/model/read_tables.hpp"

#include "liaison/text/reader.hpp"

#include <algorithm>

namespace liaison::model {

void Tables::read(const Value& root) {
    draft_.name = text(root, "name");
    draft_.about = text(root, "about");
    draft_.coordinates = names(root.get("coordinates"));
    draft_.coordinates_span = span_of(root.get("coordinates"));
    draft_.incomplete = draft_.coordinates_span && !root.get("coordinates")->is_list();
    draft_.velocities = names(root.get("velocities"));
    draft_.velocities_span = span_of(root.get("velocities"));
    for (const Entry& entry : root.entries) {
        const Value& value = entry.value;
        if (entry.key == "draw") draws(value);
        if (!value.is_table()) continue;
        if (entry.key == "family")
            families(value);
        else if (entry.key == "parameters")
            parameters(value);
        else if (entry.key == "state")
            states(value);
        else if (entry.key == "table")
            data_tables(value);
        else if (entry.key == "body")
            bodies(value);
        else if (entry.key == "let")
            draft_.lets = components(&value);
        else if (entry.key == "rates")
            draft_.rates = components(&value);
        else if (entry.key == "system")
            draft_.system = components(&value);
        else if (entry.key == "energy")
            energy(entry);
        else if (entry.key == "force")
            forces(value);
        else if (entry.key == "constraint")
            constraints(value);
        else if (entry.key == "contact")
            contacts(value);
        else if (entry.key == "relay")
            relays(value);
        else if (entry.key == "kinematics")
            kinematics(entry);
        else if (entry.key == "observe")
            draft_.observes = components(&value);
        else if (entry.key == "integral")
            draft_.integrals = components(&value);
        else if (entry.key == "event")
            events(value);
        else if (entry.key == "invert")
            invert(entry);
        else if (entry.key == "start")
            start(entry);
        else if (entry.key == "run")
            run(entry);
        else if (entry.key == "periodic")
            periodic(entry);
        if (entry.key == "rates") draft_.rates_span = entry.key_span;
        if (entry.key == "system") draft_.system_span = entry.key_span;
    }
}

Written Tables::expression(const Value& value, text::Form form) {
    auto syntax = text::read_expression(value, diagnostics_, form);
    if (!syntax) return {};
    Written written(std::move(*syntax));
    written.span = value.is_string() ? value.passage.span() : value.span;
    return written;
}

Written Tables::expression(const Value& table, std::string_view key) {
    const Value* value = table.get(key);
    return value == nullptr ? Written{} : expression(*value);
}

std::vector<Written> Tables::expressions(const Value* value) {
    std::vector<Written> written;
    if (value == nullptr) return written;
    if (!value->is_list()) return {expression(*value)};
    for (const Value& item : value->items) written.push_back(expression(item));
    return written;
}

std::vector<std::vector<Written>> Tables::matrix(const Value* value) {
    std::vector<std::vector<Written>> rows;
    if (value == nullptr || !value->is_list()) return rows;
    const bool nested = std::ranges::any_of(value->items, &Value::is_list);
    if (!nested) return {expressions(value)};
    for (const Value& row : value->items) rows.push_back(expressions(&row));
    return rows;
}

std::vector<Component> Tables::components(const Value* table,
                                          std::initializer_list<std::string_view> except) {
    std::vector<Component> result;
    if (table == nullptr || !table->is_table()) return result;
    for (const Entry& entry : table->entries) {
        if (std::ranges::find(except, entry.key) != except.end()) continue;
        if (entry.value.is_table()) {
            for (Component& inner : components(&entry.value)) {
                inner.name.text = entry.key + "." + inner.name.text;
                result.push_back(std::move(inner));
            }
            continue;
        }
        Written value = expression(entry.value);
        if (value) result.push_back({Name(entry.key, entry.key_span), std::move(value)});
    }
    return result;
}

std::vector<Name> Tables::names(const Value* value) {
    std::vector<Name> result;
    if (value == nullptr) return result;
    for (const Value& item : value->items) {
        if (item.is_string()) result.emplace_back(item.text(), item.passage.span());
    }
    return result;
}

std::string Tables::text(const Value& table, std::string_view key) {
    const Value* value = table.get(key);
    return value != nullptr && value->is_string() ? value->text() : std::string{};
}

void Tables::number(const Value& table, std::string_view key, std::optional<double>& target) {
    const Value* value = table.get(key);
    if (value != nullptr && value->is_number()) target = value->number;
}

void Tables::boolean(const Value& table, std::string_view key, bool& target) {
    const Value* value = table.get(key);
    if (value != nullptr && value->is_boolean()) target = value->boolean;
}

} // namespace liaison::model
