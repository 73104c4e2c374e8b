// SPDX-License-Identifier: Apache-2.0
// Every code has a unique text and a complete row.
#include "liaison/base/codes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>

using namespace liaison::base;

TEST_CASE("every row is complete and unique") {
    std::set<std::string_view> texts, titles;
    for (const CodeRow& r : all_codes()) {
        INFO(r.text);
        CHECK(texts.insert(r.text).second);
        CHECK(titles.insert(r.title).second);
        REQUIRE(r.text.size() == 5);
        CHECK((r.text[0] == 'E' || r.text[0] == 'W'));
        CHECK(std::all_of(r.text.begin() + 1, r.text.end(),
                          [](unsigned char c) { return std::isdigit(c) != 0; }));
        CHECK(&row(r.code) == &r);
        CHECK_FALSE(r.title.empty());
        CHECK_FALSE(r.title.ends_with('.'));
        CHECK(r.explanation.size() > 40);
        CHECK(r.explanation.ends_with('.'));
        CHECK_FALSE(r.wrong.empty());
        CHECK_FALSE(r.right.empty());
        CHECK(r.wrong != r.right);
    }
}

TEST_CASE("codes are found by their text in any case") {
    CHECK(find_code("E0204") == Code::unknown_name);
    CHECK(find_code("e0204") == Code::unknown_name);
    CHECK(find_code("E9999") == std::nullopt);
    CHECK(find_code("") == std::nullopt);
    CHECK(severity_of(Code::unknown_name) == Severity::error);
    CHECK(severity_of(Code::unused_parameter) == Severity::warning);
}

TEST_CASE("explanations and the page of all codes come from the rows") {
    const std::string page = codes_markdown();
    for (const CodeRow& r : all_codes()) {
        const std::string text = explain(r.code);
        CHECK(text.find(r.title) != std::string::npos);
        CHECK(text.find(r.explanation) != std::string::npos);
        CHECK(page.find("## " + std::string(r.text) + ": ") != std::string::npos);
    }
}
