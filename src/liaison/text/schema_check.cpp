// SPDX-License-Identifier: Apache-2.0
// Holds a document against a schema and tells what does not fit, where it belongs, and what was meant.
#include "liaison/base/nearest.hpp"
#include "liaison/base/number.hpp"
#include "liaison/base/version.hpp"
#include "liaison/text/parser.hpp"
#include "liaison/text/schema.hpp"
#include "liaison/text/value_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace liaison::text {

using base::Code;
using base::Diagnostic;

namespace {

// "x, y" → ["x", "y"]
std::string as_list(std::string_view text) {
    std::string list;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(", "), text.size());
        if (end > 0) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return "[" + list + "]";
}

} // namespace

class SchemaChecker {
  public:
    SchemaChecker(const Schema& schema, base::Diagnostics& diagnostics, int format)
        : schema_(schema), diagnostics_(diagnostics), format_(format) {}

    void run(const Document& document) {
        check_format(document);
        check_table(document.root(), 0, "");
    }

  private:
    using Place = Schema::Place;

    Diagnostic& report(Code code, std::string message) {
        return diagnostics_.report(code, std::move(message));
    }

    static std::string title(std::string_view table) {
        return table.empty() ? "the file" : fmt::format("[{}]", table);
    }
    static std::string joined_path(std::string_view table, std::string_view key) {
        return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
    }

    void check_format(const Document& document) {
        const Value* const format = document.root().get("format");
        if (schema_.find("format") == nullptr) return;
        if (format == nullptr) {
            const Span top{&document.file(), 0, 0};
            report(Code::missing_format, "the file does not say its format")
                .at(top)
                .fix(top, fmt::format("format = {}\n", base::k_model_format),
                     fmt::format("write format = {} at the top, before the first [table]",
                                 base::k_model_format));
        } else if (format->is_number() && format->number != format_) {
            const bool newer = format->number > format_;
            report(Code::unknown_format,
                   fmt::format("this version of liaison reads format {}", format_))
                .at(format->span, newer ? "written for a newer version" : "no such format")
                .note(newer
                          ? fmt::format("you have liaison {}; install a newer one", base::k_version)
                          : fmt::format("write format = {}", format_));
        }
    }

    // ---- tables ----

    void check_table(const Value& table, std::size_t place, const std::string& path) {
        std::vector<std::string> meant; // keys of which a misspelling has been reported
        for (const Entry& entry : table.entries) {
            const std::size_t next = schema_.step(place, entry.key);
            if (next != 0) {
                check_entry(entry, place, next, path);
            } else if (auto near = unknown(entry, place, path)) {
                meant.push_back(std::move(*near));
            }
        }
        check_required(table, place, path, meant);
        check_groups(table, place);
    }

    void check_required(const Value& table, std::size_t place, const std::string& path,
                        const std::vector<std::string>& meant) {
        std::vector<std::string_view> told;
        for (const KeyRow* row : schema_.rows_at(place)) {
            if (!row->required || row->since > format_ || row->path == "format") continue;
            const auto choices = row->group.empty() ? std::vector{std::string(row->key())}
                                                    : group(place, row->group);
            const bool given = std::ranges::any_of(choices, [&](const std::string& key) {
                return table.find(key) != nullptr || std::ranges::find(meant, key) != meant.end();
            });
            if (given ||
                (!row->group.empty() && std::ranges::find(told, row->group) != told.end())) {
                continue;
            }
            told.push_back(row->group);
            report(Code::missing_key,
                   fmt::format("{} needs {}", title(path), joined(choices, "`", "`", " or ")))
                .at(table.span, "not given here")
                .note(choices.size() == 1 ? fmt::format("`{}`: {}", row->key(), row->help)
                                          : "give one of them");
        }
    }

    std::vector<std::string> group(std::size_t place, std::string_view name) const {
        std::vector<std::string> members;
        for (const KeyRow* row : schema_.rows_at(place)) {
            if (row->group == name) members.emplace_back(row->key());
        }
        return members;
    }

    void check_groups(const Value& table, std::size_t place) {
        if (schema_.places_[place].keys.empty()) return;
        std::map<std::string_view, const Entry*> first;
        for (const Entry& entry : table.entries) {
            const auto found = schema_.places_[place].keys.find(entry.key);
            if (found == schema_.places_[place].keys.end()) continue;
            const KeyRow* const row = schema_.places_[found->second].row;
            if (row == nullptr || row->group.empty()) continue;
            const auto [other, added] = first.emplace(row->group, &entry);
            if (added) continue;
            report(Code::conflicting_keys,
                   fmt::format("`{}` and `{}` exclude each other", other->second->key, entry.key))
                .at(entry.key_span, "this one")
                .see(other->second->key_span, "and this one")
                .note("give one of them");
        }
    }

    // ---- unknown keys ----

    // Reports the key and returns the one that was probably meant.
    std::optional<std::string> unknown(const Entry& entry, std::size_t place,
                                       const std::string& path) {
        const bool table = path.empty() && entry.value.is_table() && !entry.value.in_line;
        // What was meant is not sought any more where it would not be shown.
        const bool seek = !diagnostics_.saturated();
        std::vector<std::string> known;
        for (const KeyRow* row : schema_.rows_at(place)) known.emplace_back(row->key());
        auto near = seek ? base::nearest(entry.key, known) : std::nullopt;
        const auto homes = seek ? schema_.homes_of(entry.key) : std::vector<std::string>{};
        if (!homes.empty() && (!near || !path.empty())) {
            misplaced(entry, homes, path);
            return std::nullopt;
        }
        auto& d = table ? report(Code::unknown_table,
                                 fmt::format("a model file has no table [{}]", entry.key))
                        : report(Code::unknown_key,
                                 fmt::format("{} has no key `{}`", title(path), entry.key));
        d.at(entry.key_span);
        suggest(d, entry, near, known, path);
        return near;
    }

