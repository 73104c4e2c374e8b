// SPDX-License-Identifier: Apache-2.0
// Typed access to the values of a checked document, for those who give them meaning.
#include "liaison/text/reader.hpp"

namespace liaison::text {

namespace {

// All items through `read`, or nothing if one of them fails.
template <class Item, class Read>
std::optional<std::vector<Item>> read_items(const Value& value, Read read) {
    if (!value.is_list()) return std::nullopt;
    std::vector<Item> items;
    items.reserve(value.items.size());
    for (const Value& item : value.items) {
        auto one = read(item);
        if (!one) return std::nullopt;
        items.push_back(std::move(*one));
    }
    return items;
}

} // namespace

std::optional<Syntax> read_expression(const Value& value, base::Diagnostics& diagnostics,
                                      Form form) {
    if (value.is_number() && form != Form::equation) return number_syntax(value.number, value.span);
    if (!value.is_string()) return std::nullopt;
    return parse(value.passage, form, diagnostics);
}

std::optional<std::vector<Syntax>> read_expressions(const Value& value,
                                                    base::Diagnostics& diagnostics) {
    const auto one = [&](const Value& item) { return read_expression(item, diagnostics); };
    if (value.is_list()) return read_items<Syntax>(value, one);
    auto alone = one(value);
    if (!alone) return std::nullopt;
    std::vector<Syntax> list;
    list.push_back(std::move(*alone));
    return list;
}

std::optional<std::vector<std::vector<Syntax>>> read_matrix(const Value& value,
                                                            base::Diagnostics& diagnostics) {
    return read_items<std::vector<Syntax>>(value, [&](const Value& row) {
        return row.is_list() ? read_expressions(row, diagnostics) : std::nullopt;
    });
}

std::optional<double> read_number(const Value& value) {
    return value.is_number() ? std::optional(value.number) : std::nullopt;
}

std::optional<std::vector<double>> read_numbers(const Value& value) {
    return read_items<double>(value, read_number);
}

std::optional<bool> read_boolean(const Value& value) {
    return value.is_boolean() ? std::optional(value.boolean) : std::nullopt;
}

std::optional<std::string> read_text(const Value& value) {
    return value.is_string() ? std::optional(value.text()) : std::nullopt;
}

std::vector<DeclaredName> read_names(const Value& value, base::Diagnostics& diagnostics) {
    std::vector<DeclaredName> names;
    for (const Value& item : value.items) {
        if (!item.is_string()) continue;
        if (auto name = parse_declaration(item.passage, diagnostics)) {
            names.push_back(std::move(*name));
        }
    }
    return names;
}

} // namespace liaison::text
