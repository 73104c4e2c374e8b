// SPDX-License-Identifier: Apache-2.0
// Tells a TOML syntax error in words of model files: what was probably meant, and how it is written.
#include "liaison/text/toml_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace liaison::text {

namespace {

using base::Code;
using base::Diagnostic;
using base::Span;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

bool is_latin_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

bool is_word_character(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
}

class Teller {
  public:
    Teller(const base::SourceFile& file, const std::vector<Statement>& statements,
           const TomlError& error, base::Diagnostics& diagnostics)
        : file_(file), text_(file.text()), statements_(statements), error_(error),
          diagnostics_(diagnostics) {}

    void run() {
        statement_ = guilty_statement(statements_, error_.offset);
        if (statement_ == nullptr) return plain();
        if (error_.description.find("cannot redefine") != std::string_view::npos ||
            error_.description.find("cannot insert") != std::string_view::npos) {
            return redefined();
        }
        switch (statement_->kind) {
        case StatementKind::header: return header();
        case StatementKind::assignment: return assignment();
        case StatementKind::other: return other();
        }
    }

  private:
    Span span(std::size_t begin, std::size_t end) const {
        return {&file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }
    std::string_view slice(std::size_t begin, std::size_t end) const {
        return text_.substr(begin, end - begin);
    }
    std::string_view key() const { return trimmed(slice(statement_->begin, statement_->key_end)); }
    Diagnostic& report(Code code, std::string message) {
        return diagnostics_.report(code, std::move(message));
    }

    // What the reader said, without its own preamble.
    void plain() {
        std::string_view said = error_.description;
        if (const auto colon = said.find(": ");
            said.starts_with("Error while") && colon != std::string_view::npos) {
            said.remove_prefix(colon + 2);
        }
        const std::size_t at = std::min(error_.offset, text_.size());
        report(Code::toml_syntax, fmt::format("this is not valid TOML: {}", said))
            .at(span(at, std::min(at + 1, text_.size())));
    }

    void redefined() {
        const bool is_header = statement_->kind == StatementKind::header;
        const std::size_t end = is_header ? statement_->end : statement_->key_end;
        const std::string name(trimmed(slice(statement_->begin, end)));
        auto& d = report(Code::duplicate_key,
                         is_header ? fmt::format("the table {} is defined twice", name)
                                   : fmt::format("the key `{}` is defined twice", name));
        d.at(span(statement_->begin, end), "again here");
        if (const Statement* first = first_definition()) {
            const std::size_t first_end =
                first->kind == StatementKind::header ? first->end : first->key_end;
            d.see(span(first->begin, first_end), "first defined here");
        }
        if (is_header && name.starts_with("[force")) {
            d.note("two forces are two tables, [force.A] and [force.B]; they add up");
        }
        d.note("remove or rename one of them");
    }

    // The earlier statement with the same key in the same table, or the same header.
    const Statement* first_definition() const {
        const auto same = [&](const Statement& a, const Statement& b) {
            const auto end = [](const Statement& s) {
                return s.kind == StatementKind::header ? s.end : s.key_end;
            };
            return a.kind == b.kind &&
                   trimmed(slice(a.begin, end(a))) == trimmed(slice(b.begin, end(b)));
        };
        const bool is_header = statement_->kind == StatementKind::header;
        const Statement* found = nullptr;
        for (const Statement& s : statements_) {
            if (&s == statement_) break;
            if (!is_header && s.kind == StatementKind::header) found = nullptr;
            if (found == nullptr && same(s, *statement_)) found = &s;
        }
        return found;
    }

    void header() {
        const std::string_view line = slice(statement_->begin, statement_->end);
        const std::size_t inner = line.find_first_not_of('[');
        const std::string_view name =
            inner == std::string_view::npos
                ? std::string_view{}
                : trimmed(line.substr(inner, line.find(']', inner) - inner));
        auto& d = report(Code::toml_syntax, "this table header cannot be read");
        d.at(span(statement_->begin, statement_->end));
        if (statement_->stranger) {
            d.note("names in headers are made of ASCII letters, digits, _ and -");
        } else if (name.empty()) {
            d.note("a header names its table: [contact.tip]");
        } else if (name.find('[') != std::string_view::npos) {
            const std::size_t dot = std::min(name.find('.'), name.size());
            const std::string member =
                dot < name.size() ? std::string(name.substr(dot + 1)) + "]" : "touch[i]";
            d.note(fmt::format("a name with an index stands in quotes: [{}.\"{}\"]",
                               name.substr(0, dot), member));
        } else if (name.find(' ') != std::string_view::npos) {
            std::string dotted(name);
            std::ranges::replace(dotted, ' ', '.');
            d.fix(span(statement_->begin, statement_->end), fmt::format("[{}]", dotted),
                  fmt::format("did you mean [{}]?", dotted));
        } else if (line.find(']') == std::string_view::npos) {
            d.fix(span(statement_->end, statement_->end), "]", "close it with ]");
        } else {
            d.note("a header stands alone on its line: [contact.tip]");
        }
    }

    void assignment() {
        if (key().find('\'') != std::string_view::npos) return primed_key();
        if (statement_->open_string) return open_string();
        if (statement_->value >= statement_->end) return no_value();
        if (error_.offset < statement_->key_end) return bad_key();
        if (error_.description.find("escape") != std::string_view::npos) return bad_escape();
        if (statement_->open_list) return open_list();
        const char first = text_[statement_->value];
        if (first == '[' || first == '{') return inside_list();
        if (first != '"' && first != '\'') return unquoted();
        behind_value();
    }

    void primed_key() {
        std::string name(key());
        std::erase(name, '\'');
        report(Code::prime_in_key, fmt::format("a key cannot contain ': `{}`", key()))
            .at(span(statement_->begin, statement_->key_end))
            .note(fmt::format("initial velocities live in their own table: [start.velocity] with "
                              "{} = {}",
                              name,
                              trimmed(slice(statement_->value, statement_->end)).substr(0, 40)));
    }

    void open_string() {
        const bool triple = text_.substr(statement_->opener).starts_with("\"\"\"") ||
                            text_.substr(statement_->opener).starts_with("'''");
        const std::string quote(triple ? 3 : 1, text_[statement_->opener]);
        auto& d = report(Code::unfinished_string, "a string has no closing quote");
        d.at(span(statement_->opener, triple ? statement_->opener + 3 : statement_->end),
             "opened here");
        if (triple) {
            d.note(fmt::format("close it with {}", quote));
        } else {
            d.fix(span(statement_->end, statement_->end), quote,
                  fmt::format("close it with {} on the same line", quote));
        }
    }

    void no_value() {
        report(Code::toml_syntax, fmt::format("the key `{}` has no value", key()))
            .at(span(statement_->begin, statement_->end), "something should follow the =")
            .note("write key = value, or remove the line");
    }

    void bad_key() {
        report(Code::toml_syntax, fmt::format("`{}` cannot be a key", key()))
            .at(span(statement_->begin, statement_->key_end))
            .note(
                "bare keys consist of letters, digits, _ and -; other keys stand in double quotes");
    }

    void bad_escape() {
        const std::size_t at = std::min(error_.offset, text_.size());
        const std::size_t slash = std::min(text_.rfind('\\', at), at);
        report(Code::toml_syntax,
               "a backslash in double quotes begins an escape such as \\\" or \\u03b3")
            .at(span(slash, std::min(slash + 2, text_.size())), "this one is unknown")
            .note("expressions need no backslash; in texts write \\\\ or use single quotes");
    }

    void open_list() {
        const char opener = text_[statement_->opener];
        report(Code::toml_syntax, fmt::format("`{}` is never closed", opener))
            .at(span(statement_->opener, statement_->opener + 1), "opened here")
            .fix(span(statement_->end, statement_->end), opener == '[' ? "]" : "}",
                 fmt::format("close it with `{}`", opener == '[' ? ']' : '}'));
    }

    // [x, y] → ["x", "y"]; empty unless all entries are bare words.
    std::string quoted_list() const {
        std::string_view list = slice(statement_->value, statement_->end);
        if (!list.starts_with('[') || !list.ends_with(']')) return {};
        list = list.substr(1, list.size() - 2);
        std::string out;
        while (!list.empty()) {
            const std::size_t comma = std::min(list.find(','), list.size());
            const std::string_view word = trimmed(list.substr(0, comma));
            if (word.empty() || !std::ranges::all_of(word, is_word_character)) return {};
            out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", word);
            list.remove_prefix(std::min(comma + 1, list.size()));
        }
        return "[" + out + "]";
    }

    // coordinates = [x, y]
    void inside_list() {
        if (const std::string quoted = quoted_list(); !quoted.empty()) {
            const Span where = span(statement_->value, statement_->end);
            report(Code::unquoted_expression, "names in a list stand in double quotes")
                .at(where)
                .fix(where, quoted, fmt::format("write {}", quoted.substr(0, 80)));
            return;
        }
        const std::size_t at = std::clamp(error_.offset, statement_->value, statement_->end);
        std::size_t begin = at, end = at;
        while (begin > statement_->value && is_word_character(text_[begin - 1])) --begin;
        while (end < statement_->end &&
               std::string_view(",]}\n#").find(text_[end]) == std::string_view::npos) {
            ++end;
        }
        const std::string_view word = trimmed(slice(begin, end));
        const bool expected_value =
            error_.description.find("value type") != std::string_view::npos ||
            error_.description.find("boolean") != std::string_view::npos ||
            error_.description.find("expected 'inf'") != std::string_view::npos ||
            error_.description.find("expected 'nan'") != std::string_view::npos;
        if (!word.empty() && expected_value) {
            report(Code::unquoted_expression, fmt::format("`{}` must stand in double quotes", word))
                .at(span(begin, begin + word.size()))
                .fix(span(begin, begin + word.size()), fmt::format("\"{}\"", word),
                     fmt::format("write \"{}\"", word));
            return;
        }
        if (slice(at, statement_->end).find(':') == 0 ||
            slice(begin, end).find(':') != std::string_view::npos) {
            const Span where = span(at, std::min(at + 1, text_.size()));
            report(Code::toml_syntax, "inside { } keys and values are joined by =")
                .at(where)
                .fix(where, " =", "write key = value");
            return;
        }
        auto& d = report(Code::toml_syntax, text_[statement_->value] == '['
                                                ? "this list cannot be read"
                                                : "this inline table cannot be read");
        d.at(span(at, std::min(at + 1, text_.size())), "reading stopped here");
        d.note(text_[statement_->value] == '['
                   ? "entries are separated by commas: [\"x\", \"y\"]"
                   : "it stands on one line, with commas between: { value = 1.0, unit = \"kg\" }");
    }

    // 1.0 kg, 2,5 and 2.0 // seconds: a number and something that is no operator.
    bool after_number(std::string_view value, Span where) {
        const std::size_t digits =
            std::min(value.find_first_not_of("+-0123456789._"), value.size());
        const std::string number(value.substr(0, digits));
        const std::string_view rest = trimmed(value.substr(digits));
        if (number.find_first_of("0123456789") == std::string::npos) return false;
        if (rest.starts_with("//")) {
            const std::size_t at = statement_->value + value.find("//");
            report(Code::toml_syntax, "comments begin with #")
                .at(span(at, at + 2))
                .fix(span(at, at + 2), "#", "write #");
            return true;
        }
        if (rest.starts_with(',')) {
            std::string pointed(value);
            std::ranges::replace(pointed, ',', '.');
            report(Code::toml_syntax, "a comma cannot stand in a number")
                .at(where)
                .fix(where, pointed, fmt::format("decimals are written with a point: {}", pointed));
            return true;
        }
        const bool blank = value.substr(digits).starts_with(' ');
        if (!blank || rest.empty() || !is_latin_letter(rest.front()) ||
            rest.find('(') != rest.npos) {
            return false;
        }
        const std::string full = fmt::format("{{ value = {}, unit = \"{}\" }}", number, rest);
        report(Code::toml_syntax, fmt::format("`{}` stands behind the number", rest))
            .at(where)
            .fix(where, full, fmt::format("a parameter with a unit is written {}", full));
        return true;
    }

    // .5, 5., 007, 1e999 and 99999999999999999999: numbers to the eye, not to TOML.
    bool odd_number(std::string_view value, Span where) {
        if (value.find_first_of("0123456789") == value.npos ||
            value.find_first_not_of("+-0123456789._eE") != value.npos)
            return false;
        std::string plain(value);
        std::erase(plain, '_');
        char* end = nullptr;
        const double number = std::strtod(plain.c_str(), &end);
        if (*end != '\0') return false;
        if (!std::isfinite(number)) {
            report(Code::value_out_of_range, fmt::format("the number of `{}` is too large", key()))
                .at(where)
                .note("numbers reach 1.7e308");
            return true;
        }
        std::string written = fmt::format("{}", number);
        if (plain.find('.') != plain.npos && written.find_first_of(".e") == written.npos)
            written += ".0";
        report(Code::toml_syntax,
               fmt::format("the number of `{}` is not written as TOML has it", key()))
            .at(where)
            .fix(where, written, fmt::format("write {}", written));
        return true;
    }

    // V = m*g*y
    void unquoted() {
        const std::string_view value = trimmed(slice(statement_->value, statement_->end));
        const Span where = span(statement_->value, statement_->value + value.size());
        if (value == "True" || value == "False" || value == "TRUE" || value == "FALSE") {
            report(Code::toml_syntax, "truth values are written in lower case")
                .at(where)
                .fix(where, value.front() == 'T' ? "true" : "false", "write true or false");
            return;
        }
        if (value.starts_with('=')) {
            const Span second = span(statement_->value, statement_->value + 1);
            report(Code::toml_syntax, fmt::format("two equals signs behind `{}`", key()))
                .at(second)
                .fix(second, "", "write one");
            return;
        }
        if (odd_number(value, where) || after_number(value, where)) return;
        if (value.find(" = ") != std::string_view::npos &&
            value.find_first_of("+*/^(") == value.npos) {
            behind_value();
            return;
        }
        auto& d = report(Code::unquoted_expression,
                         fmt::format("the value of `{}` must stand in double quotes", key()));
        d.at(where, "neither a number nor a string");
        // A closing quote without an opening one.
        std::string inner(value);
        std::erase(inner, '"');
        if (inner.size() <= 60) {
            d.fix(where, fmt::format("\"{}\"", inner), fmt::format("write \"{}\"", inner));
        } else {
            d.note("expressions are strings");
        }
    }

    void behind_value() {
        const std::size_t at = std::min(error_.offset, text_.size());
        if (text_.substr(at).starts_with("//")) {
            report(Code::toml_syntax, "comments begin with #").at(span(at, at + 2));
            return;
        }
        auto& d = report(Code::toml_syntax, "something stands behind the value");
        d.at(span(at, std::max(statement_->end, std::min(at + 1, text_.size()))));
        d.note("each key stands on a line of its own; inside a string a quote is written \\\"");
    }

    // Neither header nor key = value.
    void other() {
        const std::string_view line = slice(statement_->begin, statement_->end);
        auto& d =
            report(Code::toml_syntax, "this line is neither a [table] header nor key = value");
        d.at(span(statement_->begin, statement_->end));
        const std::size_t colon = line.find(':');
        if (line.starts_with("//") || line.starts_with("%") || line.starts_with(";")) {
            d.note("comments begin with #");
        } else if (colon != std::string_view::npos) {
            const std::size_t at = statement_->begin + colon;
            d.fix(span(at, at + 1), " =", "keys and values are joined by =");
        } else {
            d.note("comments begin with #; a key has the form key = value");
        }
    }

    const base::SourceFile& file_;
    std::string_view text_;
    const std::vector<Statement>& statements_;
    const TomlError& error_;
    base::Diagnostics& diagnostics_;
    const Statement* statement_ = nullptr;
};

} // namespace

const Statement* guilty_statement(const std::vector<Statement>& statements, std::size_t offset) {
    const auto after = std::ranges::upper_bound(statements, offset, {}, &Statement::begin);
    if (after == statements.begin()) return nullptr;
    const Statement* found = &*(after - 1);
    // An unfinished statement makes the reader stumble over the next one.
    if (found != statements.data()) {
        const Statement* before = found - 1;
        if (before->open_list || before->open_string) return before;
    }
    return found;
}

void report_toml_error(const base::SourceFile& file, const std::vector<Statement>& statements,
                       const TomlError& error, base::Diagnostics& diagnostics) {
    Teller(file, statements, error, diagnostics).run();
}

} // namespace liaison::text
