// SPDX-License-Identifier: Apache-2.0
// Collecting diagnostics: order, counts, bounds, life of the files they point into.
#include "liaison/base/diagnostic.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/base/render.hpp"
#include "liaison/base/version.hpp"

#include <doctest/doctest.h>

using namespace liaison::base;

namespace {

Span at(const std::shared_ptr<const SourceFile>& file, std::uint32_t begin, std::uint32_t end) {
    return {file.get(), begin, end};
}

} // namespace

TEST_CASE("diagnostics are ordered by place, warnings and errors are counted apart") {
    const auto file = SourceFile::make("m.toml", "0123456789");
    Diagnostics list;
    list.keep(file);
    list.report(Code::unknown_name, "late").at(at(file, 7, 8));
    list.report(Code::unused_parameter, "warning").at(at(file, 5, 6));
    list.report(Code::unknown_name, "early").at(at(file, 1, 2));
    list.report(Code::unknown_name, "nowhere");
    CHECK(list.error_count() == 3);
    CHECK(list.warning_count() == 1);
    std::string order;
    for (const Diagnostic* d : list.sorted()) order += d->message + " ";
    CHECK(order == "nowhere early warning late ");
}

TEST_CASE("the same complaint about the same place is shown once") {
    const auto file = SourceFile::make("m.toml", "0123456789");
    Diagnostics list;
    for (int i = 0; i < 3; ++i) list.report(Code::unknown_name, "same").at(at(file, 1, 2));
    list.report(Code::unknown_name, "other").at(at(file, 1, 2));
    CHECK(list.sorted().size() == 2);
}

TEST_CASE("twenty errors are shown, all are counted, memory is bounded") {
    const auto file = SourceFile::make("m.toml", std::string(100'000, 'x'));
    Diagnostics list;
    for (std::uint32_t i = 0; i < 50'000; ++i) {
        list.report(Code::unknown_name, "x").at(at(file, i, i + 1)).note("n");
    }
    CHECK(list.error_count() == 50'000);
    CHECK(list.all().size() == Diagnostics::k_kept);
    CHECK(list.shown().size() == Diagnostics::k_shown_errors);
    CHECK(list.saturated());
}

TEST_CASE("references to reports stay valid while more are added") {
    Diagnostics list;
    Diagnostic& first = list.report(Code::unknown_name, "first");
    for (int i = 0; i < 500; ++i) list.report(Code::unknown_name, "more");
    first.note("still here");
    CHECK(list.all().front().notes.front() == "still here");
}

TEST_CASE("an error outlives the file it points into") {
    try {
        const auto file = SourceFile::make("m.toml", "gap = Lo");
        Diagnostics list;
        list.report(Code::unknown_name, "unknown name `Lo`").at(at(file, 6, 8));
        list.report(Code::unknown_name, "unknown name `ap`").at(at(file, 1, 3));
        throw_if_errors(list);
        FAIL("an error must be thrown");
    } catch (const ModelError& error) {
        CHECK(std::string(error.what()) == "m.toml:1:2: E0204: unknown name `ap` (and 1 more)");
        CHECK(render(error.diagnostics()).find("gap = Lo") != std::string::npos);
    }
}

TEST_CASE("warnings alone are no reason to stop") {
    Diagnostics list;
    list.report(Code::unused_parameter, "unused");
    CHECK_NOTHROW(throw_if_errors(list));
}

TEST_CASE("collections join") {
    const auto file = SourceFile::make("m.toml", "abc");
    Diagnostics a, b;
    b.keep(file);
    b.report(Code::unknown_name, "b").at(at(file, 0, 1));
    a.report(Code::unused_parameter, "a");
    a.append(b);
    CHECK(a.error_count() == 1);
    CHECK(a.warning_count() == 1);
    CHECK(a.sorted().size() == 2);
}

TEST_CASE("a broken invariant says that it is a bug, where, and which version") {
    try {
        LIAISON_ASSERT(1 + 1 == 3, "sums must be right");
        FAIL("the assertion must fail");
    } catch (const InternalError& error) {
        const std::string text = error.what();
        CHECK(text.find("this is a bug in liaison " + std::string(k_version)) != std::string::npos);
        CHECK(text.find("sums must be right") != std::string::npos);
        CHECK(text.find("1 + 1 == 3") != std::string::npos);
        CHECK(text.find("diagnostic_test.cpp:") != std::string::npos);
    }
}

TEST_CASE("build facts are known") {
    const BuildFacts facts = build_facts();
    CHECK(facts.version == k_version);
    CHECK(facts.compiler.find("unknown") == std::string::npos);
    CHECK(facts.parts.size() == 4);
}
