// SPDX-License-Identifier: Apache-2.0
// Cuts the text of an expression into tokens.
#include "liaison/text/lexer.hpp"

#include "liaison/base/number.hpp"
#include "liaison/base/utf8.hpp"
#include "liaison/text/lookalikes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace liaison::text {

namespace {

using base::Code;

bool begins_word(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return '0' <= c && c <= '9'; }

struct Symbol {
    std::string_view text;
    TokenKind kind;
};
constexpr std::array k_symbols{
    Symbol{"<=", TokenKind::less_equal},   Symbol{">=", TokenKind::greater_equal},
    Symbol{"<", TokenKind::less},          Symbol{">", TokenKind::greater},
    Symbol{"=", TokenKind::equals},        Symbol{"+", TokenKind::plus},
    Symbol{"-", TokenKind::minus},         Symbol{"*", TokenKind::star},
    Symbol{"/", TokenKind::slash},         Symbol{"^", TokenKind::caret},
    Symbol{",", TokenKind::comma},         Symbol{"(", TokenKind::open},
    Symbol{")", TokenKind::close},         Symbol{"[", TokenKind::open_bracket},
    Symbol{"]", TokenKind::close_bracket}, Symbol{"'", TokenKind::prime},
};

// Operators of programming languages, and what liaison writes instead.
struct Foreign {
    std::string_view text;
    TokenKind meant;
    std::string_view replacement;
    std::string_view remedy;
};
constexpr std::array k_foreign{
    Foreign{"**", TokenKind::caret, "^", "powers are written with ^"},
    Foreign{"&&", TokenKind::word_and, " and ", "write the word `and`"},
    Foreign{"||", TokenKind::word_or, " or ", "write the word `or`"},
    Foreign{"!=", TokenKind::bad, "",
            "two quantities of a motion are practically never equal; compare with < or >"},
    Foreign{"==", TokenKind::equals, "",
            "two quantities of a motion are equal only at an instant; use `when = \"a - b\"` for "
            "the crossing, or compare with <= or >="},
    Foreign{"<>", TokenKind::bad, "", "compare with < or >"},
    Foreign{"!", TokenKind::word_not, "not ", "write the word `not`"},
    Foreign{"%", TokenKind::bad, "", "the remainder of a division is mod(a, b)"},
};

class Lexer {
  public:
    Lexer(const Passage& passage, base::Diagnostics& diagnostics)
        : passage_(passage), text_(passage.text), diagnostics_(diagnostics) {}

    std::vector<Token> run() {
        while (at_ < text_.size() && diagnostics_.error_count() < enough_) {
            const char c = text_[at_];
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                ++at_;
            } else if (begins_word(c)) {
                name();
            } else if (is_digit(c) ||
                       (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
                number();
            } else if (!foreign() && !symbol() && !dot()) {
                stranger();
            }
        }
        if (at_ < text_.size()) push(TokenKind::bad, text_.size());
        push(TokenKind::end, at_);
        return std::move(tokens_);
    }

  private:
    void push(TokenKind kind, std::size_t end, double value = 0.0) {
        tokens_.push_back(
            {kind, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end), value});
        at_ = end;
    }

    std::size_t end_of_word(std::size_t i) const {
        while (i < text_.size() && (begins_word(text_[i]) || is_digit(text_[i]))) ++i;
        return i;
    }

    void name() {
        std::size_t end = end_of_word(at_);
        while (end + 1 < text_.size() && text_[end] == '.' && begins_word(text_[end + 1])) {
            end = end_of_word(end + 1);
        }
        const std::string_view spelt = text_.substr(at_, end - at_);
        push(spelt == "and"   ? TokenKind::word_and
             : spelt == "or"  ? TokenKind::word_or
             : spelt == "not" ? TokenKind::word_not
                              : TokenKind::name,
             end);
    }

