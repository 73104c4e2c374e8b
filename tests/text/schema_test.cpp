// SPDX-License-Identifier: Apache-2.0
// The schema: every row is sound, every mistake is placed, all examples pass.
#include "liaison/text/schema.hpp"

#include "liaison/base/render.hpp"

#include "support/cpu_time.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace liaison;
using text::KeyRow;
using text::Schema;
using text::Takes;

namespace {

struct Checked {
    base::Diagnostics diagnostics;
    bool ok;
    explicit Checked(const std::string& text, const Schema& schema = text::model_schema(),
                     int format = 1) {
        const auto document =
            text::Document::read(base::SourceFile::make("model.toml", text), diagnostics);
        ok = schema.check(document, diagnostics, format);
    }
    std::string codes() const {
        std::string list;
        for (const auto* d : diagnostics.sorted()) {
            list += (list.empty() ? "" : " ") + std::string(base::row(d->code).text) + "@" +
                    std::to_string(d->place().position().line);
        }
        return list;
    }
};

std::string codes(const std::string& text) {
    const Checked checked("format = 1\n" + text);
    CHECK(checked.ok == checked.diagnostics.empty());
    return checked.codes();
}

bool mentions(const std::string& text, const std::string& part) {
    return base::render(Checked("format = 1\n" + text).diagnostics).find(part) != std::string::npos;
}

} // namespace

TEST_CASE("every row is reachable, explained and below a table") {
    const Schema& schema = text::model_schema();
    std::set<std::string_view> paths;
    for (const KeyRow& row : schema.rows()) {
        INFO(row.path);
        CHECK(paths.insert(row.path).second);
        CHECK(schema.find(row.path) == &row);
        CHECK(row.help.ends_with('.') + row.help.ends_with('?') + row.help.ends_with("…") == 1);
        CHECK(has(row.takes, Takes::word) == !row.words.empty());
        if (!row.table().empty()) {
            const KeyRow* const owner = schema.find(row.table());
            REQUIRE(owner != nullptr);
            CHECK(owner < &row);
            CHECK(has(owner->takes, Takes::table | Takes::tables));
        }
    }
}

TEST_CASE("paths as written find their rows") {
    const Schema& schema = text::model_schema();
    CHECK(schema.find("contact.tip.gap")->path == "contact.NAME.gap");
    CHECK(schema.find("start.closed")->path == "start.closed");
    CHECK(schema.find("start.x")->path == "start.COORD");
    CHECK(schema.find("event.hit.set.velocity.y")->path == "event.NAME.set.velocity.COORD");
    CHECK(schema.find("contact.tip.nonsense") == nullptr);
    CHECK(schema.find("nonsense") == nullptr);
    CHECK(schema.homes_of("until") == std::vector<std::string>{"[run]"});
    CHECK(schema.homes_of("name") == std::vector<std::string>{"the top of the file"});
    CHECK(schema.homes_of("segment") == std::vector<std::string>{"[[draw]]"});
}

TEST_CASE("a sound file passes") {
    CHECK(
        codes(
            "name = \"n\"\ncoordinates = [\"x\"]\n[parameters]\nm = { value = 1, unit = \"kg\" }\n"
            "l = 2.5\nlist = [1, 2]\n[family.i]\nrange = [0, 9]\n[energy]\nT = \"m/2*x'^2\"\nV = "
            "0\n"
            "[contact.\"touch[i]\"]\ngap = \"x\"\nrestitution = { value = 0.5, law = \"newton\" }\n"
            "friction = { static = 0.3, dynamic = \"0.2\" }\nslip = [\"x'\", \"y'\"]\n"
            "[relay.belt]\nsurface = \"x'\"\nvalues = { above = 1, below = -1 }\nforce.x = \"u\"\n"
            "[start]\nx = \"60*deg\"\nclosed = [\"tip\"]\n[start.velocity]\nx = 1\n"
            "[event.hit]\nwhen = \"x > 0\"\nset.velocity.x = \"-x'\"\nset.x = 0\nstop = true\n"
            "[run]\nuntil = \"2*pi\"\ncontact = \"routh\"\n"
            "[[draw]]\nsegment = [[0, 0], [\"x\", 1]]\n[[draw]]\ndisc = [\"x\", 0]\n") == "");
}

