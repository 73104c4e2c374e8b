// SPDX-License-Identifier: Apache-2.0
// Places in source texts: lines, columns in code points, broken UTF-8.
#include "liaison/base/source.hpp"

#include "liaison/base/utf8.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace liaison::base;

TEST_CASE("lines and columns count from one, columns in code points") {
    const auto file = SourceFile::make("m.toml", "ab\nγω=1\r\n\nlast");
    CHECK(file->line_count() == 4);
    CHECK(file->line(1) == "ab");
    CHECK(file->line(2) == "γω=1");
    CHECK(file->line(3).empty());
    CHECK(file->line(4) == "last");
    CHECK(file->line(5).empty());
    CHECK(file->position(0) == Position{1, 1});
    CHECK(file->position(2) == Position{1, 3});
    CHECK(file->position(3) == Position{2, 1});
    CHECK(file->position(3 + 4) == Position{2, 3});
    CHECK(file->position(1000) == Position{4, 5});
}

TEST_CASE("position and offset are inverse on every character") {
    CHECK(rc::check([](const std::vector<std::uint16_t>& values) {
        std::string text;
        for (const std::uint16_t value : values) {
            append_utf8(text, value % 7 == 0 ? U'\n' : value < 0xD800 ? value : U'x');
        }
        const auto file = SourceFile::make("random", text);
        for (std::size_t line = 1; line <= file->line_count(); ++line) {
            std::size_t i = file->line_begin(line);
            const std::size_t end = i + file->line(line).size();
            while (i < end) {
                RC_ASSERT(file->offset(file->position(i)) == i);
                i += decode_utf8(file->text(), i).length;
            }
        }
    }));
}

TEST_CASE("broken UTF-8 is found at its first byte") {
    CHECK(!SourceFile::make("", "γ x\u2019 \U0001F600")->first_invalid_utf8());
    CHECK(SourceFile::make("", "ab\xe9lastique")->first_invalid_utf8() == 2);
    CHECK(SourceFile::make("", "\xc0\xaf")->first_invalid_utf8() == 0);         // overlong /
    CHECK(SourceFile::make("", "a\xed\xa0\x80")->first_invalid_utf8() == 1);    // surrogate
    CHECK(SourceFile::make("", "a\xf4\x90\x80\x80")->first_invalid_utf8() == 1); // > U+10FFFF
    CHECK(SourceFile::make("", "ab\xce")->first_invalid_utf8() == 2);           // cut off
}

TEST_CASE("encoding and decoding agree for every code point") {
    for (char32_t value = 0; value <= 0x10FFFF; ++value) {
        if (0xD800 <= value && value <= 0xDFFF) continue;
        std::string text;
        append_utf8(text, value);
        const CodePoint back = decode_utf8(text, 0);
        REQUIRE(back.valid);
        REQUIRE(back.value == value);
        REQUIRE(back.length == text.size());
    }
}

TEST_CASE("spans know their text and can be joined") {
    const auto file = SourceFile::make("m", "alpha beta");
    const Span a{file.get(), 0, 5};
    const Span b{file.get(), 6, 10};
    CHECK(b.text() == "beta");
    CHECK(cover(b, a).text() == "alpha beta");
    CHECK(cover(Span{}, b) == b);
    CHECK(cover(a, Span{}) == a);
    CHECK(Span{file.get(), 20, 30}.text().empty());
}
