// SPDX-License-Identifier: Apache-2.0
// The tables and keys a file may have: finding rows, and telling people about them.
#include "liaison/text/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::text {

namespace {

// Takes the first segment off a path.
std::string_view take_segment(std::string_view& path) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view segment = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    return segment;
}

std::string header(std::string_view table, const Schema& schema) {
    if (table.empty()) return "the top of the file";
    const KeyRow* const row = schema.find(table);
    return row != nullptr && has(row->takes, Takes::tables) ? fmt::format("[[{}]]", table)
                                                            : fmt::format("[{}]", table);
}

std::string default_of(const KeyRow& row) {
    if (!row.fallback.empty()) return fmt::format("`{}`", row.fallback);
    if (has(row.takes, Takes::word) && !row.required) {
        return fmt::format("`\"{}\"`", row.words.substr(0, row.words.find(' ')));
    }
    return row.required ? "required" : "";
}

// "a", "b", "c"
std::string quoted_words(std::string_view words) {
    std::string out;
    while (!words.empty()) {
        const std::size_t blank = std::min(words.find(' '), words.size());
        out += fmt::format("{}`\"{}\"`", out.empty() ? "" : ", ", words.substr(0, blank));
        words.remove_prefix(std::min(blank + 1, words.size()));
    }
    return out;
}

} // namespace

std::string_view KeyRow::key() const {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::string_view KeyRow::table() const {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

Schema::Schema(std::span<const KeyRow> rows) : rows_(rows), places_(1) {
    for (const KeyRow& row : rows) {
        std::size_t place = 0;
        std::string_view path = row.path;
        while (!path.empty()) {
            const std::string_view segment = take_segment(path);
            const bool chosen = segment == "NAME" || segment == "COORD";
            std::size_t next = chosen ? places_[place].chosen : 0;
            if (const auto found = places_[place].keys.find(segment);
                !chosen && found != places_[place].keys.end()) {
                next = found->second;
            }
            if (next == 0) {
                next = places_.size();
                if (chosen) {
                    places_[place].chosen = next;
                } else {
                    places_[place].keys.emplace(segment, next);
                }
                places_.emplace_back();
            }
            place = next;
        }
        places_[place].row = &row;
    }
}

// Place of a key in a table; 0 if it has no such key.
std::size_t Schema::step(std::size_t place, std::string_view key) const {
    const auto found = places_[place].keys.find(key);
    return found != places_[place].keys.end() ? found->second : places_[place].chosen;
}

std::size_t Schema::place_of(std::string_view path) const {
    std::size_t place = 0;
    while (!path.empty()) {
        place = step(place, take_segment(path));
        if (place == 0) return places_.size();
    }
    return place;
}

const KeyRow* Schema::find(std::string_view path) const {
    const std::size_t place = place_of(path);
    return place < places_.size() ? places_[place].row : nullptr;
}

std::vector<const KeyRow*> Schema::rows_at(std::size_t place) const {
    std::vector<const KeyRow*> rows;
    for (const auto& [key, next] : places_[place].keys) {
        if (places_[next].row != nullptr) rows.push_back(places_[next].row);
    }
    std::ranges::sort(rows);
    return rows;
}

std::vector<std::string> Schema::keys_of(std::string_view table) const {
    std::vector<std::string> keys;
    const std::size_t place = place_of(table);
    if (place >= places_.size()) return keys;
    for (const KeyRow* row : rows_at(place)) keys.emplace_back(row->key());
    return keys;
}

std::vector<std::string> Schema::homes_of(std::string_view key) const {
    std::vector<std::string> homes;
    for (const KeyRow& row : rows_) {
        if (row.key() == key && !row.chosen()) homes.push_back(header(row.table(), *this));
    }
    return homes;
}

std::vector<Completion> Schema::complete(std::string_view table) const {
    std::vector<Completion> list;
    const std::size_t place = place_of(table);
    if (place >= places_.size()) return list;
    for (const KeyRow* row : rows_at(place)) {
        list.push_back({std::string(row->key()), std::string(row->help)});
    }
    return list;
}

std::string describe(Takes takes) {
    struct Name {
        Takes one;
        std::string_view words;
    };
    constexpr Name k_names[] = {
        {Takes::expression, "an expression (a string or a number)"},
        {Takes::equation, "an equation (a string \"left = right\")"},
        {Takes::condition, "an expression or a condition (a string)"},
        {Takes::expressions, "a list of expressions"},
        {Takes::matrix, "a list of lists of expressions"},
        {Takes::number, "a number"},
        {Takes::integer, "an integer"},
        {Takes::numbers, "a list of numbers"},
        {Takes::boolean, "true or false"},
        {Takes::text, "a string"},
        {Takes::word, "one of a few words"},
        {Takes::name, "a name (a string)"},
        {Takes::names, "a list of names (strings)"},
        {Takes::table, "a table"},
        {Takes::tables, "repeated tables [[…]]"},
    };
    std::string out;
    for (const Name& name : k_names) {
        if (!has(takes, name.one)) continue;
        out += (out.empty() ? "" : " or ");
        out += name.words;
    }
    return out;
}

std::string Schema::markdown() const {
    std::string page =
        "# Model file\n\n"
        "A model file is TOML. Expressions are double-quoted strings; plain numbers "
        "may stand bare wherever an expression may. NAME is a name you choose, COORD "
        "the name of a coordinate.\n";
    // Tables in the order of the rows, the file itself first.
    std::vector<std::string_view> tables{""};
    for (const KeyRow& row : rows_) {
        if (std::ranges::find(tables, row.table()) == tables.end()) tables.push_back(row.table());
    }
    for (const std::string_view table : tables) {
        const KeyRow* const owner = table.empty() ? nullptr : find(table);
        page += fmt::format("\n## {}\n\n",
                            table.empty() ? "Top of the file" : "`" + header(table, *this) + "`");
        if (owner != nullptr) page += std::string(owner->help) + "\n\n";
        page += "| key | value | default | meaning |\n|---|---|---|---|\n";
        for (const KeyRow& row : rows_) {
            if (row.table() != table) continue;
            std::string help(row.help);
            if (!row.words.empty()) help += " Words: " + quoted_words(row.words) + ".";
            if (row.since > 1) help += fmt::format(" Since format {}.", row.since);
            // A bar inside a cell would end it.
            for (std::size_t i = 0; (i = help.find('|', i)) != std::string::npos; i += 2) {
                help.insert(i, "\\");
            }
            page += fmt::format("| `{}` | {} | {} | {} |\n", row.key(), describe(row.takes),
                                default_of(row), help);
        }
    }
    return page;
}

} // namespace liaison::text
