// SPDX-License-Identifier: Apache-2.0
// Holds one value against the row of its key: kind, word, range, length.
#include "liaison/text/value_check.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/base/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::text {

namespace {

using base::Code;
using base::Diagnostic;

std::vector<std::string> split_words(std::string_view words) {
    std::vector<std::string> list;
    while (!words.empty()) {
        const std::size_t blank = std::min(words.find(' '), words.size());
        list.emplace_back(words.substr(0, blank));
        words.remove_prefix(std::min(blank + 1, words.size()));
    }
    return list;
}

bool takes_list(Takes takes) {
    return has(takes, Takes::expressions | Takes::matrix | Takes::numbers | Takes::names);
}

class ValueChecker {
  public:
    ValueChecker(const KeyRow& row, const std::string& key, base::Diagnostics& diagnostics)
        : row_(row), key_(key), diagnostics_(diagnostics) {}

    bool check(const Value& value) {
        if (!value.is_list()) return scalar(value);
        if (!takes_list(row_.takes)) return false;
        check_list(value);
        return true;
    }

  private:
    Diagnostic& report(Code code, std::string message) {
        return diagnostics_.report(code, std::move(message));
    }

    bool scalar(const Value& value) {
        if (value.is_boolean()) return has(row_.takes, Takes::boolean);
        if (value.is_string()) {
            if (has(row_.takes, Takes::word)) {
                check_word(value);
                return true;
            }
            return has(row_.takes, Takes::expression | Takes::equation | Takes::condition |
                                       Takes::text | Takes::name);
        }
        if (!value.is_number()) return false;
        const bool quantity = has(row_.takes, Takes::expression | Takes::number | Takes::condition);
        if (!quantity && !(has(row_.takes, Takes::integer) && value.integral)) return false;
        check_number(value);
        return true;
    }

    void check_number(const Value& value) {
        if (!std::isfinite(value.number)) {
            report(Code::value_out_of_range, fmt::format("`{}` must be finite", key_))
                .at(value.span, "not a finite number")
                .note("write a number, or leave the key away where it may be absent");
        } else if (row_.positive && value.number <= 0.0) {
            report(Code::value_out_of_range, fmt::format("`{}` must be positive", key_))
                .at(value.span, fmt::format("{} is not", base::shortest(value.number)))
                .note(std::string(row_.help));
        }
    }

    void check_word(const Value& value) {
        const auto words = split_words(row_.words);
        if (std::ranges::find(words, value.text()) != words.end()) return;
        auto& d = report(Code::unknown_word, fmt::format("`{}` knows no word \"{}\"", key_,
                                                         value.text().substr(0, 60)));
        d.at(value.span);
        if (const auto near = base::nearest(value.text(), words)) {
            d.fix(value.span, fmt::format("\"{}\"", *near),
                  fmt::format("did you mean \"{}\"?", *near));
        }
        d.note(fmt::format("it is one of {}", joined(words, "\"", "\"")));
    }

    void check_list(const Value& list) {
        const std::size_t n = list.items.size();
        if (n < row_.shortest || (row_.longest > 0 && n > row_.longest)) {
            const std::string wanted = row_.longest == 0 ? fmt::format("at least {}", row_.shortest)
                                       : row_.shortest == row_.longest
                                           ? fmt::format("{}", row_.shortest)
                                           : fmt::format("{} to {}", row_.shortest, row_.longest);
            report(Code::wrong_length,
                   fmt::format("`{}` takes {} entries, not {}", key_, wanted, n))
                .at(list.span)
                .note(std::string(row_.help));
            return;
        }
        const bool rows = has(row_.takes, Takes::matrix) &&
                          (!has(row_.takes, Takes::expressions | Takes::numbers) ||
                           (n > 0 && list.items.front().is_list()));
        for (const Value& item : list.items) {
            if (rows) {
                check_row(item);
            } else {
                check_item(item);
            }
        }
    }

    void check_row(const Value& item) {
        if (!item.is_list()) {
            wrong_item(item, "a list of expressions");
            return;
        }
        for (const Value& entry : item.items) {
            if (!entry.is_string() && !entry.is_number()) {
                wrong_item(entry, "an expression");
            } else if (entry.is_number()) {
                check_number(entry);
            }
        }
    }

    void check_item(const Value& item) {
        const bool strings = has(row_.takes, Takes::expressions | Takes::names);
        const bool quantities = has(row_.takes, Takes::expressions | Takes::numbers);
        if (item.is_string() && strings) return;
        if (item.is_number() && quantities) {
            check_number(item);
            return;
        }
        wrong_item(item, has(row_.takes, Takes::expressions) ? "an expression"
                         : has(row_.takes, Takes::numbers)   ? "a number"
                                                             : "a name in quotes");
    }

    void wrong_item(const Value& item, std::string_view wanted) {
        report(Code::wrong_type, fmt::format("each entry of `{}` is {}", key_, wanted))
            .at(item.span, std::string(what_it_is(item)))
            .note(std::string(row_.help));
    }

    const KeyRow& row_;
    const std::string& key_;
    base::Diagnostics& diagnostics_;
};

} // namespace

std::string_view what_it_is(const Value& value) {
    switch (value.kind) {
    case ValueKind::string: return "this is a string";
    case ValueKind::number: return value.integral ? "this is an integer" : "this is a number";
    case ValueKind::boolean: return "this is a truth value";
    case ValueKind::list: return value.in_line ? "this is a list" : "these are repeated tables";
    case ValueKind::table: return "this is a table";
    case ValueKind::date: return "this is a date";
    }
    return "this is something else";
}

std::string joined(const std::vector<std::string>& list, std::string_view before,
                   std::string_view after, std::string_view separator) {
    std::string out;
    for (const std::string& item : list) {
        out += fmt::format("{}{}{}{}", out.empty() ? "" : separator, before, item, after);
    }
    return out;
}

bool check_value(const Value& value, const KeyRow& row, const std::string& key,
                 base::Diagnostics& diagnostics) {
    return ValueChecker(row, key, diagnostics).check(value);
}

} // namespace liaison::text