    // digits [. digits] [e [+-] digits], then no letter.
    void number() {
        std::size_t end = at_;
        const auto digits = [&] {
            while (end < text_.size() && is_digit(text_[end])) ++end;
        };
        digits();
        if (end < text_.size() && text_[end] == '.') {
            ++end;
            digits();
        }
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            std::size_t power = end + 1;
            if (power < text_.size() && (text_[power] == '+' || text_[power] == '-')) ++power;
            if (power < text_.size() && is_digit(text_[power])) {
                end = power;
                digits();
            }
        }
        const std::size_t tail = end_of_word(end);
        if (tail > end) {
            glued(end, tail);
            return;
        }
        if (end < text_.size() && text_[end] == '.') {
            while (end < text_.size() && (text_[end] == '.' || is_digit(text_[end]))) ++end;
            diagnostics_.report(Code::bad_number, "a number with two decimal points")
                .at(span(at_, end), "one point separates the decimals, nothing the thousands");
            push(TokenKind::bad, end);
            return;
        }
        const auto value = base::parse_number(text_.substr(at_, end - at_));
        if (!value) {
            diagnostics_.report(Code::bad_number, "the number is too large")
                .at(span(at_, end), "double precision ends near 1.8e308")
                .note("choose units in which the quantities are of moderate size");
            push(TokenKind::bad, end);
            return;
        }
        push(TokenKind::number, end, *value);
    }

    // 2x: a number directly followed by a name.
    void glued(std::size_t end, std::size_t tail) {
        const std::string digits(text_.substr(at_, end - at_));
        const std::string rest(text_.substr(end, tail - end));
        diagnostics_
            .report(Code::bad_number,
                    fmt::format("`{}{}` is neither a number nor a name", digits, rest))
            .at(span(at_, tail), "a product needs its * sign")
            .fix(span(at_, tail), fmt::format("{}*{}", digits, rest),
                 fmt::format("did you mean `{}*{}`?", digits, rest));
        push(TokenKind::bad, tail);
    }

    bool foreign() {
        const std::string_view rest = text_.substr(at_);
        const auto* const found = std::ranges::find_if(
            k_foreign, [&](const Foreign& f) { return rest.starts_with(f.text); });
        if (found == k_foreign.end()) return false;
        const Span where = span(at_, at_ + found->text.size());
        auto& report = diagnostics_.report(
            Code::foreign_operator, fmt::format("liaison has no operator `{}`", found->text));
        report.at(where);
        if (found->replacement.empty()) {
            report.note(std::string(found->remedy));
        } else {
            report.fix(where, std::string(found->replacement), std::string(found->remedy));
        }
        // What was meant is kept, so that reading goes on; a bad token silences what follows.
        const bool readable = found->meant != TokenKind::equals;
        push(readable ? found->meant : TokenKind::bad, at_ + found->text.size());
        return true;
    }

    bool symbol() {
        const std::string_view rest = text_.substr(at_);
        const auto* const found = std::ranges::find_if(
            k_symbols, [&](const Symbol& s) { return rest.starts_with(s.text); });
        if (found == k_symbols.end()) return false;
        push(found->kind, at_ + found->text.size());
        return true;
    }

    // ball[i].x, ball.point(a, b, c).x: a dot that goes on with a name after an index or a call.
    bool dot() {
        const bool after_closing = !tokens_.empty() && tokens_.back().end == at_ &&
                                   (tokens_.back().kind == TokenKind::close_bracket ||
                                    tokens_.back().kind == TokenKind::close);
        const bool before_name = at_ + 1 < text_.size() && begins_word(text_[at_ + 1]);
        if (text_[at_] != '.' || !after_closing || !before_name) return false;
        push(TokenKind::dot, at_ + 1);
        return true;
    }

    // A run of characters that no expression contains.
    void stranger() {
        const base::CodePoint first = base::decode_utf8(text_, at_);
        if (const Lookalike* like = find_lookalike(first.value)) {
            lookalike(*like, first.length);
            return;
        }
        std::size_t end = at_ + first.length;
        while (end < text_.size() && static_cast<unsigned char>(text_[end]) >= 0x80) {
            const base::CodePoint next = base::decode_utf8(text_, end);
            if (find_lookalike(next.value) != nullptr) break;
            end += next.length;
        }
        auto& report = diagnostics_.report(
            Code::unexpected_character,
            fmt::format("`{}` cannot stand in an expression",
                        base::printable(text_.substr(at_, std::min<std::size_t>(end - at_, 40)))));
        report.at(span(at_, end));
        remedy(report, first.value);
        push(TokenKind::bad, end);
    }

    static void remedy(base::Diagnostic& report, char32_t value) {
        if (value >= 0x80) {
            report.note("names are made of ASCII letters, digits and _");
        } else if (value == U'"') {
            report.note("an expression is one string; names in it stand without quotes");
        } else if (value == U'{' || value == U'}') {
            report.note("group with parentheses ( )");
        } else if (value == U';' || value == U':') {
            report.note("arguments are separated by commas");
        } else if (value == U'.') {
            report.note("a point belongs to a number (0.5) or joins two names (u.belt)");
        } else {
            report.note(
                "expressions are made of numbers, names, + - * / ^ ( ) , < > and the prime '");
        }
    }

    // Typographic operators become what they look like; letters such as γ become names.
    void lookalike(const Lookalike& like, std::size_t length) {
        const Span where = span(at_, at_ + length);
        diagnostics_
            .report(Code::unexpected_character,
                    fmt::format("`{}` cannot stand in an expression", text_.substr(at_, length)))
            .at(where, std::string(like.what))
            .fix(where, std::string(like.replacement), fmt::format("write {}", like.replacement));
        push(like.meant, at_ + length);
    }

    Span span(std::size_t begin, std::size_t end) const { return passage_.span(begin, end); }

    const Passage& passage_;
    std::string_view text_;
    base::Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    // A text with so many strange characters is no expression at all.
    std::size_t enough_ = diagnostics_.error_count() + 10;
};

} // namespace

std::vector<Token> tokenize(const Passage& passage, base::Diagnostics& diagnostics) {
    return Lexer(passage, diagnostics).run();
}

} // namespace liaison::text
