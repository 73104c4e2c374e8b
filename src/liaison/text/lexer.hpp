// SPDX-License-Identifier: Apache-2.0
// Cuts the text of an expression into tokens.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/passage.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace liaison::text {

enum class TokenKind : std::uint8_t {
    number,
    name,  // with its dots: u.belt
    prime,
    plus,
    minus,
    star,
    slash,
    caret,
    less,
    less_equal,
    greater,
    greater_equal,
    equals,
    comma,
    open,           // (
    close,          // )
    open_bracket,   // [
    close_bracket,  // ]
    dot,            // between ] and a name: ball[i].x
    word_and,
    word_or,
    word_not,
    bad,  // reported already
    end,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::uint32_t begin = 0, end = 0;
    double value = 0.0;  // number
};

// Tokens of the passage, the last one `end`. Characters that do not belong are reported; where it is
// clear what was meant (× for *, ** for ^), the token is the one that was meant.
[[nodiscard]] std::vector<Token> tokenize(const Passage& passage, base::Diagnostics& diagnostics);

} // namespace liaison::text
