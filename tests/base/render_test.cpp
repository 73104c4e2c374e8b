// SPDX-License-Identifier: Apache-2.0
// Messages as people and programs see them.
#include "liaison/base/render.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

using namespace liaison::base;

namespace {

// One complaint about the first occurrence of `part`.
std::string rendered(const std::string& text, const std::string& part,
                     const std::string& label = "here", const RenderOptions& options = {}) {
    const auto file = SourceFile::make("m.toml", text);
    const auto begin = static_cast<std::uint32_t>(text.find(part));
    Diagnostics list;
    list.report(Code::unknown_name, "unknown")
        .at({file.get(), begin, begin + static_cast<std::uint32_t>(part.size())}, label);
    return render(*list.sorted().front(), options);
}

} // namespace

TEST_CASE("the message of the manual, letter for letter") {
    std::string text(16, '\n');
    text += "gap         = \"Lo - sqrt(x^2 + y^2)\"\n";
    const auto file = SourceFile::make("string_pendulum.toml", text);
    const auto begin = static_cast<std::uint32_t>(text.find("Lo"));
    Diagnostics list;
    list.report(Code::unknown_name, "unknown name `Lo`")
        .at({file.get(), begin, begin + 2}, "not a coordinate, parameter or [let] name")
        .note("did you mean `L` (parameter, line 10)?");
    CHECK(render(*list.sorted().front()) ==
          "error[E0204]: unknown name `Lo`\n"
          "  ┌─ string_pendulum.toml:17:16\n"
          "  │\n"
          "17│ gap         = \"Lo - sqrt(x^2 + y^2)\"\n"
          "  │                ^^ not a coordinate, parameter or [let] name\n"
          "  = did you mean `L` (parameter, line 10)?\n"
          "  = liaison explain E0204\n");
}

TEST_CASE("tabs and wide characters keep the caret below its word") {
    CHECK(rendered("\tV = \"Lo\"", "Lo").find(" 1│     V = \"Lo\"\n  │          ^^ here\n") !=
          std::string::npos);
    CHECK(rendered("γγ = Lo", "Lo").find(" 1│ γγ = Lo\n  │      ^^ here\n") != std::string::npos);
    CHECK(rendered("漢 = Lo", "Lo").find(" 1│ 漢 = Lo\n  │      ^^ here\n") != std::string::npos);
    CHECK(rendered("e\u0301 = Lo", "Lo").find("\n  │     ^^ here\n") != std::string::npos);
}

TEST_CASE("control characters never reach the terminal") {
    const std::string out = rendered("a\x1b[31m\x07 = Lo\r", "Lo", "\x1b[0m\u202e");
    for (const char c : out) CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
    CHECK(out.find("\u202e") == std::string::npos);
}

TEST_CASE("a megabyte-long line is shown in part") {
    const std::string text = std::string(500'000, 'a') + " Lo " + std::string(500'000, 'b');
    const std::string out = rendered(text, "Lo");
    CHECK(out.size() < 1000);
    CHECK(out.find("m.toml:1:500002") != std::string::npos);
    CHECK(out.find("aaa Lo bbb") != std::string::npos);
    const std::string unicode = rendered(
        std::string(100, 'a') + " γγγγγγγγγγγγγγγγγγγγγγγγγγγγγγ Lo" + std::string(200, 'b'), "Lo");
    CHECK(unicode.find("γγ Lobb") != std::string::npos);
    CHECK(unicode.find("\uFFFD") == std::string::npos);
}

TEST_CASE("spans over several lines mark the first and the last one") {
    const std::string out = rendered("x = [1,\n  2,\n  3]\n", "[1,\n  2,\n  3]");
    CHECK(out.find(" 1│ x = [1,\n  │     ^^^\n  ⋮\n 3│   3]\n  │   ^^ here\n") !=
          std::string::npos);
}

TEST_CASE("places at the end of the file and beyond") {
    const auto file = SourceFile::make("m.toml", "abc\n");
    for (const std::uint32_t begin : {0U, 3U, 4U, 100U}) {
        Diagnostics list;
        list.report(Code::unknown_name, "x").at({file.get(), begin, begin + 5}, "here");
        CHECK(render(*list.sorted().front()).find("here") != std::string::npos);
    }
}

TEST_CASE("several labels share an excerpt") {
    const auto file = SourceFile::make("m.toml", "x = 1\ny = 2\n\n\nx = 3\n");
    Diagnostics list;
    list.report(Code::duplicate_key, "twice")
        .at({file.get(), 14, 15}, "again here")
        .see({file.get(), 0, 1}, "first here");
    CHECK(render(*list.sorted().front())
              .find("m.toml:5:1\n  │\n 1│ x = 1\n  │ - first here\n  ⋮\n"
                    " 5│ x = 3\n  │ ^ again here\n") != std::string::npos);
}

TEST_CASE("colour is only added, never needed") {
    const std::string plain = rendered("a = Lo", "Lo");
    std::string colour = rendered("a = Lo", "Lo", "here", {.colour = true});
    CHECK(colour != plain);
    for (std::size_t i = 0; (i = colour.find('\x1b')) != std::string::npos;) {
        colour.erase(i, colour.find('m', i) + 1 - i);
    }
    CHECK(colour == plain);
}

TEST_CASE("JSON carries the contract's keys") {
    const auto file = SourceFile::make("m.toml", "γ = Lo\n");
    Diagnostics list;
    list.report(Code::unknown_name, "unknown name `Lo`")
        .at({file.get(), 5, 7}, "here")
        .note("n")
        .fix({file.get(), 5, 7}, "L", "did you mean `L`?");
    list.report(Code::unused_parameter, "unused");
    const auto json = to_json(list);
    REQUIRE(json.size() == 2);
    CHECK(json[0]["severity"] == "warning");
    CHECK(json[0]["file"].is_null());
    CHECK(json[0]["line"].is_null());
    CHECK(json[1]["severity"] == "error");
    CHECK(json[1]["code"] == "E0204");
    CHECK(json[1]["message"] == "unknown name `Lo`");
    CHECK(json[1]["file"] == "m.toml");
    CHECK(json[1]["line"] == 1);
    CHECK(json[1]["column"] == 5);
    CHECK(json[1]["end_column"] == 7);
    CHECK(json[1]["notes"] == nlohmann::json::array({"n"}));
    CHECK(json[1]["fixes"][0]["replacement"] == "L");
    CHECK(json[1]["fixes"][0]["column"] == 5);
}

TEST_CASE("any text and any span render, as text and as JSON") {
    CHECK(rc::check([](const std::string& text, std::uint16_t a, std::uint16_t b) {
        const auto file = SourceFile::make(text, text);
        Diagnostics list;
        list.report(Code::unknown_name, text)
            .at({file.get(), a % 200U, b % 200U}, text)
            .see({file.get(), b % 50U, a % 50U}, text)
            .note(text);
        RC_ASSERT(!render(list, {.colour = false, .width = 20}).empty());
        RC_ASSERT(!to_json(list).dump().empty());
    }));
}
