// SPDX-License-Identifier: Apache-2.0
// One table of words per family of realisations, shared by the model file and the command line.
#include "liaison/model/realisation_words.hpp"

#include "liaison/text/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace liaison::model {
namespace {

struct WordRow {
    std::string_view family;
    std::string_view word;
    void (*choose)(RunOptions&);
    bool (*chosen)(const RunOptions&);
};

#define LIAISON_WORD(family, word, field, value)                                                   \
    WordRow {                                                                                      \
        family, word, [](RunOptions& o) { o.field = value; },                                      \
            [](const RunOptions& o) { return o.field == value; }                                   \
    }

constexpr std::array k_rows{
    LIAISON_WORD("contact", "events", contact, ContactRealisation::events),
    LIAISON_WORD("contact", "routh", contact, ContactRealisation::routh),
    LIAISON_WORD("contact", "elastic", contact, ContactRealisation::elastic),
    LIAISON_WORD("contact", "timestep", contact, ContactRealisation::timestep),
    LIAISON_WORD("contact", "auto", contact, ContactRealisation::automatic),
    LIAISON_WORD("bilateral", "projection", bilateral, BilateralRealisation::projection),
    LIAISON_WORD("bilateral", "program", bilateral, BilateralRealisation::program),
    LIAISON_WORD("bilateral", "multiplier", bilateral, BilateralRealisation::multiplier),
    LIAISON_WORD("bilateral", "index2", bilateral, BilateralRealisation::index2),
    LIAISON_WORD("relay", "filippov", relay, RelayRealisation::filippov),
    LIAISON_WORD("relay", "utkin", relay, RelayRealisation::utkin),
    LIAISON_WORD("relay", "lagrange", relay, RelayRealisation::lagrange),
    LIAISON_WORD("codimension", "bilinear", codimension, Codimension::bilinear),
    LIAISON_WORD("codimension", "moments", codimension, Codimension::moments),
    LIAISON_WORD("paradox", "impact", paradox, Paradox::impact),
    LIAISON_WORD("paradox", "separate", paradox, Paradox::separate),
    LIAISON_WORD("paradox", "stop", paradox, Paradox::stop),
    LIAISON_WORD("impacts", "sequential", impacts, Impacts::sequential),
    LIAISON_WORD("impacts", "simultaneous", impacts, Impacts::simultaneous),
    LIAISON_WORD("order", "deepest", order, ImpactOrder::deepest),
    LIAISON_WORD("order", "declared", order, ImpactOrder::declared),
    LIAISON_WORD("order", "reverse", order, ImpactOrder::reverse),
    LIAISON_WORD("location", "exact", location, Location::exact),
    LIAISON_WORD("location", "none", location, Location::none),
};

#undef LIAISON_WORD

std::vector<std::string> families() {
    std::vector<std::string> names;
    for (const WordRow& row : k_rows) {
        if (names.empty() || names.back() != row.family) names.emplace_back(row.family);
    }
    return names;
}

std::vector<std::string> words_of(std::string_view family) {
    std::vector<std::string> words;
    for (const WordRow& row : k_rows) {
        if (row.family == family) words.emplace_back(row.word);
    }
    return words;
}

void one(RunOptions& options, const std::string& part, base::Diagnostics& diagnostics) {
    using base::Code;
    const std::size_t equals = part.find('=');
    // The words of the families differ, so that the word alone says enough.
    if (equals == std::string::npos) {
        const auto known = std::ranges::find(k_rows, part, &WordRow::word);
        if (known != k_rows.end()) {
            known->choose(options);
            return;
        }
    }
    const std::string family = part.substr(0, equals);
    const std::string word = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (choose_realisation(options, family, word)) return;
    const auto words = words_of(family);
    if (words.empty()) {
        diagnostics
            .report(Code::unknown_word,
                    fmt::format("--realise {}: there is no realisation of `{}`", part, family))
            .note(fmt::format("the families are {}", fmt::join(families(), ", ")))
            .note("for example --realise bilateral=program");
        return;
    }
    diagnostics
        .report(Code::unknown_word,
                fmt::format("--realise {}: `{}` is no realisation of {}", part, word, family))
        .note(fmt::format("the choices are {}", fmt::join(words, ", ")));
}

} // namespace

std::string_view realisation_word(const RunOptions& options, std::string_view family) {
    for (const WordRow& row : k_rows)
        if (row.family == family && row.chosen(options)) return row.word;
    return {};
}

base::Span where_run_says(const Model& model, std::string_view key, std::string_view word) {
    if (!model.source) return {};
    base::Diagnostics told_before;
    const auto document = text::Document::read(model.source, told_before);
    if (!document.ok()) return {};
    const text::Value* run = document.root().get("run");
    const text::Value* value = run != nullptr ? run->get(key) : nullptr;
    if (value == nullptr || !value->is_string() || value->text() != word) return {};
    return value->span;
}

std::string realisation_of(const Model& model) {
    std::string words;
    const auto add = [&](std::string_view family) {
        const auto row = std::ranges::find_if(
            k_rows, [&](const WordRow& r) { return r.family == family && r.chosen(model.run); });
        words += fmt::format("{}{}", words.empty() ? "" : " · ", row->word);
    };
    if (!model.contacts.empty()) add("contact");
    if (!model.constraints.empty()) add("bilateral");
    if (!model.relays.empty()) add("relay");
    if (!words.empty()) return words;
    return model.kind == Kind::first_order ? "first-order system" : "smooth";
}

bool realised_by(std::string_view realisation, std::string_view word) {
    constexpr std::string_view k_between = " · ";
    for (std::size_t begin = 0; begin <= realisation.size();) {
        const std::size_t end = std::min(realisation.find(k_between, begin), realisation.size());
        if (realisation.substr(begin, end - begin) == word) return true;
        begin = end + k_between.size();
    }
    return false;
}

bool choose_realisation(RunOptions& options, std::string_view family, std::string_view word) {
    const auto found = std::ranges::find_if(
        k_rows, [&](const WordRow& row) { return row.family == family && row.word == word; });
    if (found == k_rows.end()) return false;
    found->choose(options);
    return true;
}

void read_realisations(RunOptions& options, const std::string& text,
                       base::Diagnostics& diagnostics) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        one(options, text.substr(begin, end - begin), diagnostics);
        begin = end + 1;
    }
}

} // namespace liaison::model