TEST_CASE("mistakes have their codes and lines") {
    CHECK(codes("coordinate = [\"x\"]") == "E0303@2");
    CHECK(codes("[contacts.tip]\ngap = \"y\"") == "E0304@2");
    CHECK(codes("[contact.tip]\ngapp = \"y\"") == "E0303@3");
    CHECK(codes("[contact.tip]\nheight = \"y\"") == "E0308@2 E0303@3");
    CHECK(codes("[energy]\nuntil = 10") == "E0305@3");
    CHECK(codes("until = 10") == "E0305@2");
    CHECK(codes("[contact]\ngap = \"y\"") == "E0305@3");
    CHECK(codes("[[contact]]\ngap = \"y\"") == "E0306@2");
    CHECK(codes("coordinates = \"x\"") == "E0306@2");
    CHECK(codes("coordinates = [\"x\", 1]") == "E0306@2");
    CHECK(codes("[parameters]\nm = \"1.0\"") == "E0306@3");
    CHECK(codes("[parameters]\nm = true") == "E0306@3");
    CHECK(codes("[parameters]\nm = inf") == "E0310@3");
    CHECK(codes("[parameters]\nm = nan") == "E0310@3");
    CHECK(codes("[parameters]\nm-1 = 1") == "E0201@3");
    CHECK(codes("[run]\ncontact = \"event\"") == "E0307@3");
    CHECK(codes("[run]\ntolerance = -1") == "E0310@3");
    CHECK(codes("[run]\ntolerance = \"small\"") == "E0306@3");
    CHECK(codes("[contact.tip]\nfriction = 0.3") == "E0308@2");
    CHECK(codes("[contact.tip]\ngap = \"y\"\nbetween = [\"0\", \"y\", \"1\"]") == "E0312@4");
    CHECK(codes("[contact.tip]\nbetween = [\"0\", \"y\"]") == "E0309@3");
    CHECK(codes("[contact.tip]\ngap = \"y\"\nrestitution = { value = 0.5, laws = \"newton\" }") ==
          "E0303@4");
    CHECK(codes("[constraint.c]\nequation = 1") == "E0306@3");
    CHECK(codes("[[draw]]\nsegment = [\"x\", \"y\"]") == "E0306@3 E0306@3");
    CHECK(codes("[[draw]]\nradius = 1") == "E0308@2");
    CHECK(codes("energy = \"x\"") == "E0306@2");
    CHECK(Checked("name = \"n\"").codes() == "E0301@1");
    CHECK(Checked("format = 99").codes() == "E0302@1");
    CHECK(Checked("format = \"1\"").codes() == "E0306@1");
}

TEST_CASE("messages say what was meant or where it belongs") {
    CHECK(mentions("coordinate = [\"x\"]", "did you mean `coordinates`?"));
    CHECK(mentions("[contacts.tip]\ngap = \"y\"", "did you mean `contact`?"));
    CHECK(mentions("[energy]\nuntil = 10", "it belongs to [run]"));
    CHECK(mentions("[energy]\ncoordinates = [\"x\"]", "before the first [table]"));
    CHECK(mentions("[contact]\ngap = \"y\"", "write [contact.NAME]"));
    CHECK(mentions("[[contact]]\ngap = \"y\"", "write [contact.NAME], not [[contact]]"));
    CHECK(mentions("[run]\ncontact = \"event\"", "did you mean \"events\"?"));
    CHECK(mentions("[parameters]\nm = \"1.0\"", "write 1.0 without quotes"));
    CHECK(mentions("[parameters]\nm-1 = 1", "did you mean `m_1`?"));
}

TEST_CASE("keys of a newer format are told from unknown ones") {
    constexpr std::array rows{
        KeyRow{.path = "old", .takes = Takes::number, .help = "."},
        KeyRow{.path = "fresh", .takes = Takes::number, .help = ".", .since = 2},
    };
    const Schema schema{rows};
    CHECK(Checked("old = 1\nfresh = 2\n", schema, 1).codes() == "E0311@2");
    CHECK(Checked("old = 1\nfresh = 2\n", schema, 2).codes() == "");
}

TEST_CASE("all examples fit the schema") {
    std::size_t models = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(LIAISON_EXAMPLES)) {
        if (entry.path().filename() != "model.toml") continue;
        std::ifstream stream(entry.path());
        std::stringstream content;
        content << stream.rdbuf();
        const Checked checked(content.str());
        INFO(entry.path().string() << "\n" << base::render(checked.diagnostics));
        CHECK(checked.ok);
        ++models;
    }
    CHECK(models >= 20);
}

TEST_CASE("a file with a hundred thousand wrong keys is refused quickly") {
    std::string text = "format = 1\n[run]\n";
    for (int i = 0; i < 100'000; ++i) text += "untill" + std::to_string(i) + " = 1\n";
    const double time = support::cpu_seconds([&] {
        const Checked checked(text);
        const auto page = base::render(checked.diagnostics);
        CHECK(checked.diagnostics.error_count() == 100'000);
        CHECK(page.find("100000 errors (the first 20 errors are shown)") != std::string::npos);
    });
    CHECK(time < 2.0);
}

TEST_CASE("reference page and completion hold every key") {
    const Schema& schema = text::model_schema();
    const std::string page = schema.markdown();
    for (const KeyRow& row : schema.rows()) {
        CHECK(page.find("| `" + std::string(row.key()) + "` |") != std::string::npos);
    }
    CHECK(page.find("## `[contact.NAME]`") != std::string::npos);
    CHECK(page.find("## `[[draw]]`") != std::string::npos);
    const auto keys = schema.complete("contact.tip");
    REQUIRE(keys.size() >= 10);
    CHECK(keys.front().label == "gap");
    CHECK(schema.complete("").front().label == "format");
    CHECK(schema.complete("nonsense.path").empty());
}
