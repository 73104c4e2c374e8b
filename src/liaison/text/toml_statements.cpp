// SPDX-License-Identifier: Apache-2.0
// Cuts a TOML text into its statements, tolerant of mistakes: [headers] and key = value.
#include "liaison/text/toml_statements.hpp"

#include <algorithm>

namespace liaison::text {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_key_character(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

class Scanner {
  public:
    Scanner(std::string_view text, std::size_t begin) : text_(text), at_(begin) {}

    std::vector<Statement> run() {
        std::vector<Statement> statements;
        while (skip_to_statement()) statements.push_back(statement());
        return statements;
    }

  private:
    bool at_end() const { return at_ >= text_.size(); }
    char here() const { return text_[at_]; }

    void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

    // Over blanks, empty lines and comments.
    bool skip_to_statement() {
        while (!at_end()) {
            if (here() == '#') {
                skip_line();
            } else if (is_blank(here()) || here() == '\n') {
                ++at_;
            } else {
                return true;
            }
        }
        return false;
    }

    Statement statement() {
        current_ = {};
        current_.begin = current_.end = at_;
        depth_ = 0;
        dots_ = 0;
        seen_equals_ = false;
        openers_.clear();
        if (here() == '[') current_.kind = StatementKind::header;
        while (!at_end() && step()) {
        }
        if (depth_ > 0) {
            current_.open_list = true;
            if (!current_.open_string) current_.opener = openers_.back();
        }
        return current_;
    }

    // Takes one character, string or comment; false at the end of the statement.
    bool step() {
        const char c = here();
        if (c == '\n') return line_break();
        if (c == '#') {
            skip_line();
            return true;
        }
        if (c == '"' || (c == '\'' && !is_prime())) return string();
        structure(c);
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x7F || byte < 0x20) && !is_blank(c) && !current_.stranger) {
            current_.stranger = at_;
        }
        if (!is_blank(c)) current_.end = at_ + 1;
        ++at_;
        return true;
    }

    // x' and (x + y)': a quote glued to a word or a parenthesis opens no string.
    bool is_prime() const {
        if (at_ == current_.begin) return false;
        const char before = text_[at_ - 1];
        return is_letter(before) || before == ')' || before == ']' || before == '\'';
    }

    bool string() {
        const auto end = end_of_string(text_, at_);
        if (end) {
            current_.end = at_ = *end;
            return true;
        }
        if (!current_.open_string) {
            current_.open_string = true;
            current_.opener = at_;
        }
        skip_line();
        current_.end = at_;
        while (current_.end > current_.begin && is_blank(text_[current_.end - 1])) --current_.end;
        return false;
    }

    void structure(char c) {
        if (c == '.') {
            current_.dots = std::max(current_.dots, ++dots_);
            if (!is_digit(at_ - 1) || !is_digit(at_ + 1)) ++current_.joints;
        } else if (c == '=' && !seen_equals_ && depth_ == 0) {
            assignment();
        } else if (c == '[' || c == '{') {
            openers_.push_back(at_);
            current_.deepest = std::max(current_.deepest, ++depth_);
        } else if ((c == ']' || c == '}') && depth_ > 0) {
            openers_.pop_back();
            --depth_;
        }
        if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') dots_ = 0;
    }

    bool is_digit(std::size_t i) const {
        return i < text_.size() && '0' <= text_[i] && text_[i] <= '9';
    }

    void assignment() {
        seen_equals_ = true;
        current_.kind = StatementKind::assignment;
        current_.key_end = current_.end;
        current_.value = at_ + 1;
        while (current_.value < text_.size() && is_blank(text_[current_.value])) ++current_.value;
    }

    // A statement ends with its line unless a list is open; an open list that meets what looks like
    // the next statement was forgotten.
    bool line_break() {
        if (depth_ == 0 || current_.kind == StatementKind::header) return false;
        ++at_;
        return !looks_like_statement(at_);
    }

    bool looks_like_statement(std::size_t i) const {
        const std::size_t begin = i;
        if (i < text_.size() && text_[i] == '[') {
            const std::size_t line_end = std::min(text_.find('\n', i), text_.size());
            while (i < line_end && (text_[i] == '[' || is_key_character(text_[i]))) ++i;
            const bool named = i < line_end && text_[i] == ']' && is_letter(text_[i - 1]);
            return named && text_.substr(begin, i - begin).find(',') == std::string_view::npos;
        }
        while (i < text_.size() && is_key_character(text_[i])) ++i;
        if (i == begin) return false;
        while (i < text_.size() && is_blank(text_[i])) ++i;
        return i < text_.size() && text_[i] == '=';
    }

    static bool is_letter(char c) { return is_key_character(c) && c != '.' && c != '-'; }

    std::string_view text_;
    std::size_t at_;
    Statement current_;
    std::size_t depth_ = 0;
    std::size_t dots_ = 0;
    bool seen_equals_ = false;
    std::vector<std::size_t> openers_;
};

} // namespace

std::optional<std::size_t> end_of_string(std::string_view text, std::size_t begin) {
    const char quote = text[begin];
    const std::string_view rest = text.substr(begin);
    const bool triple = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    std::size_t i = begin + (triple ? 3 : 1);
    while (i < text.size()) {
        const char c = text[i];
        if (c == '\\' && quote == '"') {
            // An escaped line break ends a short string all the same.
            if (!triple && i + 1 < text.size() && text[i + 1] == '\n') return std::nullopt;
            i += 2;
        } else if (c == '\n' && !triple) {
            return std::nullopt;
        } else if (c != quote) {
            ++i;
        } else if (!triple) {
            return i + 1;
        } else {
            // Up to two quotes may stand directly before the closing three.
            std::size_t quotes = 0;
            while (i + quotes < text.size() && quotes < 5 && text[i + quotes] == quote) ++quotes;
            if (quotes >= 3) return i + quotes;
            i += quotes;
        }
    }
    return std::nullopt;
}

std::vector<Statement> scan_statements(std::string_view text, std::size_t begin) {
    return Scanner(text, begin).run();
}

} // namespace liaison::text