    static void suggest(Diagnostic& d, const Entry& entry, const std::optional<std::string>& near,
                        const std::vector<std::string>& known, const std::string& path) {
        if (near) {
            d.fix(entry.key_span, *near, fmt::format("did you mean `{}`?", *near));
        } else if (known.empty()) {
            d.note(fmt::format("{} has no keys", title(path)));
        } else {
            d.note(fmt::format("{} has: {}", title(path), joined(known, "", "")));
        }
    }

    void misplaced(const Entry& entry, const std::vector<std::string>& homes,
                   const std::string& path) {
        auto& d = report(Code::misplaced_key,
                         fmt::format("`{}` does not belong to {}", entry.key, title(path)));
        d.at(entry.key_span, path.empty() ? "at the top of the file" : "");
        d.note(fmt::format("it belongs to {}", joined(homes, "", "", " or ")));
        if (std::ranges::find(homes, "the top of the file") != homes.end()) {
            d.note("keys of the file itself stand before the first [table]");
        } else {
            d.note("a key belongs to the last [table] header above it");
        }
    }

    // ---- values ----

    void check_entry(const Entry& entry, std::size_t parent, std::size_t place,
                     const std::string& path) {
        const KeyRow* const row = schema_.places_[place].row;
        if (row == nullptr) return;
        if (row->since > format_) {
            report(Code::newer_format,
                   fmt::format("`{}` is known since format {}", entry.key, row->since))
                .at(entry.key_span, fmt::format("this file is written in format {}", format_))
                .note(fmt::format("write format = {} if your liaison knows it", row->since));
            return;
        }
        const Value& value = entry.value;
        if (row->key() == "NAME" && value.kind != ValueKind::date) check_name(entry);
        if (value.is_table() && has(row->takes, Takes::table)) {
            check_table(value, place, joined_path(path, entry.key));
        } else if (value.is_list() && has(row->takes, Takes::tables)) {
            for (const Value& item : value.items) {
                if (item.is_table()) {
                    check_table(item, place, joined_path(path, entry.key));
                } else {
                    wrong_type(entry, *row, parent, place, path);
                }
            }
        } else if (!check_value(value, *row, entry.key, diagnostics_)) {
            wrong_type(entry, *row, parent, place, path);
        }
    }

    void check_name(const Entry& entry) {
        const Passage passage{entry.key, TextMap::whole(entry.key_span)};
        base::Diagnostics found;
        if (parse_declaration(passage, found)) return;
        auto& d = report(Code::bad_name, fmt::format("`{}` is not a name", entry.key));
        d.at(entry.key_span);
        std::string repaired = entry.key;
        std::ranges::replace_if(repaired, [](char c) { return c == '-' || c == ' '; }, '_');
        if (repaired != entry.key && is_plain_name(repaired)) {
            d.fix(entry.key_span, repaired, fmt::format("did you mean `{}`?", repaired));
        } else {
            d.note("a name is a letter followed by letters, digits and _; family members are z[i]");
        }
    }

    // ---- values of the wrong kind ----

    void wrong_type(const Entry& entry, const KeyRow& row, std::size_t parent, std::size_t place,
                    const std::string& path) {
        const Value& value = entry.value;
        const Place& chosen = schema_.places_[place];
        // [contact] gap = …: a key of [contact.NAME] directly below [contact].
        if (row.key() == "NAME" && row.takes == Takes::table && chosen.keys.contains(entry.key)) {
            report(Code::misplaced_key, fmt::format("[{}] needs a name", path))
                .at(entry.key_span, fmt::format("`{}` belongs to one {}", entry.key, path))
                .note(fmt::format("write [{}.NAME] with a name of your choice", path));
            return;
        }
        auto& d =
            report(Code::wrong_type,
                   fmt::format("`{}` takes {}", joined_path(path, entry.key), describe(row.takes)));
        d.at(value.span, std::string(what_it_is(value)));
        hint(d, entry, row, parent);
    }

    void hint(Diagnostic& d, const Entry& entry, const KeyRow& row, std::size_t parent) const {
        const Value& value = entry.value;
        const bool number_in_quotes = value.is_string() && base::parse_number(value.text()) &&
                                      has(row.takes, Takes::number | Takes::integer);
        const auto homes = schema_.homes_of(entry.key);
        if (number_in_quotes) {
            d.fix(value.span, value.text(), fmt::format("write {} without quotes", value.text()));
        } else if (value.is_list() && !value.in_line) {
            d.note(fmt::format("write [{0}.NAME], not [[{0}]]", entry.key));
        } else if (value.is_string() && has(row.takes, Takes::names)) {
            const std::string list = as_list(value.text());
            d.fix(value.span, list, fmt::format("write {}", list.substr(0, 80)));
        } else if (row.chosen() && !homes.empty()) {
            d.note(fmt::format("if the key `{}` is meant, it belongs to {}", entry.key,
                               joined(homes, "", "", " or ")));
        } else if (value.is_string() && has(row.takes, Takes::number)) {
            d.note("a formula may be named in [let]");
        } else if (parent == 0 && has(row.takes, Takes::table)) {
            d.note(fmt::format("write the header [{}] and its keys below", entry.key));
        } else {
            d.note(std::string(row.help));
        }
    }

    const Schema& schema_;
    base::Diagnostics& diagnostics_;
    int format_;
};

bool Schema::check(const Document& document, base::Diagnostics& diagnostics, int format) const {
    if (!document.ok()) return false;
    const std::size_t before = diagnostics.error_count();
    SchemaChecker(*this, diagnostics, format).run(document);
    return diagnostics.error_count() == before;
}

} // namespace liaison::text
