// SPDX-License-Identifier: Apache-2.0
// Did you mean: edit distance and the choice of the nearest word.
#include "liaison/base/nearest.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace liaison::base;

namespace {

// Levenshtein distance with neighbouring swaps, by its recursive definition.
std::size_t by_definition(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return a.size() + b.size();
    const auto head = [](std::string_view s, std::size_t n) { return s.substr(0, s.size() - n); };
    std::size_t best = std::min({by_definition(head(a, 1), b) + 1, by_definition(a, head(b, 1)) + 1,
                                 by_definition(head(a, 1), head(b, 1)) + (a.back() != b.back())});
    if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] &&
        a[a.size() - 2] == b.back()) {
        best = std::min(best, by_definition(head(a, 2), head(b, 2)) + 1);
    }
    return best;
}

} // namespace

TEST_CASE("edit distance of known pairs") {
    CHECK(edit_distance("kitten", "sitting", 10) == 3);
    CHECK(edit_distance("gap", "gpa", 10) == 1);
    CHECK(edit_distance("", "abc", 10) == 3);
    CHECK(edit_distance("abc", "abc", 10) == 0);
    CHECK(edit_distance("abcdef", "x", 2) == 3);
}

TEST_CASE("edit distance agrees with its definition") {
    CHECK(rc::check([] {
        const auto letter = rc::gen::element('a', 'b', 'c');
        const auto word = [&] {
            const auto size = *rc::gen::inRange<std::size_t>(0, 6);
            return *rc::gen::container<std::string>(size, letter);
        };
        const std::string a = word();
        const std::string b = word();
        RC_ASSERT(edit_distance(a, b, 20) == by_definition(a, b));
        RC_ASSERT(edit_distance(a, b, 2) == std::min<std::size_t>(by_definition(a, b), 3));
    }));
}

TEST_CASE("the word that was meant") {
    const std::vector<std::string> known{"coordinates", "contact", "constraint",
                                         "gap",         "L",       "theta"};
    CHECK(nearest("coordinate", known) == "coordinates");
    CHECK(nearest("contacts", known) == "contact");
    CHECK(nearest("constrant", known) == "constraint");
    CHECK(nearest("Gap", known) == "gap");
    CHECK(nearest("Lo", known) == "L");
    CHECK(nearest("thteta", known) == "theta");
    CHECK(nearest("nonsense", known) == std::nullopt);
    CHECK(nearest("x", known) == std::nullopt);
    CHECK(nearest("", known) == std::nullopt);
    CHECK(nearest(std::string(100'000, 'x'), known) == std::nullopt);
}
